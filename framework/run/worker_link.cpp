// SPDX-License-Identifier: Apache-2.0
// What can go wrong in a conversation with a worker, each with its own words.
#include "run/worker_link.hpp"

#include "base/value.hpp"
#include "platform/self.hpp"
#include "platform/system_clock.hpp"
#include "record/json.hpp"
#include "run/message_codec.hpp"

namespace assay {
namespace {

std::vector<std::string> arguments_of(const std::vector<std::string>& plugins) {
  std::vector<std::string> arguments{"worker"};
  for (const std::string& plugin : plugins) arguments.insert(arguments.end(), {"--plugin", plugin});
  return arguments;
}

std::string last_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  const auto start = text.rfind('\n');
  return std::string(start == std::string_view::npos ? text : text.substr(start + 1));
}

}  // namespace

WorkerLink::WorkerLink(const std::string& program, const std::vector<std::string>& plugins,
                       const std::vector<std::string>& environment)
    : process_(program, arguments_of(plugins), environment) {}

Reply WorkerLink::converse(const Request& request, Nanoseconds deadline) {
  // A worker that is gone already may have left a reason: it is read below.
  process_.socket().send(encode(request, ++requests_));
  std::string line;
  switch (process_.socket().receive(line, deadline)) {
    case LineSocket::Status::line:
      return understand(line);
    case LineSocket::Status::closed:
      fail(Outcome::failed, ending());
    case LineSocket::Status::timeout:
      fail(Outcome::timeout, "no answer within " + to_text(deadline / seconds(1)) + " s; killed");
    case LineSocket::Status::too_long:
      break;
  }
  break_off("a line without an end");
}

Reply WorkerLink::understand(const std::string& line) {
  NumberedReply reply;
  try {
    reply = decode_reply(line);
  } catch (const JsonError& error) {
    break_off(error.what());
  }
  const auto* failed = std::get_if<FailedMessage>(&reply.reply);
  if (reply.answers != requests_ && !(failed && reply.answers == last_word))
    break_off("a reply to request " + std::to_string(reply.answers) + " where " + std::to_string(requests_) +
              " was asked");
  if (failed) fail(failed->outcome, failed->why, failed->code);
  return std::move(reply.reply);
}

std::string WorkerLink::ending() {
  const std::string how = "worker " + process_.kill_group();
  const std::string said = last_line(process_.error_output());
  return said.empty() ? how : how + ": " + said;
}

void WorkerLink::break_off(const std::string& what) { fail(Outcome::failed, "protocol error: " + what); }

void WorkerLink::fail(Outcome outcome, const std::string& why, const std::string& code) {
  process_.kill_group();
  throw VisitFailed(outcome, why, code);
}

void WorkerLink::dismiss() { end_sending(process_.socket().descriptor()); }

void WorkerLink::end(Nanoseconds patience) {
  dismiss();
  const MonotonicClock clock;
  const Instant until = clock.now() + patience;
  std::string line;
  LineSocket::Status status;
  do status = process_.socket().receive(line, std::max(Nanoseconds{}, until - clock.now()));
  while (status == LineSocket::Status::line);
  process_.kill_group();
}

}  // namespace assay
