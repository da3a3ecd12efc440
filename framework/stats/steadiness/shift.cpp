// SPDX-License-Identifier: Apache-2.0
// One session's incarnations against all others'.
#include "stats/steadiness/steadiness.hpp"

#include <cmath>
#include <map>
#include <vector>

#include "stats/sample/summary.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

constexpr double shift_significance = 0.01;

using Groups = std::map<int, std::vector<double>>;

/// The spread within the groups, and how many differences it rests on.
struct Within {
  double deviation = 0;
  double freedom = 0;
};

Within within(const Groups& groups) {
  Within all;
  double squares = 0;
  for (const auto& [session, values] : groups) {
    const Summary own = moments_of(values);
    const auto freedom = static_cast<double>(own.n) - 1;
    squares += freedom * own.stddev * own.stddev;
    all.freedom += freedom;
  }
  all.deviation = all.freedom > 0 ? std::sqrt(squares / all.freedom) : 0;
  return all;
}

std::vector<double> others(const Groups& groups, int left_out) {
  std::vector<double> values;
  for (const auto& [session, own] : groups)
    if (session != left_out) values.insert(values.end(), own.begin(), own.end());
  return values;
}

/// What chance alone makes of the difference of two means at most.
double chance(const Within& spread, std::size_t n, std::size_t m, std::size_t tests) {
  if (!(spread.freedom > 0) || !(spread.deviation > 0)) return 0;
  const double p = 1 - shift_significance / static_cast<double>(tests) / 2;
  const double scale = std::sqrt(1 / static_cast<double>(n) + 1 / static_cast<double>(m));
  return student_quantile(p, spread.freedom) * spread.deviation * scale;
}

}  // namespace

std::string shift_of(std::span<const IncarnationMedian> incarnations, double tolerance) {
  Groups groups;
  for (const IncarnationMedian& one : incarnations) groups[one.session].push_back(one.value);
  if (groups.size() < 2) return {};
  const Within spread = within(groups);
  double most = tolerance;
  std::string text;
  for (const auto& [session, own] : groups) {
    const auto rest = others(groups, session);
    const double here = moments_of(own).mean;
    const double elsewhere = moments_of(rest).mean;
    const double difference = std::abs(here - elsewhere);
    if (difference <= most || difference <= chance(spread, own.size(), rest.size(), groups.size())) continue;
    most = difference;
    text = "the sessions differ: " + rounded(here) + " in session " + std::to_string(session + 1) + ", " +
           rounded(elsewhere) + " in " + (groups.size() > 2 ? "the others" : "the other");
  }
  return text;
}

}  // namespace assay
