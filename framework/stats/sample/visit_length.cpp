// SPDX-License-Identifier: Apache-2.0
// Variance components of indicators, and the visit length that follows.
#include "stats/sample/visit_length.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/sample/summary.hpp"

namespace assay {
namespace {

constexpr int shortest = 4;
constexpr int usual_length = 8;
constexpr int longest_visit = 32;
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

int visit_length(const Sample& sample, double cost_ratio) {
  const std::vector<Visit> visits = lengths_of(sample);
  if (visits.size() < fewest_tried) return usual_length;
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
  if (!(between > 0)) return cost_ratio > 0 ? longest_visit : usual_length;
  const double best = std::sqrt(cost_ratio * within / between);
  return std::clamp(static_cast<int>(std::lround(std::min(best, double{longest_visit}))), shortest, longest_visit);
}

}  // namespace assay
