// SPDX-License-Identifier: Apache-2.0
// Half-width against target.
#include "run/point/accuracy.hpp"

#include <algorithm>
#include <cmath>

namespace assay {

bool is_as_accurate(const PointRecord& record, const RuleSpec& rule) {
  if (!ran_its_course(record.outcome) || record.results.empty()) return true;
  if (!has_accuracy(rule)) return false;
  const Accuracy wanted = accuracy_of(rule);
  const Estimate& headline = record.results.front().headline;
  const double allowed = std::max(wanted.eps, wanted.floor / std::abs(headline.value));
  return headline.relative_half_width() <= allowed;
}

}  // namespace assay
