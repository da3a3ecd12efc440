// SPDX-License-Identifier: Apache-2.0
// Every n-th, with n doubled whenever there are too many.
#include "run/series/anchor_sample.hpp"

#include <utility>

namespace assay {
namespace {

constexpr std::size_t most_spread = 16;

}  // namespace

bool can_be_anchor(const CampaignPlan& plan, const PointRecord& record) {
  const Variant* variant = variant_at(plan, record.point);
  return ran_its_course(record.outcome) && !record.results.empty() && (variant == nullptr || !variant->is_hard());
}

void AnchorSample::add(const PointRecord& record) {
  if (added_++ % stride_ != 0) {
    last_ = record;
    return;
  }
  if (spread_.size() == most_spread) {
    for (std::size_t i = 1; 2 * i < spread_.size(); ++i) spread_[i] = std::move(spread_[2 * i]);
    spread_.resize(most_spread / 2);
    stride_ *= 2;
  }
  spread_.push_back(record);
  last_.reset();
}

std::vector<const PointRecord*> AnchorSample::records() const {
  std::vector<const PointRecord*> all;
  for (const PointRecord& record : spread_) all.push_back(&record);
  if (last_) all.push_back(&*last_);
  return all;
}

}  // namespace assay
