// SPDX-License-Identifier: Apache-2.0
// Sockets of the loopback interface: connections made one by one, pairs of datagram sockets, ports that the system
// chooses.
#pragma once
#include <netinet/in.h>

#include <array>
#include <cstdint>
#include <memory>

#include "channel/descriptor.hpp"

namespace assay {

/// Throws for the current errno: Unsupported where it says that there is no loopback interface to use, and what to do,
/// else std::system_error.
[[noreturn]] void refuse_loopback(const char* what);

/// 127.0.0.1 with this port.
sockaddr_in loopback_address(std::uint16_t port);

/// A new TCP socket, close-on-exec. Throws as refuse_loopback.
int new_tcp_socket();

/// When it is closed, the socket resets its connection: neither end then keeps it for a minute (TIME_WAIT).
void reset_when_closed(int socket);

/// Both ends of one connection. The client's end resets the connection when it is closed.
struct Connection {
  std::unique_ptr<OwnedDescriptor> client;
  std::unique_ptr<OwnedDescriptor> server;
};

/// Which ends send at once what they are given (TCP_NODELAY). Others keep a small piece back while an earlier one is
/// not acknowledged.
struct SendingAtOnce {
  bool client = true;
  bool server = true;
};

/// A server's listening socket on a port that the system chooses.
class Listener {
 public:
  /// `waiting` connections may wait to be accepted. With `buffers`, its connections ask for buffers of so many bytes.
  /// Throws Unsupported without a loopback interface, std::system_error.
  explicit Listener(int waiting = 8, int buffers = 0);
  std::uint16_t port() const { return port_; }
  int number() const { return socket_.number(); }
  /// A connection that both ends know of when it returns: none waits to be accepted, and none is lost. Throws
  /// Unsupported without a loopback interface, std::system_error.
  Connection connect(SendingAtOnce at_once);
  /// The next connection, waited for. Throws std::system_error.
  int accept() const;

 private:
  OwnedDescriptor socket_;
  int buffers_;
  std::uint16_t port_ = 0;
};

/// Two datagram sockets that know each other, with receive buffers of a mebibyte where the system permits that.
class DatagramPair {
 public:
  /// Throws Unsupported without a loopback interface, std::system_error.
  DatagramPair();
  int operator[](std::size_t end) const { return ends_[end].number(); }

 private:
  std::array<OwnedDescriptor, 2> ends_;
};

}  // namespace assay
