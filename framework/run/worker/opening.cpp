// SPDX-License-Identifier: Apache-2.0
// A point as the request that opens it.
#include "run/worker/opening.hpp"

#include <array>
#include <numeric>

#include "api/loop_copies.hpp"
#include "base/rng.hpp"

namespace assay {
namespace {

/// The levels that the measurement itself knows; the others say how it is executed.
Point own_levels(const Point& point, const Description& measurement) {
  Point own;
  for (const Factor& factor : measurement.factors)
    if (const Value* level = point.find(factor.name)) own.set(factor.name, *level);
  return own;
}

}  // namespace

std::string name_of(const IncarnationKey& key, const SeriesPlan& series) {
  return series.name + '/' + to_text(key.point) + '/' + std::to_string(key.incarnation);
}

int loop_copy_of(const CampaignPlan& plan, const IncarnationKey& key) {
  const IncarnationKey turn{key.series, key.point, key.incarnation / loop_copies};
  std::array<int, loop_copies> copies;
  std::iota(copies.begin(), copies.end(), 0);
  Rng rng = Rng(plan.seed).substream("loop-copies/" + name_of(turn, plan.series.at(key.series)));
  return rng.shuffled(copies).at(static_cast<std::size_t>(key.incarnation % loop_copies));
}

OpenMessage open_message(const CampaignPlan& plan, const IncarnationKey& key, std::uint64_t seed) {
  const SeriesPlan& series = plan.series.at(key.series);
  const Point& point = key.point;
  OpenMessage open;
  open.measurement = series.measurement.name;
  open.point = own_levels(point, series.measurement);
  open.vehicle = vehicle_of(series, point);
  open.members = members_of(series, point);
  if (point.find("placement")) open.placement = placement_of(series, point);
  if (point.find("policy")) open.policy = point.text("policy");
  open.bystander = point.find("bystander") && point.text("bystander") == "present";
  open.counter_clock = plan.counter_clock;
  open.seed = seed;
  open.warm_up = series.precision.warm_up;
  open.loop_copy = loop_copy_of(plan, key);
  return open;
}

}  // namespace assay
