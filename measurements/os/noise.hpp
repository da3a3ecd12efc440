// SPDX-License-Identifier: Apache-2.0
// What the system takes of a CPU from the thread that runs on it, seen in three ways. A repetition is a window.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "os/detours.hpp"
#include "thread/threads.hpp"
#include "work/work.hpp"

namespace assay {

/// Does `work` over and over and counts, for each element of `units`, how much of it was done in that interval. The
/// intervals follow each other without gaps, whatever happens; a unit across an edge counts on both sides by its time,
/// so that an interval that was lost altogether has next to nothing.
template <class Work>
void count_units(const Stopwatch& watch, Nanoseconds interval, std::vector<double>& units, Work&& work) {
  const std::int64_t origin = watch.start();
  Nanoseconds last{};
  Nanoseconds edge = interval;
  double done = 0;
  for (std::size_t i = 0; i < units.size();) {
    work();
    const Nanoseconds now = std::max(last, watch.between(origin, watch.start()));
    if (now < edge) {
      done += 1;
      last = now;
      continue;
    }
    const Nanoseconds length = now - last;
    for (; i < units.size() && now >= edge; ++i, edge += interval) {
      units[i] = done + (edge - last) / length;
      last = edge;
      done = 0;
    }
    done = (now - last) / length;
    last = now;
  }
}

/// The intervals of a window.
struct Intervals {
  double median = 0;
  double most = 0;
  double loss = 0;   ///< of the work that could have been done had all intervals been like the best one
  double worst = 0;  ///< the same of the worst interval
};

/// Describes the intervals of a window, which it sorts. `units` must not be empty.
inline Intervals describe_intervals(std::vector<double>& units) {
  std::sort(units.begin(), units.end());
  double all = 0;
  for (const double done : units) all += done;
  Intervals found;
  found.median = units[(units.size() - 1) / 2];
  found.most = units.back();
  if (!(found.most > 0)) return found;
  found.loss = std::max(0.0, 1 - all / (found.most * static_cast<double>(units.size())));
  found.worst = 1 - units.front() / found.most;
  return found;
}

/// How many steps of `work`, a callable that performs a given number, take this long where nothing disturbs: by
/// the quickest of several runs, since whatever happens to the others makes them longer. At least 1.
template <class Work>
std::int64_t steps_in(Nanoseconds time, const Stopwatch& watch, Work&& work) {
  constexpr std::int64_t probe = 10'000;
  Nanoseconds quickest{std::numeric_limits<double>::max()};
  for (int run = 0; run < 30; ++run) {
    const std::int64_t from = watch.start();
    work(probe);
    quickest = std::min(quickest, watch.between(from, watch.start()));
  }
  const double steps = time / std::max(quickest, Nanoseconds{1}) * static_cast<double>(probe);
  return std::max<std::int64_t>(1, std::llround(steps));
}

/// Times `work` once for each element of `times`, back to back: what happens between two quanta belongs to the second.
template <class Work>
void time_quanta(const Stopwatch& watch, std::vector<Nanoseconds>& times, Work&& work) {
  std::int64_t last = watch.start();
  for (Nanoseconds& time : times) {
    work();
    const std::int64_t now = watch.start();
    time = watch.between(last, now);
    last = now;
  }
}

/// The quanta of a window.
struct Quanta {
  Nanoseconds fastest{};
  Nanoseconds median{};
  Nanoseconds p99{};
  Nanoseconds longest{};
  double noise = 0;  ///< sum(t - fastest) / sum(t); after Hoefler and others, Netgauge (2010), `noise`
};

/// Describes the quanta of a window, which it sorts. `times` must not be empty.
inline Quanta describe_quanta(std::vector<Nanoseconds>& times) {
  std::sort(times.begin(), times.end());
  const auto at = [&](double p) { return times[static_cast<std::size_t>(p * static_cast<double>(times.size() - 1))]; };
  Nanoseconds all{};
  Nanoseconds beyond{};
  for (const Nanoseconds time : times) {
    all += time;
    beyond += time - times.front();
  }
  return {times.front(), at(0.5), at(0.99), times.back(), all > Nanoseconds{} ? beyond / all : 0};
}

/// A given number of dependent multiplications: nothing that depends on memory.
inline void multiply(std::int64_t steps) { Compute{steps}(); }

/// A level in ns. Throws Unsupported below `least`.
inline Nanoseconds time_level(const Setup& setup, const std::string& factor, Nanoseconds least) {
  const Nanoseconds level{setup.level<double>(factor)};
  if (level < least)
    throw Unsupported("'" + factor + "' is at least " + std::to_string(std::llround(least.count)) + " ns");
  return level;
}

/// How many parts a window has. Throws Unsupported for fewer than ten, which are too few for any estimate, and for more
/// than can be kept.
inline std::size_t parts_of(Nanoseconds window, Nanoseconds part, const std::string& factor) {
  constexpr double least = 10, most = 4'000'000;
  const double parts = std::floor(window / part);
  if (parts < least) throw Unsupported("a window holds 10 or more of '" + factor + "'; raise window or lower it");
  if (parts > most) throw Unsupported("a window holds at most 4000000 of '" + factor + "'; lower window or raise it");
  return static_cast<std::size_t>(parts);
}

/// Fixed work, timed again and again.
class NoiseFwq final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t noise = 0, median = 1, p99 = 2, longest = 3, fastest = 4, speed = 5;

