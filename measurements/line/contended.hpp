// SPDX-License-Identifier: Apache-2.0
// Many members that access one cache line at once: how many operations there are, and who gets them.
#pragma once
#include <atomic>
#include <cstdint>
#include <vector>

#include "api/measurement.hpp"
#include "line/pool.hpp"
#include "logp/polling.hpp"

namespace assay {

/// All members repeat one operation on one word for a window of time; the line is another one in each window. One
/// repetition is one window. Who finds that it is over tells the others.
class LineContention final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  enum Index : std::size_t { time, rate, fairness, slowest_to_fastest, success };

  /// Throws Unsupported for a window without length.
  explicit LineContention(Setup& setup);
  /// Throws std::logic_error where an addition or a successful compare-and-swap got lost.
  Claims run(Member& member, Reps reps) override;

 private:
  struct alignas(line_size) Window {
    alignas(line_size) std::atomic<std::uint64_t> here{0};
    alignas(line_size) std::atomic<std::uint64_t> out{0};
    alignas(line_size) std::atomic<std::uint64_t> over{0};  // number of the last window that is over
    alignas(line_size) std::uint64_t at = 0;                // of the line
  };
  // What one member did in a window.
  struct alignas(line_size) Part {
    std::int64_t operations = 0;
    std::int64_t successes = 0;
    std::int64_t from = 0;
    std::int64_t to = 0;
  };
  struct alignas(line_size) Own {
    std::uint64_t windows = 0;
  };

  void meet(std::atomic<std::uint64_t>& arrived, std::uint64_t all) const;
  template <LineOperation operation>
  void compete(const Member& member, std::uint64_t number);
  Claims claims(const Stopwatch& watch);

  LinePool& pool_;
  Window& window_;
  Polling polling_;
  LineChooser chooser_;
  Nanoseconds length_;
  std::vector<Part*> parts_;
  std::vector<Own> own_;
  void (LineContention::*compete_)(const Member&, std::uint64_t) = nullptr;
  bool counts_ = false;  // the word says how many operations succeeded
};

}  // namespace assay
