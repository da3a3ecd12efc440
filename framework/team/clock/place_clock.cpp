// SPDX-License-Identifier: Apache-2.0
// Learning, and what all ranks together know.
#include "team/clock/place_clock.hpp"

#include <algorithm>
#include <stdexcept>

#include "team/clock/clock_sync.hpp"
#include "text/number_format.hpp"

namespace assay {

namespace {

// What a parent sends before it answers.
struct Standing {
  ClockModel model;
  StretchCheck check;
};

// The clock of before takes the new fit point in.
void extend(CommonClock& clock, ClockHistory& seen, const FitPoint& point) {
  if (clock.end == SyncEnd::one_clock) {
    clock.link.to = std::max(point.most.local, point.least.local);
    return;
  }
  seen.add(point);
  if (!seen.tells_drift()) return;
  clock.link = seen.model();
  clock.fit_points = static_cast<int>(seen.points().size());
}

// A check that was delayed says little about the period, and is repeated; not for long, since where ranks wait
// for each other's time slices it never has.
FitPoint undelayed(Wire& wire, const CommonClock& clock, int exchanges) {
  constexpr Nanoseconds patience = milliseconds(10);
  constexpr double slow = 1.5;
  const Instant begun = wire.clock().now();
  std::vector<Stamps> all = exchange_stamps(wire, clock.parent, exchanges);
  while (fit_point(all).round_trip > slow * clock.link.round_trip && wire.clock().now() - begun < patience) {
    const std::vector<Stamps> some = exchange_stamps(wire, clock.parent, exchanges);
    all.insert(all.end(), some.begin(), some.end());
  }
  return fit_point(all);
}

StretchCheck ask(Wire& wire, CommonClock& clock, ClockHistory& seen, int exchanges) {
  const auto parent = receive_value<Standing>(wire, clock.parent);
  const FitPoint point = undelayed(wire, clock, exchanges);
  end_exchange(wire, clock.parent);
  StretchCheck check;
  check.own = agrees(clock.link, point);
  check.bound = check.own.bound + parent.check.bound;
  check.refused_by = check.own.accepted ? parent.check.refused_by : wire.rank();
  if (check.own.accepted)
    extend(clock, seen, point);
  else
    seen.restart(point);
  clock.model = joined(clock.link, parent.model);
  check.keeps_for = clock.model.keeps_for();
  return check;
}

StretchCheck nobody_to_ask(const CommonClock& clock) {
  StretchCheck check;
  check.keeps_for = clock.model.keeps_for();
  return check;
}

}  // namespace

StretchCheck check_again(Wire& wire, CommonClock& clock, ClockHistory& seen, int exchanges) {
  const StretchCheck check = clock.parent < 0 ? nobody_to_ask(clock) : ask(wire, clock, seen, exchanges);
  for (const int child : sync_place(wire).children) {
    send_value(wire, child, Standing{clock.model, check});
    answer_stamps(wire, child);
  }
  return check;
}

std::string refusal(std::span<const StretchCheck> checks) {
  const auto refused = [](const StretchCheck& check) { return check.refused_by >= 0; };
  const auto first = std::find_if(checks.begin(), checks.end(), refused);
  if (first == checks.end()) return {};
  const auto others = static_cast<std::size_t>(std::count_if(checks.begin(), checks.end(), refused)) - 1;
  const auto by = static_cast<std::size_t>(first->refused_by);
  const std::string also = others > 0 ? " (and the time stamps of " + counted(others, "other rank") + ")" : "";
  return "stamps of rank " + std::to_string(first - checks.begin()) + also +
         " cannot be compared with those of others: rank " + std::to_string(by) + ": " + refusal(checks[by].own);
}

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
        "the clocks were not synchronized: only batches that start in windows, and measurements whose traits say that "
        "they compare time stamps, have a common clock");
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
  return who + " are synchronized with the first; " + to_text(*worst, static_cast<int>(worst - clocks.begin()));
}

}  // namespace assay
