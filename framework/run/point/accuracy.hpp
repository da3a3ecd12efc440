// SPDX-License-Identifier: Apache-2.0
// Whether an earlier result is as accurate as is asked for now.
#pragma once
#include "record/record.hpp"
#include "stats/rule/stopping_rule.hpp"

namespace assay {

/// True when a result is as narrow as a rule asks, whatever rule it was measured by. What has no number would have none
/// again.
bool is_as_accurate(const PointRecord& record, const RuleSpec& rule);

}  // namespace assay
