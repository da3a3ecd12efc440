// SPDX-License-Identifier: Apache-2.0
// Messages between supervisor and worker, both ways: refused, or understood and told again in the same words.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "fuzz/fuzz.hpp"
#include "platform/process/process.hpp"
#include "run/protocol/messages.hpp"
#include "text/json.hpp"

namespace assay::fuzz {
namespace {

void check_request(const std::string& line) {
  try {
    const NumberedRequest request = decode_request(line);
    const std::string told = encode(request.request, request.number);
    const NumberedRequest again = decode_request(told);
    promise(encode(again.request, again.number) == told, "a request keeps its meaning: " + told);
  } catch (const JsonError&) {
  }
}

void check_reply(const std::string& line) {
  try {
    const NumberedReply reply = decode_reply(line);
    const std::string told = encode(reply.reply, reply.answers);
    const NumberedReply again = decode_reply(told);
    promise(encode(again.reply, again.answers) == told, "a reply keeps its meaning: " + told);
  } catch (const JsonError&) {
  }
}

/// Everything that arrives comes out as lines, in order, up to the last line's end.
void check_socket(std::string_view text) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
  const std::string_view sent = text.substr(0, 4096);
  const auto written = ::write(ends[0], sent.data(), sent.size());
  ::close(ends[0]);
  LineSocket socket(ends[1]);
  std::string received;
  for (std::string line; socket.receive(line, seconds(1)) == LineSocket::Status::line;) {
    received += line + '\n';
    check_request(line);
    check_reply(line);
  }
  const auto whole = std::cmp_equal(written, sent.size()) ? sent.rfind('\n') + 1 : 0;
  promise(received == sent.substr(0, whole), "lines come out as they went in");
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string line(assay::fuzz::text_of(data, size));
  assay::fuzz::check_request(line);
  assay::fuzz::check_reply(line);
  assay::fuzz::check_socket(line);
  return 0;
}
