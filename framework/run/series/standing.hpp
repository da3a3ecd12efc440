// SPDX-License-Identifier: Apache-2.0
// The points of a series that earlier sessions finished, without their records.
#pragma once
#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "design/membership.hpp"
#include "record/record.hpp"
#include "run/plan.hpp"
#include "run/series/anchor_sample.hpp"
#include "run/series/measured_points.hpp"
#include "text/text_key.hpp"

namespace assay {

/// Knows which points stand, for a series whose points the plan tells and nothing is computed over. Borrows the plans.
class Standing {
 public:
  Standing(const CampaignPlan& plan, const SeriesPlan& series)
      : plan_(&plan), series_(&series), planned_(series.factors) {}

  /// A finished point, in place of an earlier record of it. `suffices` when it is as accurate as is asked for now.
  void add(const PointRecord& record, bool suffices);
  /// The point is to be measured again, whatever was found. Nothing happens when it is not known.
  void reopen(const Point& point);
  /// A new pass begins.
  void clear();

  /// By text/text_key.hpp of about(series, point): whether there is a record, and whether it is all that is asked for.
  bool knows(const TextKey& point) const { return points_.contains(point); }
  bool suffices(const TextKey& point) const;
  bool is_planned(const Point& point) const { return planned_.contains(point); }

  /// Points of the plan that stand, and how many of them failed or timed out.
  struct Count {
    std::size_t points = 0;
    std::size_t failed = 0;
  };
  Count count() const;
  /// Points that are not in the plan.
  const std::vector<Point>& removed() const { return removed_; }
  const MeasuredPoints& measured() const { return measured_; }
  const AnchorSample& anchors() const { return anchors_; }

 private:
  struct State {
    bool planned = false;
    bool suffices = false;
    bool failed = false;
  };
  const CampaignPlan* plan_;
  const SeriesPlan* series_;
  Membership planned_;
  std::unordered_map<TextKey, State, TextKeyHash> points_;
  std::vector<Point> removed_;
  MeasuredPoints measured_;
  AnchorSample anchors_;
};

}  // namespace assay
