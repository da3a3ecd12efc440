// SPDX-License-Identifier: Apache-2.0
// A few records out of any number of them, from which anchors are chosen.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "record/record.hpp"
#include "run/plan.hpp"

namespace assay {

/// True for a finished point with a result that can be measured again without changing the system.
bool can_be_anchor(const CampaignPlan& plan, const PointRecord& record);

/// Keeps the first record, the last, and some evenly spread between: at most seventeen.
class AnchorSample {
 public:
  void add(const PointRecord& record);
  /// In the order in which they were added.
  std::vector<const PointRecord*> records() const;

 private:
  std::vector<PointRecord> spread_;  ///< each `stride_`-th
  std::optional<PointRecord> last_;
  std::size_t stride_ = 1;
  std::size_t added_ = 0;
};

}  // namespace assay
