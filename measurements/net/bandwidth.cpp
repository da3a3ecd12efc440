// SPDX-License-Identifier: Apache-2.0
// Opens a way for bytes.
#include "net/bandwidth.hpp"

#include <sys/socket.h>

namespace assay {

namespace {

constexpr int tcp_buffers = 1 << 20;

std::unique_ptr<DescriptorPair> sockets(int type) {
  return std::make_unique<DescriptorPair>("cannot open a pair of sockets", [type](int* ends) {
    return ::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends);
  });
}

std::unique_ptr<DescriptorPair> pipe() {
  return std::make_unique<DescriptorPair>("cannot open a pipe", [](int* ends) { return ::pipe2(ends, O_CLOEXEC); });
}

}  // namespace

ByteStream::ByteStream(const std::string& kind) {
  if (kind == "tcp") {
    connection_ = Listener(1, tcp_buffers).connect({});
    from_ = connection_.client->number();
    to_ = connection_.server->number();
    return;
  }
  if (kind == "pipe")
    pair_ = pipe();
  else
    pair_ = sockets(kind == "unix-seqpacket" ? SOCK_SEQPACKET : SOCK_STREAM);
  from_ = (*pair_)[1];  // of a pipe the end that is written; of sockets any
  to_ = (*pair_)[0];
}

}  // namespace assay
