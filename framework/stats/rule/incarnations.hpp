// SPDX-License-Identifier: Apache-2.0
// What processes that differ do to the interval of any statistic.
#pragma once
#include <functional>
#include <span>

#include "stats/rule/stopping_rule.hpp"

namespace assay {

/// The estimate with its interval extended by the t interval over the incarnations' own values of the statistic, from
/// three incarnations on: of their logs, or of the values where one is not positive. The basis becomes "incarnations"
/// when that one reaches further from the value. An interval that is not available stays so.
Estimate across_incarnations(Estimate estimate, const Sample& sample,
                             const std::function<double(std::span<const double>)>& statistic, double alpha,
                             double half_step);

}  // namespace assay
