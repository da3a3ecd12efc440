// SPDX-License-Identifier: Apache-2.0
// A first look: a plan made to end soon.
#pragma once
#include <string>
#include <vector>

#include "run/plan.hpp"

namespace assay {

/// Loosens the precision of every series: accurate to 10 %, 300 ms and three processes per point, seven points of a
/// refined line, visits not spread over time. What is looser already stays, and so does every key that one of the
/// texts `SECTION.KEY=VALUE` in `set` names. Intervals keep their promise: they are wider, and marked short-term.
void make_quick(CampaignPlan& plan, const std::vector<std::string>& set);

}  // namespace assay
