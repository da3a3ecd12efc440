// SPDX-License-Identifier: Apache-2.0
// Runs campaigns on laws and counts.
#include "support/laws/trials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/value.hpp"
#include "stats/rule/rule_text.hpp"
#include "support/laws/fake_visits.hpp"

namespace assay::test {
namespace {

constexpr int batches = 8;
constexpr int stretch = 4000;  ///< laws that change with time are started afresh after so many values
constexpr int stretches = 250;
constexpr std::string_view quantile_of = "quantile ";

double middle_mean(const std::vector<double>& sorted) {
  const auto quarter = static_cast<std::ptrdiff_t>(sorted.size() / 4);
  return moments_of(std::vector<double>(sorted.begin() + quarter, sorted.end() - quarter)).mean;
}

/// Hands each look's verdict to `seen`, the last one being that which stops.
template <class Seen>
void follow(const StoppingRule& rule, const Law& law, Rng& rng, Seen seen) {
  const Law fresh = law;
  Sample sample;
  for (Verdict verdict; !verdict.stop();) {
    add_visit(sample, fresh, rng, batches);
    if (!rule.is_look(sample.visits())) continue;
    verdict = rule.check(sample, {milliseconds(sample.visits()), 0});
    seen(verdict, sample);
  }
}

}  // namespace

Trial trial(const StoppingRule& rule, const Law& law, Rng& rng) {
  Trial result;
  follow(rule, law, rng, [&](const Verdict& verdict, const Sample& sample) { result = {verdict, sample.size()}; });
  return result;
}

int misses_on_the_way(const StoppingRule& rule, const Law& law, Rng& rng) {
  int misses = 0;
  follow(rule, law, rng, [&](const Verdict& verdict, const Sample&) {
    const Interval& interval = verdict.estimate.interval;
    misses += interval.available() && !interval.contains(law.median) ? 1 : 0;
  });
  return misses;
}

double Tally::timings() const { return std::exp(log_timings / campaigns); }

double KnownLaw::truth(const std::string& statistic) {
  const auto [entry, is_new] = known_.try_emplace(statistic);
  if (is_new) entry->second = worked_out(statistic);
  return entry->second;
}

const std::vector<double>& KnownLaw::many_sorted() {
  Rng rng = Rng(5).substream(law_.name);
  for (int i = 0; many_.size() < std::size_t{stretches} * stretch; ++i) {
    const Law fresh = law_;
    for (int j = 0; j < stretch; ++j) many_.push_back(fresh(rng));
    if (i + 1 == stretches) std::sort(many_.begin(), many_.end());
  }
  return many_;
}

double KnownLaw::worked_out(const std::string& statistic) {
  if (statistic == "median") return law_.median;
  if (statistic == "mean") return law_.mean;
  if (statistic == "trimmed mean") return middle_mean(many_sorted());
  if (!statistic.starts_with(quantile_of)) return std::numeric_limits<double>::quiet_NaN();
  return quantile(many_sorted(), *number_of(*parse_value(statistic.substr(quantile_of.size()))));
}

Tally trials(std::string_view text, KnownLaw& known, int campaigns, double eps) {
  const auto rule = make_rule(parse_rule(text, {}));
  Rng rng = Rng(20240601).substream(known.law().name);
  Tally tally;
  tally.campaigns = campaigns;
  for (int i = 0; i < campaigns; ++i) {
    const auto [verdict, timings] = trial(*rule, known.law(), rng);
    const double truth = known.truth(verdict.estimate.statistic);
    const bool covers = verdict.estimate.interval.contains(truth);
    tally.covered += covers ? 1 : 0;
    tally.log_timings += std::log(static_cast<double>(timings));
    if (verdict.outcome != Outcome::converged) continue;
    ++tally.converged;
    tally.covered_claims += covers ? 1 : 0;
    tally.accurate_claims += std::abs(verdict.estimate.value / truth - 1) <= eps ? 1 : 0;
  }
  return tally;
}

}  // namespace assay::test