  explicit NoiseFwq(Setup& setup)
      : quantum_(time_level(setup, "quantum", microseconds(1))),
        times_(parts_of(time_level(setup, "window", {}), quantum_, "quantum")) {}

  void enter(Member& member) override { steps_ = steps_in(quantum_, member.stopwatch(), multiply); }
  Claims run(Member& member, Reps) override {
    time_quanta(member.stopwatch(), times_, [steps = steps_] { multiply(steps); });
    const Quanta found = describe_quanta(times_);
    Claims claims;
    claims.set(noise, found.noise).set(median, found.median).set(p99, found.p99);
    claims.set(longest, found.longest).set(fastest, found.fastest);
    if (found.fastest > Nanoseconds{}) claims.set(speed, static_cast<double>(steps_) * (seconds(1) / found.fastest));
    return claims;
  }

 private:
  Nanoseconds quantum_;
  std::vector<Nanoseconds> times_;
  std::int64_t steps_ = 1;
};

/// Work done in intervals of fixed length.
class NoiseFtq final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t loss = 0, worst = 1, units = 2, unit = 3;

  explicit NoiseFtq(Setup& setup)
      : interval_(time_level(setup, "interval", microseconds(10))),
        units_(parts_of(time_level(setup, "window", {}), interval_, "interval")) {}

  void enter(Member& member) override { steps_ = steps_in(interval_ / units_wanted, member.stopwatch(), multiply); }
  Claims run(Member& member, Reps) override {
    count_units(member.stopwatch(), interval_, units_, [steps = steps_] { multiply(steps); });
    const Intervals found = describe_intervals(units_);
    Claims claims;
    claims.set(loss, found.loss).set(worst, found.worst).set(units, found.median);
    if (found.most > 0) claims.set(unit, interval_ / found.most);
    return claims;
  }

 private:
  static constexpr double units_wanted = 1000;  // each is long beside reading the clock, and short beside an interval
  Nanoseconds interval_;
  std::vector<double> units_;
  std::int64_t steps_ = 1;
};

/// Gaps between readings of the clock in a tight loop.
class NoiseSelfish final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t lost = 0, detours = 1, longest = 2, switches = 3, threshold = 4, step = 5;

  explicit NoiseSelfish(Setup& setup)
      : asked_(time_level(setup, "threshold", {})), window_(time_level(setup, "window", milliseconds(1))) {}

  void enter(Member& member) override { limit_ = limit_of(member.stopwatch(), asked_); }
  Claims run(Member& member, Reps) override {
    const std::int64_t before = switches_of_caller();
    const Detours found = watch_detours(member.stopwatch(), window_, limit_);
    const auto switched = static_cast<double>(switches_of_caller() - before);
    const double in_seconds = found.window / seconds(1);
    return Claims{}
        .set(lost, found.lost / found.window)
        .set(detours, static_cast<double>(found.count) / in_seconds)
        .set(longest, found.longest)
        .set(switches, switched / in_seconds)
        .set(threshold, limit_.threshold)
        .set(step, limit_.step);
  }

 private:
  Nanoseconds asked_;
  Nanoseconds window_;
  GapLimit limit_;
};

/// One detour after the other: together a trace of the CPU's noise, without the times between batches.
class NoiseDetours final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t detour = 0, after = 1;

  explicit NoiseDetours(Setup& setup)
      : asked_(time_level(setup, "threshold", {})), window_(time_level(setup, "window", milliseconds(1))) {}

  void enter(Member& member) override { limit_ = limit_of(member.stopwatch(), asked_); }
  Claims run(Member& member, Reps) override {
    const NextDetour found = next_detour(member.stopwatch(), window_, limit_);
    return Claims{}.set(detour, found.duration).set(after, found.after);
  }

 private:
  Nanoseconds asked_;
  Nanoseconds window_;
  GapLimit limit_;
};

}  // namespace assay
