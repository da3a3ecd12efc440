// SPDX-License-Identifier: Apache-2.0
// Sockets of the loopback interface.
#include "channel/loopback.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <string>

#include "api/measurement.hpp"

namespace assay {
namespace {

constexpr int datagram_buffer = 1 << 20;

template <class T>
void set_option(int socket, int level, int option, const T& value) {
  if (::setsockopt(socket, level, option, &value, sizeof value) != 0) fail("setting an option of a socket");
}

// More than the system permits is cut to that.
void ask_for_buffers(int socket, int bytes) {
  set_option(socket, SOL_SOCKET, SO_SNDBUF, bytes);
  set_option(socket, SOL_SOCKET, SO_RCVBUF, bytes);
}

void require(int result, const char* what) {
  if (result != 0) refuse_loopback(what);
}

sockaddr* general(sockaddr_in& address) { return reinterpret_cast<sockaddr*>(&address); }

sockaddr_in bind_anywhere(int socket) {
  sockaddr_in address = loopback_address(0);
  socklen_t size = sizeof address;
  require(::bind(socket, general(address), size), "binding a socket to the loopback interface");
  require(::getsockname(socket, general(address), &size), "asking for the port of a socket");
  return address;
}

int new_datagram_socket() {
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) refuse_loopback("opening a socket");
  return socket;
}

// The kernel completes a connection by itself; a signal in between leaves it under way, so that it is an error.
void connect_to(int socket, sockaddr_in address) {
  require(::connect(socket, general(address), sizeof address), "connecting over the loopback interface");
}

}  // namespace

void refuse_loopback(const char* what) {
  const int error = errno;
  for (const int missing : {EAFNOSUPPORT, EPROTONOSUPPORT, EADDRNOTAVAIL, ENETUNREACH, ENETDOWN, EPERM, EACCES})
    if (error == missing)
      throw Unsupported(std::string(what) + ": " + std::generic_category().message(error) +
                        "; this needs IPv4 on a loopback interface that is up (ip link set lo up), ports that are free "
                        "(net.ipv4.ip_local_port_range), and no filter in between");
  fail(what);
}

sockaddr_in loopback_address(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

int new_tcp_socket() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) refuse_loopback("opening a socket");
  return socket;
}

void reset_when_closed(int socket) { set_option(socket, SOL_SOCKET, SO_LINGER, linger{1, 0}); }

Listener::Listener(int waiting, int buffers) : socket_("opening a socket", new_tcp_socket()), buffers_(buffers) {
  if (buffers_ > 0) ask_for_buffers(socket_.number(), buffers_);  // those that it accepts inherit them
  port_ = ntohs(bind_anywhere(socket_.number()).sin_port);
  require(::listen(socket_.number(), waiting), "listening on the loopback interface");
}

Connection Listener::connect(SendingAtOnce at_once) {
  auto client = std::make_unique<OwnedDescriptor>("opening a socket", new_tcp_socket());
  if (buffers_ > 0) ask_for_buffers(client->number(), buffers_);
  if (at_once.client) set_option(client->number(), IPPROTO_TCP, TCP_NODELAY, 1);
  reset_when_closed(client->number());
  connect_to(client->number(), loopback_address(port_));
  auto server = std::make_unique<OwnedDescriptor>("accepting a connection", accept());
  if (at_once.server) set_option(server->number(), IPPROTO_TCP, TCP_NODELAY, 1);
  return {std::move(client), std::move(server)};
}

int Listener::accept() const {
  return static_cast<int>(uninterrupted(
      "accepting a connection", [this] { return ::accept4(socket_.number(), nullptr, nullptr, SOCK_CLOEXEC); }));
}

DatagramPair::DatagramPair()
    : ends_{OwnedDescriptor("opening a socket", new_datagram_socket()),
            OwnedDescriptor("opening a socket", new_datagram_socket())} {
  const std::array<sockaddr_in, 2> addresses{bind_anywhere(ends_[0].number()), bind_anywhere(ends_[1].number())};
  for (std::size_t end = 0; end < 2; ++end) {
    set_option(ends_[end].number(), SOL_SOCKET, SO_RCVBUF, datagram_buffer);
    connect_to(ends_[end].number(), addresses[1 - end]);
  }
}

}  // namespace assay
