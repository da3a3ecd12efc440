// SPDX-License-Identifier: Apache-2.0
// Ranks with clocks of their own on a network of known delays, in simulated time.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "team/wire/wire.hpp"

namespace assay::test {

/// A rank's place and its clock, which reads origin + time * (1 + drift).
struct SimulatedRank {
  int node = 0;
  std::int64_t origin = 0;
  double drift = 0;
};

/// A duration in nanoseconds at a true time, drawn anew each time.
using DelayLaw = std::function<double(Rng& rng, std::int64_t time)>;

class SimulatedNetwork;

/// One rank's wire. Times are true ones in nanoseconds; the rank itself only sees its clock.
class SimulatedWire final : public Wire, private AlarmClock {
 public:
  SimulatedWire(SimulatedNetwork& network, int rank);
  int rank() const override { return rank_; }
  int ranks() const override;
  int node_of(int rank) const override;
  AlarmClock& clock() override { return *this; }
  void send(int to, std::span<const std::byte> message) override;
  void receive(int from, std::span<std::byte> message) override;

  std::int64_t time() const { return time_; }
  /// The rank computes for so long.
  void pass(Nanoseconds duration) { time_ += static_cast<std::int64_t>(duration.count); }

 private:
  Instant now() const override;
  void sleep_until(Instant time) override;

  SimulatedNetwork& network_;
  int rank_;
  mutable Rng rng_;
  mutable std::int64_t time_ = 0;
};

/// A deterministic network. Each rank's program is a thread with a time of its own; a message carries its time of
/// arrival, and since a rank names the sender that it receives from, nothing depends on how the threads run (a Kahn
/// network).
class SimulatedNetwork {
 public:
  SimulatedNetwork(std::vector<SimulatedRank> ranks, std::uint64_t seed);

  /// Of the way from one rank to another; 1 us at first. Set before run().
  std::function<DelayLaw(int from, int to)> delay;
  DelayLaw oversleep;  ///< how much too late a sleeper wakes; 50 us at first
  DelayLaw reading;    ///< what reading the clock, sending or receiving costs; 20 ns at first

  /// Runs the program on all ranks. Throws what the first of them threw; all others that wait for ranks that cannot
  /// speak any more get a WireError.
  void run(const std::function<void(SimulatedWire&)>& program);

  const SimulatedRank& of(int rank) const { return ranks_[static_cast<std::size_t>(rank)]; }
  int ranks() const { return static_cast<int>(ranks_.size()); }
  /// What a rank's clock reads at a true time.
  Instant reading_of(int rank, std::int64_t time) const;
  const Rng& rng() const { return rng_; }

 private:
  friend class SimulatedWire;
  struct Message {
    std::vector<std::byte> bytes;
    std::int64_t arrival;
  };
  struct Link {
    DelayLaw law;
    Rng rng{0};
    std::int64_t last_arrival = 0;
    std::deque<Message> under_way;
  };
  enum class Doing : std::uint8_t { computes, waits, finished };
  struct Status {
    Doing doing = Doing::computes;
    int awaited = 0;
    std::condition_variable change;
  };

  Link& link(int from, int to) { return links_.at({from, to}); }
  void post(int from, int to, std::span<const std::byte> message, std::int64_t time);
  Message take(int from, int to);
  void end(int rank, std::exception_ptr error);
  bool stuck();
  void wake_all();

  std::vector<SimulatedRank> ranks_;
  Rng rng_;
  std::mutex mutex_;
  std::map<std::pair<int, int>, Link> links_;
  std::deque<Status> status_;
  std::exception_ptr error_;
  bool dead_ = false;
};

}  // namespace assay::test
