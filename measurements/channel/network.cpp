// SPDX-License-Identifier: Apache-2.0
// Sockets for the two directions over the loopback interface, and how much they hold.
#include "channel/network.hpp"

#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "limits/limits.hpp"

namespace assay {
namespace {

constexpr int patience_ms = 1000;

void require_sockets(std::size_t needed) { require_descriptors(needed, "sockets of the loopback interface", "points"); }

std::int64_t buffer_of(int socket, int which) {
  int bytes = 0;
  socklen_t size = sizeof bytes;
  ::getsockopt(socket, SOL_SOCKET, which, &bytes, &size);
  return bytes;
}

// Where the kernel does not report what it takes for a message.
std::int64_t assumed_charge(std::size_t bytes) { return 2 * static_cast<std::int64_t>(bytes) + 2048; }

// What the datagrams that wait here take of the receiver's buffer.
std::int64_t charged(int socket, std::size_t bytes) {
  std::array<std::uint32_t, SK_MEMINFO_VARS> numbers{};
  socklen_t size = sizeof numbers;
  const bool known = ::getsockopt(socket, SOL_SOCKET, SO_MEMINFO, numbers.data(), &size) == 0;
  const std::int64_t taken = known ? numbers[SK_MEMINFO_RMEM_ALLOC] : 0;
  return taken > 0 ? taken : assumed_charge(bytes);
}

}  // namespace

TcpPaths::TcpPaths(bool shared, bool at_once) : shared_(shared) {
  require_sockets(shared ? 3 : 5);
  Listener listener;
  connections_[0] = listener.connect({at_once, at_once});
  if (!shared) connections_[1] = listener.connect({at_once, at_once});
}

int TcpPaths::from(Direction direction) const {
  if (!shared_) return connections_[index(direction)].client->number();
  return direction == Direction::there ? connections_[0].client->number() : connections_[0].server->number();
}

int TcpPaths::to(Direction direction) const {
  if (!shared_) return connections_[index(direction)].server->number();
  return direction == Direction::there ? connections_[0].server->number() : connections_[0].client->number();
}

std::int64_t TcpPaths::room(std::size_t bytes) const {
  const std::int64_t room =
      std::min(buffer_of(from(Direction::there), SO_SNDBUF), buffer_of(to(Direction::there), SO_RCVBUF));
  // The window that is granted at first is half of the buffer.
  const bool one_fits = 4 * static_cast<std::int64_t>(bytes) <= room;
  return std::max<std::int64_t>(one_fits ? 1 : 0, room / assumed_charge(bytes));
}

void TcpPaths::settle(Direction direction) const {
  constexpr std::time_t patience = 2;  // a second at least
  const std::time_t began = ::time(nullptr);
  for (int unsent = 1; ::time(nullptr) < began + patience; ::sched_yield())
    if (::ioctl(from(direction), SIOCOUTQNSD, &unsent) != 0 || unsent == 0) return;
}

UdpPaths::UdpPaths(bool shared, std::size_t bytes) : shared_(shared) {
  require_sockets(shared ? 2 : 4);
  pairs_[0] = std::make_unique<DatagramPair>();
  if (!shared) pairs_[1] = std::make_unique<DatagramPair>();
  room_ = try_one(bytes);
}

int UdpPaths::from(Direction direction) const {
  return shared_ ? (*pairs_[0])[index(direction)] : (*pairs_[index(direction)])[0];
}

int UdpPaths::to(Direction direction) const {
  return shared_ ? (*pairs_[0])[1 - index(direction)] : (*pairs_[index(direction)])[1];
}

std::int64_t UdpPaths::try_one(std::size_t bytes) const {
  std::vector<std::byte> message(bytes);
  if (::send(from(Direction::there), message.data(), bytes, 0) < 0) {
    if (errno == EMSGSIZE)
      throw Unsupported("a message of " + std::to_string(bytes) + " bytes is too long for a datagram of UDP");
    refuse_loopback("sending a datagram");
  }
  const int receiver = to(Direction::there);
  pollfd waiting{receiver, POLLIN, 0};
  if (::poll(&waiting, 1, patience_ms) != 1)
    throw Unsupported("a datagram over the loopback interface did not arrive within a second; is there a filter?");
  const std::int64_t charge = charged(receiver, bytes);
  if (::recv(receiver, message.data(), bytes, 0) < 0) fail("receiving a datagram");
  return std::max<std::int64_t>(1, buffer_of(receiver, SO_RCVBUF) / 2 / charge);
}

}  // namespace assay
