// SPDX-License-Identifier: Apache-2.0
// Sizes of teams that may have had to share.
#include "run/series/measured_points.hpp"

#include <algorithm>
#include <utility>

namespace assay {

void MeasuredPoints::add(const SeriesPlan& series, const PointRecord& record) {
  if (record.results.empty() || record.simulated) return;
  any_ = true;
  if (vehicle_of(series, record.point) == "mpi") return;  // where its ranks are, their host knows
  const Placement& placement = placement_of(series, record.point);
  const int members = members_of(series, record.point);
  if (!placement.bound())
    unbound_ = std::max(unbound_, members);
  else if (placement.shares_cpu())
    bound_ = std::max(bound_, members);
}

void MeasuredPoints::add(const MeasuredPoints& others) {
  any_ = any_ || others.any_;
  bound_ = std::max(bound_, others.bound_);
  unbound_ = std::max(unbound_, others.unbound_);
}

std::string MeasuredPoints::sharing(std::size_t usable_cpus) const {
  const int members = std::max(bound_, std::cmp_greater(unbound_, usable_cpus) ? unbound_ : 0);
  if (members == 0) return {};
  return std::to_string(members) + " members on fewer CPUs: time slicing is part of this result";
}

}  // namespace assay
