// SPDX-License-Identifier: Apache-2.0
// Keeps clean observations in order and groups them by incarnation.
#include "stats/sample.hpp"

#include <map>
#include <set>
#include <stdexcept>

#include "stats/summary.hpp"

namespace assay {

void Sample::add(const Observation& observation) {
  const bool first = observations_.empty();
  if (!first && observation.visit < observations_.back().visit)
    throw std::invalid_argument("observations of a visit arrived after those of a later visit");
  if (first || observation.visit != observations_.back().visit) ++visits_;
  observations_.push_back(observation);
}

int Sample::incarnations() const {
  std::set<int> seen;
  for (const Observation& observation : observations_) seen.insert(observation.incarnation);
  return static_cast<int>(seen.size());
}

double Sample::disturbed_share() const {
  const std::size_t all = size() + disturbed_;
  return all == 0 ? 0 : static_cast<double>(disturbed_) / static_cast<double>(all);
}

std::vector<double> Sample::values() const {
  std::vector<double> values;
  values.reserve(size());
  for (const Observation& observation : observations_) values.push_back(observation.value);
  return values;
}

std::vector<std::vector<double>> Sample::values_by_incarnation() const {
  std::map<int, std::size_t> place;
  std::vector<std::vector<double>> groups;
  for (const Observation& observation : observations_) {
    const auto [entry, is_new] = place.try_emplace(observation.incarnation, groups.size());
    if (is_new) groups.emplace_back();
    groups[entry->second].push_back(observation.value);
  }
  return groups;
}

std::vector<IncarnationMedian> Sample::by_incarnation() const {
  std::set<int> seen;
  std::vector<IncarnationMedian> incarnations;
  for (const Observation& observation : observations_)
    if (seen.insert(observation.incarnation).second)
      incarnations.push_back({observation.session, observation.incarnation});
  auto groups = values_by_incarnation();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    incarnations[i].n = groups[i].size();
    incarnations[i].value = median(std::move(groups[i]));
  }
  return incarnations;
}

std::vector<double> Sample::incarnation_medians() const {
  std::vector<double> medians;
  for (const IncarnationMedian& incarnation : by_incarnation()) medians.push_back(incarnation.value);
  return medians;
}

}  // namespace assay
