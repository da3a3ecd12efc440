// SPDX-License-Identifier: Apache-2.0
// What the notes on a series say of its measured points, without their records.
#pragma once
#include <cstddef>
#include <string>

#include "record/record.hpp"
#include "run/plan.hpp"

namespace assay {

/// Takes note of points with results whose time was taken, not computed.
class MeasuredPoints {
 public:
  void add(const SeriesPlan& series, const PointRecord& record);
  void add(const MeasuredPoints& others);
  bool any() const { return any_; }
  /// How members shared CPUs where so many are usable; empty when they did not.
  std::string sharing(std::size_t usable_cpus) const;

 private:
  bool any_ = false;
  int bound_ = 0;    ///< members of a team that was bound to fewer CPUs
  int unbound_ = 0;  ///< most members of a team that was not bound
};

}  // namespace assay
