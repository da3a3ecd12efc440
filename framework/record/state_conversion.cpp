// SPDX-License-Identifier: Apache-2.0
// What a time would have been in another state.
#include <cmath>

#include "record/state_sorter.hpp"

namespace assay {
namespace {

void take_clock_of(CoreState& state, const CoreState& other) {
  state.clock_ghz = other.clock_ghz;
  state.clock_ratio = other.clock_ratio;
}

std::optional<double> scale_by(const DistanceLaw& law, const Beside& found, const Conversion& conversion) {
  const double by_distance = std::pow(conversion.to.distance_ns / found.trip, law.distance_power);
  if (found.is_at_clock) return by_distance;
  if (!law.clock_power || !(found.step > Nanoseconds{}) || !(conversion.step > Nanoseconds{})) return std::nullopt;
  return by_distance * std::pow(conversion.step / found.step, *law.clock_power);
}

}  // namespace

std::optional<double> StateSorter::scale_to(std::size_t batch, const Conversion& conversion) const {
  const CoreState& state = conversion.to;
  if (conversion.law) {
    const auto found = beside(batch, state);
    return found ? scale_by(conversion.law, *found, conversion) : std::nullopt;
  }
  if (is_in(batch, state)) return 1;
  if (levels_ == nullptr || !(conversion.step > Nanoseconds{})) return std::nullopt;
  auto found = state_of(batch);
  if (!found || clock_text(*found) == clock_text(state)) return std::nullopt;
  take_clock_of(*found, state);
  const Nanoseconds step = known_step(batch);
  return *found == state && step > Nanoseconds{} ? std::optional(conversion.step / step) : std::nullopt;
}

/// 0 where it is at no level of the node's, which may be no clock.
Nanoseconds StateSorter::known_step(std::size_t batch) const {
  const KeptVisit& visit = visits_[batches_.at(batch).visit];
  const bool is_known = levels_->knows_clocks(visit.cpu) && levels_->level_of(visit.cpu, visit.step) != visit.step;
  return is_known ? visit.level : Nanoseconds{};
}

std::optional<Beside> StateSorter::beside(std::size_t batch, const CoreState& state) const {
  if (levels_ == nullptr || state.sharing != Sharing::alone || !(state.distance_ns > 0)) return std::nullopt;
  const double trip = distances_.trip_near(batches_.at(batch).visit, state.distance_ns);
  auto found = trip > 0 ? state_at(batch, state.distance_ns) : std::nullopt;
  if (!found) return std::nullopt;
  const bool is_at_clock = *found == state;
  take_clock_of(*found, state);
  return *found == state ? std::optional(Beside{trip, known_step(batch), is_at_clock}) : std::nullopt;
}

}  // namespace assay
