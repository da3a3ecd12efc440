// SPDX-License-Identifier: Apache-2.0
// A channel with its two members as threads, for tests of the channel itself.
#pragma once
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <barrier>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "channel/channel.hpp"
#include "support/measurements/point_setup.hpp"

namespace assay::test {

/// Ends the program when a test hangs: a channel that loses a message does.
class Watched : public testing::Test {
 protected:
  void SetUp() override { ::alarm(60); }  // for what never ends, on a machine that may be busy
  void TearDown() override { ::alarm(0); }
};

/// The CPUs that the calling thread may use.
inline std::vector<int> usable_cpus() {
  cpu_set_t usable;
  std::vector<int> cpus;
  if (::sched_getaffinity(0, sizeof usable, &usable) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &usable)) cpus.push_back(cpu);
  return cpus;
}

/// Whether there are two: members that poll need them.
inline bool has_two_cpus() { return usable_cpus().size() > 1; }

/// Keeps the calling thread on one CPU while it lives.
class BoundTo {
 public:
  explicit BoundTo(int cpu) {
    ::sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(cpu, &only);
    ::sched_setaffinity(0, sizeof only, &only);
  }
  BoundTo(const BoundTo&) = delete;
  BoundTo& operator=(const BoundTo&) = delete;
  ~BoundTo() { ::sched_setaffinity(0, sizeof before_, &before_); }

 private:
  cpu_set_t before_;
};

/// The two members of a channel, and how many messages have been sent each way: counted before each send, so that a
/// received message that the count does not know was never sent.
template <class C>
class ChannelPair {
 public:
  explicit ChannelPair(std::int64_t bytes = 1, const std::string& pair = "separate",
                       const std::string& vehicle = "thread")
      : setup_(levels(bytes, pair), 2, vehicle), channel(setup_) {}

  Member& member(Direction sent_by) { return members_[index(sent_by)]; }
  Member& receiver(Direction direction) { return members_[1 - index(direction)]; }
  /// Runs both parts to their ends, each on its own thread between enter and leave. What a part throws is thrown.
  template <class First, class Second>
  void run(First first, Second second) {
    auto other = std::async(std::launch::async, [&] { live(members_[1], second); });
    live(members_[0], first);
    other.get();
  }
  /// Both members meet.
  void meet() { meeting_.arrive_and_wait(); }

  void send(Direction direction) {
    ++sent_[index(direction)];
    channel.send(member(direction), direction);
  }
  bool try_send(Direction direction) {
    ++sent_[index(direction)];
    if (channel.try_send(member(direction), direction)) return true;
    --sent_[index(direction)];
    return false;
  }
  void receive(Direction direction) { channel.receive(receiver(direction), direction); }
  std::int64_t sent(Direction direction) const { return sent_[index(direction)]; }

  /// Strict alternation: after each receive, exactly as many messages have been sent as were received.
  void exchange(int round_trips) {
    const std::array<std::int64_t, 2> before{sent_[0], sent_[1]};
    run([&] { initiate(before[1], round_trips); }, [&] { respond(before[0], round_trips); });
  }
  void initiate(std::int64_t received, int round_trips) {
    for (int i = 0; i < round_trips; ++i) {
      send(Direction::there);
      receive(Direction::back);
      EXPECT_EQ(sent(Direction::back), ++received);
    }
  }
  void respond(std::int64_t received, int round_trips) {
    for (int i = 0; i < round_trips; ++i) {
      receive(Direction::there);
      EXPECT_EQ(sent(Direction::there), ++received);
      send(Direction::back);
    }
  }

 private:
  template <class Part>
  void live(Member& own, Part part) {
    std::optional<BoundTo> bound;
    if (C::traits().waiting == Waiting::spins) bound.emplace(cpus_[side(own)]);
    channel.enter(own);
    meet();
    part();
    meet();
    channel.leave(own);
  }
  static Point levels(std::int64_t bytes, const std::string& pair) {
    Point point;
    point.set("bytes", bytes);
    point.set("pair", pair);
    point.set("nodelay", std::string("on"));
    return point;
  }
  PointSetup setup_;
  std::array<std::atomic<std::int64_t>, 2> beats_{};
  std::array<Member, 2> members_{Member(0, 2, Stopwatch(), beats_[0]), Member(1, 2, Stopwatch(), beats_[1])};
  std::array<std::atomic<std::int64_t>, 2> sent_{};
  std::barrier<> meeting_{2};
  std::vector<int> cpus_ = usable_cpus();

 public:
  C channel;
};

}  // namespace assay::test
