// SPDX-License-Identifier: Apache-2.0
// Whether placements of one class behave alike: the test of the symmetry that classes assume.
#pragma once
#include <vector>

#include "record/record.hpp"
#include "run/plan.hpp"

namespace assay {

/// One record for each class of which placements on several sets of CPUs were measured, at each combination of the
/// other factors. The medians of the processes of the placements, primary quantity in the regime that is the most
/// frequent where it is least so, are compared by the test of Kruskal and Wallis; `split` at the series' alpha divided
/// by the number of tests (Bonferroni), and where each placement is in a regime of its own. `unclear` where fewer than
/// two placements yielded a value, no regime has a quarter of the batches of each, or there are so few processes that
/// no ranking could be significant. Value: highest over lowest headline.
std::vector<DerivedRecord> symmetry(const SeriesPlan& series, const std::vector<PointRecord>& points);

}  // namespace assay
