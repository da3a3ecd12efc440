// SPDX-License-Identifier: Apache-2.0
// Running rules and peers on streams, and counting.
#include "bench/trial.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>

#include "stats/sample/summary.hpp"

namespace assay::bench {
namespace {

using Truth = std::function<double(std::span<const double>)>;

/// The statistic that a rule says it reports.
Truth truth_of(const std::string& statistic) {
  if (statistic == "mean") return {};
  if (statistic == "trimmed mean") return [](std::span<const double> whole) { return trimmed_mean(whole).value; };
  if (statistic == "minimum") return [](std::span<const double> whole) { return *std::ranges::min_element(whole); };
  constexpr std::string_view quantile_word = "quantile ";
  if (statistic == "median" || statistic.starts_with(quantile_word)) {
    double p = 0.5;
    if (statistic != "median")
      std::from_chars(statistic.data() + quantile_word.size(), statistic.data() + statistic.size(), p);
    return [p](std::span<const double> whole) {
      std::vector<double> sorted(whole.begin(), whole.end());
      std::sort(sorted.begin(), sorted.end());
      return quantile(sorted, p);
    };
  }
  throw std::invalid_argument("the truth of statistic \"" + statistic +
                              "\" is not known here; teach tests/bench/trial.cpp");
}

Ending measure_by_rule(const StoppingRule& rule, const Stream& next) {
  Sample sample;
  for (int visit = 0; sample.size() < most_timings; ++visit) {
    for (std::size_t i = 0; i < visit_length; ++i) sample.add({next(), 0, 0, visit, visit * 1e6});
    if (!rule.is_look(sample.visits())) continue;
    const Verdict verdict = rule.check(sample, {});
    if (!verdict.stop()) continue;
    const Estimate& estimate = verdict.estimate;
    return {sample.size(), true, {estimate.value, estimate.interval, verdict.outcome == Outcome::converged}};
  }
  return {sample.size(), false, {}};
}

Ending measure_by_peer(Peer& peer, const Stream& next) {
  for (std::size_t n = 1; n <= most_timings; ++n)
    if (peer.add(next())) return {n, true, peer.claim()};
  return {most_timings, false, {}};
}

double share(int part, int all) { return static_cast<double>(part) / static_cast<double>(all); }

}  // namespace

Contender contender(const PeerKind& kind) {
  return {kind.name,
          [make = kind.make](const Stream& next, double typical) { return measure_by_peer(*make(typical), next); },
          kind.truth};
}

Contender contender(const std::string& name, RuleSpec spec) {
  spec.budget.max_time = seconds(1e9);
  const std::shared_ptr<const StoppingRule> rule = make_rule(spec);
  // The rule names its statistic even where there is nothing to estimate from.
  const std::string statistic = rule->check({}, {}).estimate.statistic;
  return {name, [rule](const Stream& next, double) { return measure_by_rule(*rule, next); }, truth_of(statistic)};
}

Tally& Tally::operator+=(const Tally& other) {
  runs += other.runs;
  claims += other.claims;
  intervals += other.intervals;
  covered += other.covered;
  right += other.right;
  stopped += other.stopped;
  log_timings += other.log_timings;
  errors.insert(errors.end(), other.errors.begin(), other.errors.end());
  return *this;
}

double Tally::claimed_share() const { return share(claims, runs); }
double Tally::coverage() const { return share(covered, intervals); }
double Tally::right_share() const { return share(right, claims); }
double Tally::endless_share() const { return 1 - share(stopped, runs); }

double Tally::error(double p) const {
  if (errors.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sorted = errors;
  std::sort(sorted.begin(), sorted.end());
  return quantile(sorted, p);
}

double Tally::geometric_timings() const { return std::exp(log_timings / runs); }

Tally trial(const Contender& contender, const Source& source, Design design, int runs, double eps, std::uint64_t seed) {
  const double truth = contender.truth ? contender.truth(source.whole(design)) : source.mean();
  const Rng root = Rng(seed).substream(source.name());
  Tally tally;
  for (int run = 0; run < runs; ++run) {
    Rng rng = root.substream(std::to_string(run));
    const Ending ending = contender.measure(source.stream(design, rng), source.typical());
    ++tally.runs;
    tally.log_timings += std::log(static_cast<double>(ending.timings));
    tally.stopped += ending.stopped ? 1 : 0;
    if (!ending.stopped || !ending.claim.converged) continue;
    ++tally.claims;
    tally.intervals += ending.claim.interval.available() ? 1 : 0;
    tally.covered += ending.claim.interval.contains(truth) ? 1 : 0;
    tally.errors.push_back(std::abs(ending.claim.value - truth) / truth);
    tally.right += tally.errors.back() <= eps ? 1 : 0;
  }
  return tally;
}

}  // namespace assay::bench
