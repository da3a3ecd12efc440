// SPDX-License-Identifier: Apache-2.0
// Giving the CPU up: two members that yield in turns, and one alone.
#pragma once
#include <sched.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>

#include "api/measurement.hpp"
#include "thread/threads.hpp"

namespace assay {

/// Two members yield forever, each recording before each yield that it was its turn; the first one ends the batch after
/// `reps` of its own. On one CPU each yield should hand over: the order says whether it did. After the thread yield
/// test of de Supinski and May, Benchmarking Pthreads Performance (1999), section 3.
class Yield final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t time = 0, alternation = 1, switch_time = 2, switches = 3;

  explicit Yield(Setup& setup) : has_proxy_(setup.word("proxy") == "on"), shared_(setup.share<Shared>()) {}

  Claims run(Member& member, Reps reps) override {
    if (member.rank() == 1) return follow();
    return has_proxy_ ? lead_by_proxy(member, reps) : lead(member, reps);
  }

 private:
  struct alignas(line_size) Last {
    std::atomic<int> rank{-1};
  };
  // What the follower reports; numbers of batches, never toggled flags.
  struct alignas(line_size) Follower {
    std::atomic<std::uint32_t> started{0};
    std::atomic<std::uint32_t> done{0};
    std::atomic<std::int64_t> yields{0};
    std::atomic<std::int64_t> changes{0};
    std::int64_t switches = 0;
  };
  struct alignas(line_size) Leader {
    std::atomic<std::uint32_t> over{0};
  };
  struct Shared {
    Last last;
    Follower follower;
    Leader leader;
  };
  struct alignas(line_size) Own {
    std::uint32_t batch = 0;
  };
  // The follower at one edge of the window.
  struct Edge {
    explicit Edge(const Follower& f)
        : yields(f.yields.load(std::memory_order_relaxed)), changes(f.changes.load(std::memory_order_relaxed)) {}
    std::int64_t yields;
    std::int64_t changes;
  };
  static constexpr int warm_up = 4;

  // One yield; true when the other one had the turn before.
  bool turn(int rank) {
    const bool changed = shared_.last.rank.exchange(rank, std::memory_order_relaxed) != rank;
    ::sched_yield();
    return changed;
  }
  static void await(const std::atomic<std::uint32_t>& number, std::uint32_t wanted) {
    while (number.load(std::memory_order_acquire) != wanted) ::sched_yield();
  }

  Claims follow() {
    Follower& own = shared_.follower;
    const std::uint32_t batch = ++own_[1].batch;
    own.yields = own.changes = 0;
    const std::int64_t before = switches_of_caller();
    own.started.store(batch, std::memory_order_release);
    std::int64_t yields = 0;
    std::int64_t changes = 0;
    while (shared_.leader.over.load(std::memory_order_acquire) != batch) {
      changes += turn(1);
      own.yields.store(++yields, std::memory_order_relaxed);
      own.changes.store(changes, std::memory_order_relaxed);
    }
    own.switches = switches_of_caller() - before;
    own.done.store(batch, std::memory_order_release);
    return {};
  }

  Claims lead(const Member& member, Reps reps) {
    const std::uint32_t batch = ++own_[0].batch;
    await(shared_.follower.started, batch);
    for (int i = 0; i < warm_up; ++i) turn(0);
    std::int64_t changes = 0;
    const std::int64_t switches_before = switches_of_caller();
    const Edge from(shared_.follower);
    const Nanoseconds window = member.timed(reps, [&] { changes += turn(0); });
    const Edge to(shared_.follower);
    const std::int64_t own_switches = switches_of_caller() - switches_before;
    shared_.leader.over.store(batch, std::memory_order_release);
    await(shared_.follower.done, batch);
    const std::int64_t others = to.yields - from.yields;
    return claims(window, reps, others, changes + to.changes - from.changes,
                  static_cast<double>(own_switches) + switches_within(others));
  }
  // The follower counts its switches over its whole run, which is a little longer than the window.
  double switches_within(std::int64_t yields) const {
    const Follower& f = shared_.follower;
    const std::int64_t all = f.yields.load(std::memory_order_relaxed);
    return all == 0 ? 0 : static_cast<double>(f.switches * yields) / static_cast<double>(all);
  }
  static Claims claims(Nanoseconds window, Reps reps, std::int64_t others, std::int64_t changes, double switched) {
    const auto own = static_cast<double>(reps.count);
    const double yields = own + static_cast<double>(others);
    Claims claims(window * (own / yields));
    claims.set(alternation, static_cast<double>(changes) / yields).set(switches, switched / yields);
    if (switched >= 1) claims.set(switch_time, window / switched);
    return claims;
  }

  // The paper's way around a library whose initial thread does not take part in turns: a thread of its own does.
  Claims lead_by_proxy(const Member& member, Reps reps) {
    Claims claims;
    std::thread([&] { claims = lead(member, reps); }).join();
    return claims;
  }

  bool has_proxy_;
  Shared& shared_;
  std::array<Own, 2> own_{};
};

/// A yield without another runnable thread.
class YieldAlone final : public Measurement {
 public:
  explicit YieldAlone(Setup&) {}
  Claims run(Member& member, Reps reps) override {
    return member.timed(reps, [] { ::sched_yield(); });
  }
};

}  // namespace assay
