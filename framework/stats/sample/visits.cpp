// SPDX-License-Identifier: Apache-2.0
// Finds the borders of visits and counts them by incarnation.
#include "stats/sample/visits.hpp"

#include <map>

#include "stats/sample/summary.hpp"

namespace assay {

std::vector<VisitSlice> visits_of(const Sample& sample) {
  std::vector<VisitSlice> visits;
  std::map<int, std::size_t> ages;
  int last = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const Observation& observation = sample.observations()[i];
    if (visits.empty() || observation.visit != last)
      visits.push_back({i, 0, observation.incarnation, ages[observation.incarnation]++});
    last = observation.visit;
    ++visits.back().size;
  }
  return visits;
}

std::vector<double> visit_medians(const Sample& sample, const std::vector<VisitSlice>& visits) {
  std::vector<double> medians;
  medians.reserve(visits.size());
  for (const VisitSlice& visit : visits) {
    std::vector<double> values;
    for (std::size_t i = 0; i < visit.size; ++i) values.push_back(sample.observations()[visit.first + i].value);
    medians.push_back(median(std::move(values)));
  }
  return medians;
}

Sample first_visits(const Sample& sample, int visits) {
  Sample first;
  for (const Observation& observation : sample.observations()) {
    const bool is_next = first.empty() || observation.visit != first.observations().back().visit;
    if (is_next && first.visits() == visits) break;
    first.add(observation);
  }
  return first;
}

double indicator(double value, double quantile) {
  if (value == quantile) return 0.5;
  return value < quantile ? 1 : 0;
}

}  // namespace assay
