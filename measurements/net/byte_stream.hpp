// SPDX-License-Identifier: Apache-2.0
// A way for bytes from one member to the other: a pipe, a pair of local sockets or a connection over loopback.
#pragma once
#include <memory>
#include <string>

#include "channel/descriptor.hpp"
#include "channel/loopback.hpp"

namespace assay {

/// Both ends are open in every member.
class ByteStream {
 public:
  /// `kind` is "pipe", "unix-stream", "unix-seqpacket" or "tcp"; the last one asks for buffers of a mebibyte, as
  /// lmbench does. Throws Unsupported without a loopback interface, std::system_error.
  explicit ByteStream(const std::string& kind);
  int from() const { return from_; }
  int to() const { return to_; }

 private:
  std::unique_ptr<DescriptorPair> pair_;
  Connection connection_;
  int from_ = -1;
  int to_ = -1;
};

}  // namespace assay
