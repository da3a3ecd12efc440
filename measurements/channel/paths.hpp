// SPDX-License-Identifier: Apache-2.0
// Which socket of the loopback interface a message goes into and comes out of, for TCP and UDP.
#pragma once
#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <memory>

#include "channel/channel.hpp"
#include "channel/loopback.hpp"

namespace assay {

/// Established connections of TCP: one per direction, its client sends; or one for both, then member 0 is its client.
class TcpPaths {
 public:
  /// With `at_once` every end sends at once what it is given. Throws Unsupported without descriptors or a loopback
  /// interface.
  TcpPaths(bool shared, bool at_once);
  int from(Direction direction) const;
  int to(Direction direction) const;
  /// How many messages of so many bytes can certainly be sent before one is received: by the smaller of the buffers,
  /// where each message is charged its memory and description.
  std::int64_t room(std::size_t bytes) const;
  /// Waits until all that was sent has left the sender's buffer, at most a second.
  void settle(Direction direction) const;

 private:
  std::array<Connection, 2> connections_;
  bool shared_;
};

/// Pairs of UDP sockets, one per direction or one for both.
class UdpPaths {
 public:
  /// Throws Unsupported without descriptors or a loopback interface, or where no datagram can have so many bytes.
  UdpPaths(bool shared, std::size_t bytes);
  int from(Direction direction) const;
  int to(Direction direction) const;
  /// How many datagrams of the size are certainly kept while none is received: more would be dropped. By half of the
  /// receiver's buffer, since the kernel takes up to a quarter of it for messages that were received already.
  std::int64_t room() const { return room_; }

 private:
  std::int64_t try_one(std::size_t bytes) const;
  std::array<std::unique_ptr<DatagramPair>, 2> pairs_;
  bool shared_;
  std::int64_t room_;
};

}  // namespace assay
