// SPDX-License-Identifier: Apache-2.0
// A window of time in which all members repeat something at once.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "api/measurement.hpp"
#include "logp/polling.hpp"

namespace assay {

/// Jain's index of fairness: 1 for equal shares, 1/n when one has all (Jain, Chiu and Hawe, 1984). NaN when none has
/// any.
inline double jain_index(const std::vector<std::int64_t>& shares) {
  double sum = 0;
  double squares = 0;
  for (const std::int64_t share : shares) {
    const auto x = static_cast<double>(share);
    sum += x;
    squares += x * x;
  }
  return sum * sum / (static_cast<double>(shares.size()) * squares);
}

/// The length of a common window.
inline Factor common_window_factor() {
  return {.name = "window",
          .kind = FactorKind::quantitative,
          .unit = Unit::nanoseconds,
          .standard = std::int64_t{2'000'000},
          .summary = "how long the members compete in a batch"};
}

/// A batch is one window. Who finds that it is over notifies the others.
class CommonWindow {
 public:
  /// Reads the level of `window`. Throws Unsupported for a window without length.
  explicit CommonWindow(Setup& setup)
      : window_(setup.share<Window>()),
        polling_(setup),
        length_{setup.level<double>("window")},
        batches_(static_cast<std::size_t>(setup.members())) {
    if (length_ <= Nanoseconds{}) throw Unsupported("a window is longer than 0");
    for (int rank = 0; rank < setup.members(); ++rank) parts_.push_back(&setup.share<Part>());
  }
  static constexpr RepsBounds one_window() { return {.least = Reps{1}, .most = Reps{1}}; }

  /// Returns when all members are here.
  void begin(const Member& member) {
    const std::uint32_t batch = ++batches_[static_cast<std::size_t>(member.rank())].number;
    meet(window_.here, static_cast<std::uint32_t>(member.members()) * batch);
  }
  /// Repeats `act` until the window is over.
  template <class Act>
  [[gnu::always_inline]] void repeat(const Member& member, Act act) {
    const auto rank = static_cast<std::size_t>(member.rank());
    const std::uint32_t batch = batches_[rank].number;
    const Stopwatch& watch = member.stopwatch();
    std::int64_t operations = 0;
    std::int64_t next_look = 1;
    const std::int64_t from = watch.start();
    while (window_.over.load(std::memory_order_relaxed) != batch) {
      act();
      if (++operations != next_look) continue;
      const Nanoseconds spent = watch.between(from, watch.start());
      if (spent >= length_) window_.over.store(batch, std::memory_order_relaxed);
      next_look += until_next_look(operations, spent);
    }
    *parts_[rank] = {operations, from, watch.stop()};
  }
  /// Returns when all have repeated for the last time.
  void end(const Member& member) {
    const std::uint32_t batch = batches_[static_cast<std::size_t>(member.rank())].number;
    meet(window_.out, static_cast<std::uint32_t>(member.members()) * batch);
  }

  /// What each member did in the last window, by rank. After `end`, by one member.
  std::vector<std::int64_t> shares() const {
    std::vector<std::int64_t> all;
    for (const Part* part : parts_) all.push_back(part->operations);
    return all;
  }
  /// From the first member's start to the last one's end.
  Nanoseconds lasted(const Stopwatch& watch) const {
    std::int64_t from = parts_[0]->from;
    std::int64_t to = parts_[0]->to;
    for (const Part* part : parts_) {
      from = std::min(from, part->from);
      to = std::max(to, part->to);
    }
    return watch.between(from, to);
  }

 private:
  struct alignas(line_size) Window {
    alignas(line_size) std::atomic<std::uint32_t> here{0};
    alignas(line_size) std::atomic<std::uint32_t> out{0};
    alignas(line_size) std::atomic<std::uint32_t> over{0};  // batches whose window is over
  };
  // What one member did in a batch.
  struct alignas(line_size) Part {
    std::int64_t operations = 0;
    std::int64_t from = 0;
    std::int64_t to = 0;
  };
  struct alignas(line_size) Batches {
    std::uint32_t number = 0;
  };

  void meet(std::atomic<std::uint32_t>& arrived, std::uint32_t all) const {
    arrived.fetch_add(1, std::memory_order_acq_rel);
    polling_.until([&] { return arrived.load(std::memory_order_acquire) >= all; });
  }
  // Operations in a sixty-fourth of the window, as far as this member knows; at most 64, so that looks cost little.
  std::int64_t until_next_look(std::int64_t operations, Nanoseconds spent) const {
    const double expected = static_cast<double>(operations) * (length_ / std::max(spent, Nanoseconds{1})) / 64;
    return static_cast<std::int64_t>(std::clamp(expected, 1.0, 64.0));
  }

  Window& window_;
  Polling polling_;
  Nanoseconds length_;
  std::vector<Part*> parts_;
  std::vector<Batches> batches_;  // each used by its member alone
};

}  // namespace assay
