// SPDX-License-Identifier: Apache-2.0
// Keeps clean observations in order and groups them by incarnation.
#include "stats/sample/sample.hpp"

#include <algorithm>
#include <stdexcept>

#include "stats/sample/summary.hpp"

namespace assay {

void Sample::add(const Observation& observation) {
  const bool first = observations_.empty();
  if (!first && observation.visit < observations_.back().visit)
    throw std::invalid_argument("observations of a visit arrived after those of a later visit");
  if (first || observation.visit != observations_.back().visit) ++visits_;
  if (first || observation.incarnation != observations_.back().incarnation) note(observation);
  observations_.push_back(observation);
}

void Sample::note(const Observation& observation) {
  const auto known = std::ranges::find(incarnations_, observation.incarnation, &IncarnationMedian::incarnation);
  if (known == incarnations_.end()) incarnations_.push_back({observation.session, observation.incarnation});
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
  std::vector<std::vector<double>> groups(incarnations_.size());
  std::size_t group = 0;
  for (const Observation& observation : observations_) {
    // Neighbours mostly come from one incarnation.
    if (incarnations_[group].incarnation != observation.incarnation)
      group = static_cast<std::size_t>(
          std::ranges::find(incarnations_, observation.incarnation, &IncarnationMedian::incarnation) -
          incarnations_.begin());
    groups[group].push_back(observation.value);
  }
  return groups;
}

std::vector<IncarnationMedian> Sample::by_incarnation() const {
  std::vector<IncarnationMedian> incarnations = incarnations_;
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
