// SPDX-License-Identifier: Apache-2.0
// Learning, and what all ranks together know.
#include "team/clock/place_clock.hpp"

#include <algorithm>
#include <stdexcept>

#include "text/number_format.hpp"

namespace assay {

const CommonClock& PlaceClock::learn(const SyncRule& rule) {
  clock_.emplace(synchronize(*wire_, rule, seen_));
  // One lesson comes after the other; at their end all know the clock of the same time.
  check_again(*wire_, *clock_, seen_);
  return *clock_;
}

StretchCheck PlaceClock::look_again() {
  known();
  return check_again(*wire_, *clock_, seen_);
}

const CommonClock& PlaceClock::known() const {
  if (!clock_)
    throw std::logic_error(
        "the common clock was not learned: only batches that start in windows, and measurements whose traits say that "
        "they compare stamps, have one");
  return *clock_;
}

ClockStanding standing(std::span<const CommonClock> clocks) {
  ClockStanding standing;
  for (const CommonClock& clock : clocks) {
    standing.one_clock &= clock.end == SyncEnd::is_reference || clock.end == SyncEnd::one_clock;
    standing.bound = std::max(standing.bound, clock.model.bound);
  }
  return standing;
}

std::string to_text(std::span<const CommonClock> clocks) {
  const auto [one_clock, bound] = standing(clocks);
  const std::string who = counted(clocks.size(), "rank");
  if (one_clock) return who + " read one clock, as far as exchanges of " + rounded(bound) + " can show";
  const auto worst = std::ranges::max_element(clocks, {}, [](const CommonClock& one) { return one.model.bound; });
  return who + " learned the clock of the first; " + to_text(*worst, static_cast<int>(worst - clocks.begin()));
}

}  // namespace assay
