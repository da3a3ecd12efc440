// SPDX-License-Identifier: Apache-2.0
// Connections over TCP that are made and closed, one after the other.
#pragma once
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <algorithm>
#include <cstdint>
#include <istream>
#include <stdexcept>
#include <string>

#include "api/measurement.hpp"
#include "channel/loopback.hpp"
#include "limits/limits.hpp"
#include "logp/chunks.hpp"
#include "logp/polling.hpp"

namespace assay {

/// Of this network namespace, since it exists: connections that found the accept queue full, and requests to connect
/// that were sent again.
struct ConnectFaults {
  std::int64_t overflows = 0;
  std::int64_t repeated = 0;

  /// Now, from /proc/net/netstat; zeros where it cannot be read.
  static ConnectFaults now();
  /// From the text of that file: pairs of lines, names and numbers. Zeros where it does not have them.
  static ConnectFaults read(std::istream& text);
  std::int64_t all() const { return overflows + repeated; }
};

/// Member 0 opens a socket, connects it and closes it (lat_connect of lmbench); member 1 accepts, reads to the end and
/// closes. A few connections at a time, fewer than may wait to be accepted: only when all of them were accepted and
/// closed, outside the clock, come the next ones. As many are accepted as were made, or the batch fails. A batch in
/// which the kernel counted a full queue or a repeated request to connect claims no time: these wait for a second.
class TcpConnect final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t time = 0, accepted = 1, faults = 2;

  /// Throws Unsupported without descriptors or a loopback interface.
  explicit TcpConnect(Setup& setup)
      : resets_(setup.word("ending") != "orderly"),
        listener_(checked_queue()),
        most_(std::clamp<std::int64_t>(may_wait() / 2, 1, most_at_once)),
        server_(setup.share<Server>()),
        served_(setup) {}

  Claims run(Member& member, Reps reps) override { return member.rank() == 0 ? connect(member, reps) : serve(reps); }

 private:
  static constexpr int queue = 128;
  static constexpr std::int64_t most_at_once = 64;
  struct alignas(line_size) Server {
    std::int64_t accepted = 0;
  };
  static int checked_queue() {
    require_descriptors(static_cast<std::size_t>(queue) + 2, "connections that wait to be accepted", "points");
    return queue;
  }
  // The kernel may have cut the queue (net.core.somaxconn). For a socket that listens, the field is its length.
  std::int64_t may_wait() const {
    tcp_info info{};
    socklen_t size = sizeof info;
    if (::getsockopt(listener_.number(), IPPROTO_TCP, TCP_INFO, &info, &size) != 0) fail("asking for a socket's queue");
    return info.tcpi_sacked;
  }

  void connect_once() const {
    const OwnedDescriptor socket("opening a socket", new_tcp_socket());
    if (resets_) reset_when_closed(socket.number());
    const sockaddr_in address = loopback_address(listener_.port());
    if (::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      refuse_loopback("connecting over the loopback interface");
  }
  Claims connect(Member& member, Reps reps) {
    const ConnectFaults before = ConnectFaults::now();
    Nanoseconds taken{};
    const auto some = [&](Reps part) {
      const Nanoseconds now = member.timed(part, [this] { connect_once(); });
      served_.pass();
      made_ += part.count;
      if (server_.accepted != made_)
        throw std::logic_error("of " + std::to_string(made_) + " connections that were made " +
                               std::to_string(server_.accepted) + " were accepted");
      return now;
    };
    some(Reps{1});
    in_chunks(reps, most_, [&](Reps part) { taken += some(part); });
    const std::int64_t counted = ConnectFaults::now().all() - before.all();
    Claims claims;
    claims.set(accepted, static_cast<double>(reps.count)).set(faults, static_cast<double>(counted));
    return counted == 0 ? claims.set(time, taken) : claims;
  }
  Claims serve(Reps reps) {
    const auto some = [this](Reps part) {
      for (std::int64_t i = 0; i < part.count; ++i) serve_one();
      served_.open();
    };
    some(Reps{1});
    in_chunks(reps, most_, some);
    return {};
  }
  void serve_one() {
    const OwnedDescriptor connection("accepting a connection", listener_.accept());
    ++server_.accepted;
    char byte = 0;
    ssize_t n = 0;
    do n = ::recv(connection.number(), &byte, 1, 0);
    while (n < 0 && errno == EINTR);
    if (n > 0) throw std::logic_error("a connection that was only made and closed carried bytes");
    if (n < 0 && errno != ECONNRESET) fail("waiting for the end of a connection");
  }

  bool resets_;
  Listener listener_;
  std::int64_t most_;
  Server& server_;
  Gate served_;
  std::int64_t made_ = 0;
};

}  // namespace assay
