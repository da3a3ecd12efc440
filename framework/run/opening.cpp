// SPDX-License-Identifier: Apache-2.0
// A point as the request that opens it.
#include "run/opening.hpp"

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

OpenMessage open_message(const CampaignPlan& plan, const SeriesPlan& series, const Point& point, std::uint64_t seed) {
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
  return open;
}

}  // namespace assay
