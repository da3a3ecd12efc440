// SPDX-License-Identifier: Apache-2.0
// How long a thread keeps its CPU when another one is runnable on it.
#pragma once
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <ctime>
#include <vector>

#include "api/measurement.hpp"
#include "thread/threads.hpp"
#include "thread/turns.hpp"

namespace assay {

/// Both members report the only CPU that they may use. Lives in memory that all members see.
class OneCpu {
 public:
  /// Called by both members from enter(). Throws Unsupported on the first one where they are not bound to the same CPU,
  /// or where the scheduling policy never takes it away.
  void check(const Member& member) {
    if (member.rank() != 0) {
      told_.store(only_cpu(), std::memory_order_release);
      return;
    }
    int other = untold;
    while ((other = told_.load(std::memory_order_acquire)) == untold) ::sched_yield();
    if (other == several || other != only_cpu())
      throw Unsupported("a time slice is what two members on one CPU get; use placement = same-pu");
    if (::sched_getscheduler(0) == SCHED_FIFO)
      throw Unsupported("SCHED_FIFO has no time slice: a thread runs until it blocks");
  }

 private:
  static constexpr int untold = -2;
  static constexpr int several = -1;
  static int only_cpu() {
    cpu_set_t set;
    CPU_ZERO(&set);
    // Where the machine has more CPUs than the set holds, the CPU in use stands for it: better than to refuse.
    const bool is_known = ::sched_getaffinity(0, sizeof set, &set) == 0;
    return is_known && CPU_COUNT(&set) != 1 ? several : ::sched_getcpu();
  }
  alignas(line_size) std::atomic<int> told_{untold};
};

/// What the kernel says of the calling thread's slice: 0 where it says nothing.
struct SliceAttributes {
  Nanoseconds requested{};  ///< the runtime of sched_getattr: under the default policy the slice asked for (Linux 6.12)
  Nanoseconds interval{};   ///< sched_rr_get_interval
};
inline SliceAttributes slice_attributes() {
  // The kernel's first version of struct sched_attr, which C libraries before glibc 2.41 do not declare.
  struct {
    std::uint32_t size, policy;
    std::uint64_t flags;
    std::int32_t nice;
    std::uint32_t priority;
    std::uint64_t runtime, deadline, period;
  } attributes{};
  timespec interval{};
  SliceAttributes said;
  if (::syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) == 0)
    said.requested = Nanoseconds{static_cast<double>(attributes.runtime)};
  if (::sched_rr_get_interval(0, &interval) == 0)
    said.interval = seconds(static_cast<double>(interval.tv_sec)) + Nanoseconds{static_cast<double>(interval.tv_nsec)};
  return said;
}

