// SPDX-License-Identifier: Apache-2.0
// Plans for campaigns that nothing real is measured in.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "run/plan.hpp"

namespace assay::test {

/// Integer levels 1..n of a factor.
inline FactorDomain levels(const std::string& factor, std::int64_t n) {
  FactorDomain domain{factor, {}};
  for (std::int64_t i = 1; i <= n; ++i) domain.domain.levels.emplace_back(i);
  return domain;
}

inline FactorDomain words(const std::string& factor, const std::vector<std::string>& list) {
  FactorDomain domain{factor, {}};
  for (const std::string& word : list) domain.domain.levels.emplace_back(word);
  return domain;
}

/// A series of one member over the given factors: one primary time, two incarnations, no span asked for.
inline SeriesPlan fake_series(const std::string& name, std::vector<FactorDomain> factors) {
  SeriesPlan series;
  series.name = name;
  series.measurement.name = "fake/" + name;
  for (const FactorDomain& factor : factors)
    series.measurement.factors.push_back({.name = factor.name, .unit = Unit::bytes, .words = {}, .summary = {}});
  series.factors = std::move(factors);
  series.precision.incarnations = 2;
  series.precision.batches = 8;
  series.precision.min_span = {};
  return series;
}

/// The same for a team, whose members wait as said.
inline SeriesPlan fake_team(const std::string& name, int members, Waiting waiting) {
  SeriesPlan series = fake_series(name, {});
  series.measurement.members = exactly(members);
  series.measurement.traits.waiting = waiting;
  series.measurement.quantities[0].combine = Combine::slowest;
  return series;
}

inline CampaignPlan fake_plan(std::vector<SeriesPlan> series, std::uint64_t seed = 1) {
  CampaignPlan plan;
  plan.seed = seed;
  plan.series = std::move(series);
  return plan;
}

}  // namespace assay::test
