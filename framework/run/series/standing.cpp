// SPDX-License-Identifier: Apache-2.0
// Three flags for each finished point.
#include "run/series/standing.hpp"

#include "record/journal/journal.hpp"

namespace assay {

void Standing::add(const PointRecord& record, bool suffices) {
  const auto [known, is_new] = points_.try_emplace(key_of(record.series, record.point));
  if (is_new) known->second.planned = is_planned(record.point);
  known->second.suffices = suffices;
  known->second.failed = has_failed(record.outcome);
  if (!known->second.planned) {
    if (is_new) removed_.push_back(record.point);
    return;
  }
  measured_.add(*series_, record);
  if (can_be_anchor(*plan_, record)) anchors_.add(record);
}

void Standing::reopen(const Point& point) {
  const auto known = points_.find(key_of(series_->name, point));
  if (known != points_.end()) known->second.suffices = false;
}

void Standing::clear() { *this = Standing(*plan_, *series_); }

bool Standing::suffices(const TextKey& point) const {
  const auto known = points_.find(point);
  return known != points_.end() && known->second.suffices;
}

Standing::Count Standing::count() const {
  Count count;
  for (const auto& [key, state] : points_) {
    if (!state.planned || !state.suffices) continue;
    ++count.points;
    if (state.failed) ++count.failed;
  }
  return count;
}

}  // namespace assay