/// Two members spin on one CPU; each reads the clock continuously, writes it to its own heartbeat, and takes a look at
/// every gap between two readings: see TurnRecord. A repetition is `turns` complete turns of the first member; those of
/// both count.
class TimeSlice final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t slice = 0, shortest = 1, median = 2, longest = 3, foreign = 4, interrupts = 5,
                               requested = 6, interval = 7;

  explicit TimeSlice(Setup& setup) : wanted_(setup.level<std::size_t>("turns")), shared_(setup.share<Shared>()) {
    if (wanted_ < 2 || wanted_ > most_turns / 2)
      throw Unsupported("a batch holds 2 to " + std::to_string(most_turns / 2) + " turns, not " +
                        std::to_string(wanted_));
  }

  void enter(Member& member) override { shared_.one_cpu.check(member); }
  Claims run(Member& member, Reps reps) override {
    const auto rank = static_cast<std::size_t>(member.rank());
    const std::uint32_t batch = ++own_[rank].batch;
    shared_.sides[rank].record.clear();
    if (rank == 1) return follow(member, batch);
    await(shared_.sides[1].started, batch);
    const std::size_t wanted = wanted_ * static_cast<std::size_t>(reps.count);
    TurnRecord& record = shared_.sides[0].record;
    spin(member, [&] { return record.size() >= std::min(wanted, most_turns); });
    shared_.sides[0].over.store(batch, std::memory_order_release);
    await(shared_.sides[1].over, batch);
    return claims();
  }

 private:
  struct alignas(line_size) Heartbeat {
    std::atomic<std::int64_t> reading{0};
  };
  struct alignas(line_size) Side {
    std::atomic<std::uint32_t> started{0};
    std::atomic<std::uint32_t> over{0};  ///< the first member ends a batch; the second has ended it
    TurnRecord record;
    Heartbeat heart;
  };
  struct Shared {
    OneCpu one_cpu;
    std::array<Side, 2> sides;
  };
  struct alignas(line_size) Own {
    std::uint32_t batch = 0;
  };
  // Longer than any reading, shorter than any switch there and back.
  static constexpr Nanoseconds least_gap = microseconds(2);
  static constexpr int most_refusals = 3;

  static void await(const std::atomic<std::uint32_t>& number, std::uint32_t wanted) {
    while (number.load(std::memory_order_acquire) != wanted) ::sched_yield();
  }
  Claims follow(const Member& member, std::uint32_t batch) {
    Side& own = shared_.sides[1];
    own.started.store(batch, std::memory_order_release);
    spin(member, [&] { return shared_.sides[0].over.load(std::memory_order_acquire) == batch; });
    own.over.store(batch, std::memory_order_release);
    return {};
  }

  template <class Condition>
  void spin(const Member& member, Condition is_over) {
    const auto rank = static_cast<std::size_t>(member.rank());
    Side& own = shared_.sides[rank];
    const std::atomic<std::int64_t>& partner = shared_.sides[1 - rank].heart.reading;
    const Stopwatch watch = member.stopwatch();
    std::int64_t switched = switches_of_caller();
    std::int64_t partner_seen = partner.load(std::memory_order_relaxed);
    std::int64_t last = watch.start();
    while (!is_over()) {
      const std::int64_t now = watch.start();
      own.heart.reading.store(now, std::memory_order_relaxed);
      if (watch.between(last, now) > least_gap) {
        const std::int64_t switched_now = switches_of_caller();
        const std::int64_t partner_now = partner.load(std::memory_order_relaxed);
        own.record.add({last, now, partner_now != partner_seen, switched_now != switched}, watch);
        switched = switched_now;
        partner_seen = partner_now;
      }
      last = now;
    }
  }

  std::vector<Nanoseconds> turns() const {
    std::vector<Nanoseconds> all;
    for (const Side& side : shared_.sides)
      for (std::size_t i = 0; i < side.record.size(); ++i) all.push_back(side.record.turn(i));
    std::sort(all.begin(), all.end());
    return all;
  }
  Claims claims() {
    const std::vector<Nanoseconds> all = turns();
    const TurnRecord& first = shared_.sides[0].record;
    const TurnRecord& second = shared_.sides[1].record;
    const std::int64_t others = first.foreign() + second.foreign();
    Claims claims;
    claims.set(shortest, all.front()).set(median, all[all.size() / 2]).set(longest, all.back());
    claims.set(foreign, static_cast<double>(others) / static_cast<double>(all.size()));
    claims.set(interrupts, static_cast<double>(first.interrupts() + second.interrupts()));
    claim_attributes(claims);
    claim_slice(claims, all, static_cast<std::size_t>(others));
    return claims;
  }
  static void claim_attributes(Claims& claims) {
    const SliceAttributes said = slice_attributes();
    if (said.requested > Nanoseconds{}) claims.set(requested, said.requested);
    if (said.interval > Nanoseconds{}) claims.set(interval, said.interval);
  }
  void claim_slice(Claims& claims, const std::vector<Nanoseconds>& all, std::size_t others) {
    if (others <= all.size()) {
      refusals_ = 0;
      if (const Nanoseconds mode = upper_mode(all); mode > Nanoseconds{}) claims.set(slice, mode);
    } else if (++refusals_ >= most_refusals) {
      throw Unsupported("CPU not exclusive: other threads interrupted " + std::to_string(others) + " times in " +
                        std::to_string(all.size()) + " turns; measure on an otherwise idle CPU");
    }
  }

  std::size_t wanted_;
  Shared& shared_;
  std::array<Own, 2> own_{};
  int refusals_ = 0;
};

/// The paper's time slice: two members hand a flag back and forth `turns` times, each expecting to spin through the
/// rest of its slice in between; the time divided by twice that number. A mean over whatever else ran, which the CPU
/// time beside it shows. After de
/// Supinski and May, Benchmarking Pthreads Performance (1999), section 3.
class TimeSlicePaper final : public Measurement {
 public:
  /// Index of the CPU time of both members; 0 is the time.
  static constexpr std::size_t cpu = 1;

  explicit TimeSlicePaper(Setup& setup) : turns_(setup.level<std::int64_t>("turns")), shared_(setup.share<Shared>()) {
    if (turns_ < 1) throw Unsupported("a batch holds 1 turn or more, not " + std::to_string(turns_));
  }

  void enter(Member& member) override { shared_.one_cpu.check(member); }
  Claims run(Member& member, Reps reps) override {
    if (member.rank() == 1) return follow();
    const auto slices = static_cast<double>(2 * turns_ * reps.count);
    pass(main);
    const Nanoseconds cpu_before = cpu_of_caller();
    const Nanoseconds window = member.timed(Reps{turns_ * reps.count}, [this] { pass(main); });
    const Nanoseconds own = cpu_of_caller() - cpu_before;
    // The client spins by now: it has set the flag that ended the last pass.
    shared_.flag.value.store(ended, std::memory_order_release);
    return Claims(window / slices).set(cpu, own / slices);
  }

 private:
  struct alignas(line_size) Flag {
    std::atomic<int> value{0};
  };
  struct Shared {
    OneCpu one_cpu;
    Flag flag;
  };
  static constexpr int main = 0;
  static constexpr int client = 1;
  static constexpr int ended = 2;
  // Half a slice for each of its passes: the leader's half and this one make a mean slice.
  Claims follow() {
    const Nanoseconds before = cpu_of_caller();
    double passes = 1;
    while (pass(client) != ended) ++passes;
    return Claims{}.set(cpu, (cpu_of_caller() - before) / (2 * passes));
  }
  // Sets the flag and spins until another thread sets another one, which is returned.
  int pass(int mine) {
    std::atomic<int>& flag = shared_.flag.value;
    flag.store(mine, std::memory_order_release);
    int seen = mine;
    while ((seen = flag.load(std::memory_order_acquire)) == mine) relax();
    return seen;
  }

  std::int64_t turns_;
  Shared& shared_;
};

}  // namespace assay
