// SPDX-License-Identifier: Apache-2.0
// The borders of visits; variance components of indicators, and the visit length that follows.
#include "stats/sample/visits.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

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

namespace {

constexpr int shortest = 4;
constexpr int usual_length = 8;
constexpr int longest_visit = 32;
constexpr int longest_costly_visit = 128;  // one record of the journal holds about as many
constexpr double costly = 256;
constexpr std::size_t fewest_tried = 8;

/// Observations of a visit below the median of all, where one that equals it counts one half.
struct Visit {
  double below = 0;
  double count = 0;
};

std::vector<Visit> lengths_of(const Sample& sample) {
  std::vector<Visit> visits;
  if (sample.empty()) return visits;
  const double centre = median(sample.values());
  int last = 0;
  for (const Observation& observation : sample.observations()) {
    if (visits.empty() || observation.visit != last) visits.emplace_back();
    last = observation.visit;
    visits.back().below += observation.value == centre ? 0.5 : (observation.value < centre ? 1 : 0);
    visits.back().count += 1;
  }
  std::erase_if(visits, [](const Visit& visit) { return visit.count < 2; });
  return visits;
}

}  // namespace

int visit_length(const Sample& sample, double cost_ratio, double share_in_sample) {
  const std::vector<Visit> visits = lengths_of(sample);
  const int longest = cost_ratio > costly ? longest_costly_visit : longest_visit;
  // Where so few of a visit are in the sample that nothing shows, more of them come at hardly any cost.
  if (visits.size() < fewest_tried) return cost_ratio > costly ? longest : usual_length;
  double within = 0;
  double per_visit = 0;
  std::vector<double> shares;
  for (const Visit& visit : visits) {
    const double share = visit.below / visit.count;
    within += share * (1 - share) * visit.count / (visit.count - 1) / static_cast<double>(visits.size());
    per_visit += 1 / visit.count / static_cast<double>(visits.size());
    shares.push_back(share);
  }
  const double spread = summarize(shares).stddev;
  const double between = std::max(0.0, spread * spread - within * per_visit);
  if (!(between > 0)) return cost_ratio > 0 ? longest : usual_length;
  const double best = std::sqrt(cost_ratio * within / between) / share_in_sample;
  return std::clamp(static_cast<int>(std::lround(std::min(best, static_cast<double>(longest)))), shortest, longest);
}

}  // namespace assay
