// SPDX-License-Identifier: Apache-2.0
// The least that a rule can be satisfied with, as far as that is known before anything is measured.
#pragma once
#include <cstdint>

#include "base/units.hpp"
#include "stats/rule/stopping_rule.hpp"

namespace assay {

/// Visits, and time of measuring.
struct MinimumEffort {
  std::int64_t visits = 1;
  Nanoseconds time{};
};

/// What a point costs that its rule is satisfied with, or gives up, as early as can be: with visits of `batches` kept
/// ones each, dealt in turn over so many incarnations. Long actions, which are known only once measured, may need fewer
/// visits, and more time. Throws as make_rule does.
MinimumEffort minimum_effort(const RuleSpec& rule, int incarnations, int batches);

}  // namespace assay
