// SPDX-License-Identifier: Apache-2.0
// Half-width against target.
#include "run/point/accuracy.hpp"

#include <algorithm>
#include <cmath>

#include "stats/rule/rule_text.hpp"

namespace assay {

bool is_as_accurate(const PointRecord& record, const RuleSpec& rule) {
  if (!ran_its_course(record.outcome) || record.results.empty()) return true;
  const RuleSpec resolved = parse_rule(make_rule(rule)->text(), {});
  const auto eps = eps_of(resolved);
  if (!eps) return false;
  const Estimate& headline = record.results.front().headline;
  const double allowed = std::max(*eps, resolved.floor.value_or(0) / std::abs(headline.value));
  return headline.relative_half_width() <= allowed;
}

}  // namespace assay
