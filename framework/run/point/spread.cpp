// SPDX-License-Identifier: Apache-2.0
// Spread by level of replication.
#include "run/point/spread.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "stats/sample/summary.hpp"

namespace assay {

double within_spread(const Sample& sample) {
  if (sample.empty()) return 0;
  std::map<int, std::vector<double>> incarnations;
  for (const Observation& o : sample.observations()) incarnations[o.incarnation].push_back(o.value);
  std::vector<double> ranges;
  for (auto& [incarnation, values] : incarnations) {
    std::sort(values.begin(), values.end());
    ranges.push_back(quantile(values, 0.75) - quantile(values, 0.25));
  }
  const double centre = std::abs(median(sample.values()));
  return centre > 0 ? median(ranges) / centre : 0;
}

double between_spread(const Sample& sample) {
  std::vector<double> logs;
  for (const double m : sample.incarnation_medians()) {
    if (!(m > 0)) return 0;
    logs.push_back(std::log(m));
  }
  return summarize(logs).stddev;
}

}  // namespace assay
