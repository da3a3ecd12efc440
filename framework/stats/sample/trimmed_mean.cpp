// SPDX-License-Identifier: Apache-2.0
// Trimming, winsorising, and the winsorised standard error.
#include "stats/sample/trimmed_mean.hpp"

#include <algorithm>
#include <cmath>

#include "stats/sample/summary.hpp"

namespace assay {

TrimmedMean trimmed_mean(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t cut = sorted.size() / 4;
  const auto kept = std::span<const double>(sorted).subspan(cut, sorted.size() - 2 * cut);
  TrimmedMean result;
  result.value = moments_of(kept).mean;
  result.winsorised.assign(values.begin(), values.end());
  for (double& value : result.winsorised) value = std::clamp(value, kept.front(), kept.back());
  result.degrees_of_freedom = static_cast<double>(kept.size()) - 1;
  result.kept_share = static_cast<double>(kept.size()) / static_cast<double>(sorted.size());
  result.standard_error = moments_of(result.winsorised).standard_error / result.kept_share;
  return result;
}

}  // namespace assay
