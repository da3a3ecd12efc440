// SPDX-License-Identifier: Apache-2.0
// The second look, down the same tree, each rank told what its parent found.
#include "team/clock_check.hpp"

#include <algorithm>

#include "stats/phrase.hpp"
#include "team/stamp_exchange.hpp"
#include "team/sync_tree.hpp"

namespace assay {
namespace {

// What a parent tells before it answers.
struct Standing {
  ClockModel model;
  StretchCheck check;
};

StretchCheck ask(Wire& wire, const CommonClock& clock, int exchanges) {
  const auto parent = receive_value<Standing>(wire, clock.parent);
  const std::vector<Stamps> stamps = exchange_stamps(wire, clock.parent, exchanges);
  end_exchange(wire, clock.parent);
  // A clock that is the parent's own was compared as it is, any other with the common clock as the parent reads it.
  const ClockModel as_it_is = identity_model({}, {}, {});
  const bool one_clock = clock.end == SyncEnd::one_clock;
  StretchCheck check;
  check.own = agrees(clock.link, fit_point(stamps, one_clock ? as_it_is : parent.model));
  check.bound = check.own.bound + parent.check.bound;
  check.refused_by = check.own.accepted ? parent.check.refused_by : wire.rank();
  return check;
}

}  // namespace

StretchCheck check_again(Wire& wire, const CommonClock& clock, int exchanges) {
  const StretchCheck check = clock.parent < 0 ? StretchCheck{} : ask(wire, clock, exchanges);
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
  const std::string also = others > 0 ? " (and the stamps of " + counted(others, "other rank") + ")" : "";
  return "stamps of rank " + std::to_string(first - checks.begin()) + also +
         " cannot be compared with those of others: rank " + std::to_string(by) + ": " + refusal(checks[by].own);
}

}  // namespace assay
