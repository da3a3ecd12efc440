// SPDX-License-Identifier: Apache-2.0
// Searches the cut between warm-up and the rest on the indicator "below the median".
#include "stats/steadiness/steadiness.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "stats/sample/summary.hpp"
#include "stats/sample/visits.hpp"

namespace assay {
namespace {

constexpr double first_level = 4;
constexpr double next_level = 2;
constexpr double fewest_rest = 3;
constexpr double strongest_trim = 0.9;
/// Of the standard deviation 0.5 / sqrt(m) that a visit's share has when its m values are independent.
constexpr double least_deviation = 0.7 * 0.5;
constexpr double longest_warm_up = 1e9;  // ns: what is slower for longer is what the machine does besides

/// When the first visits of a sample and of its incarnations began, ns.
struct FirstVisits {
  double of_sample = 0;
  std::map<int, double> of_incarnations;
};

FirstVisits first_visits_of(const Sample& sample) {
  FirstVisits starts{sample.observations().front().at, {}};
  for (const VisitSlice& visit : visits_of(sample))
    if (visit.age == 0) starts.of_incarnations[visit.incarnation] = sample.observations()[visit.first].at;
  return starts;
}

/// A visit as the search sees it.
struct Share {
  double below = 0;  ///< share of the values below the median
  double size = 0;
  std::size_t age = 0;
  bool starts_sample = false;       ///< began while that may still have been warming up
  bool starts_incarnation = false;  ///< the same
};

std::vector<Share> shares_of(const Sample& sample, const FirstVisits& starts) {
  const double middle = median(sample.values());
  std::vector<Share> shares;
  for (const VisitSlice& visit : visits_of(sample)) {
    double below = 0;
    for (std::size_t i = visit.first; i < visit.first + visit.size; ++i)
      below += indicator(sample.observations()[i].value, middle);
    const auto size = static_cast<double>(visit.size);
    const double began = sample.observations()[visit.first].at;
    const double start = starts.of_incarnations.at(visit.incarnation);
    shares.push_back(
        {below / size, size, visit.age, began - starts.of_sample <= longest_warm_up, began - start <= longest_warm_up});
  }
  return shares;
}

/// What the visits of two parts, rest and warm-up, come to: for each of many cuts, where an accumulator for each part
/// took a fifteenth more time for the whole search.
struct Parts {
  std::array<double, 2> count{};
  std::array<double, 2> mean{};
};

Parts parts_of(const std::vector<Share>& shares, const std::vector<bool>& warm) {
  Parts parts;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    parts.count.at(warm[i] ? 1 : 0) += 1;
    parts.mean.at(warm[i] ? 1 : 0) += shares[i].below;
  }
  for (const std::size_t part : {0U, 1U}) parts.mean.at(part) /= std::max(1.0, parts.count.at(part));
  return parts;
}

/// Standard deviation of the shares about the means of their parts, as that of independent visits. Residuals are needed
/// for the products of successive ones, so their squares are summed along.
double deviation_of(const std::vector<Share>& shares, const std::vector<bool>& warm, const Parts& parts) {
  double squares = 0;
  double products = 0;
  double size = 0;
  double before = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double residual = shares[i].below - parts.mean.at(warm[i] ? 1 : 0);
    squares += residual * residual;
    products += residual * before;
    size += shares[i].size;
    before = residual;
  }
  const auto visits = static_cast<double>(shares.size());
  const double alike = squares > 0 ? std::clamp(products / squares, 0.0, strongest_trim) : 0;
  const double deviation = std::max(std::sqrt(squares / (visits - 2)), least_deviation / std::sqrt(size / visits));
  return deviation * std::sqrt((1 + alike) / (1 - alike));
}

/// By how many standard errors the warm visits are slower than the rest; 0 where too few remain.
double excess(const std::vector<Share>& shares, const std::vector<bool>& warm) {
  const Parts parts = parts_of(shares, warm);
  const auto [rest, first] = parts.count;
  if (first < 1 || rest < fewest_rest) return 0;
  const double error = deviation_of(shares, warm, parts) * std::sqrt(1 / first + 1 / rest);
  return (parts.mean[0] - parts.mean[1]) / error;
}

std::size_t next_candidate(std::size_t count) { return count < 4 ? count + 1 : (3 * count) / 2; }

/// How many visits may be left out.
struct Allowance {
  std::size_t of_sample = 0;  ///< the first of all
  std::size_t by_age = 0;     ///< the first of each incarnation
};

/// The visits that are slower than the rest by most standard errors and by more than `level`; none when nothing is.
std::vector<bool> slower(const std::vector<Share>& shares, const Allowance& allowed, double level) {
  std::vector<bool> best(shares.size(), false);
  const auto consider = [&](const std::vector<bool>& warm) {
    const double found = excess(shares, warm);
    if (found <= level) return;
    level = found;
    best = warm;
  };
  const auto later = std::ranges::find(shares, false, &Share::starts_sample) - shares.begin();
  const std::size_t most = std::min(allowed.of_sample, static_cast<std::size_t>(later));
  for (std::size_t first = 1; first <= most; first = next_candidate(first)) {
    std::vector<bool> warm(shares.size(), false);
    std::fill_n(warm.begin(), first, true);
    consider(warm);
  }
  for (std::size_t age = 1; age <= allowed.by_age; age = next_candidate(age)) {
    std::vector<bool> warm;
    for (const Share& share : shares) warm.push_back(share.age < age && share.starts_incarnation);
    if (static_cast<std::size_t>(std::count(warm.begin(), warm.end(), true)) <= allowed.by_age) consider(warm);
  }
  return best;
}

Sample without(const Sample& sample, const std::vector<bool>& warm) {
  Sample kept;
  const std::vector<VisitSlice> visits = visits_of(sample);
  for (std::size_t visit = 0; visit < visits.size(); ++visit)
    for (std::size_t i = 0; !warm[visit] && i < visits[visit].size; ++i)
      kept.add(sample.observations()[visits[visit].first + i]);
  for (std::size_t i = 0; i < sample.disturbed(); ++i) kept.add_disturbed();
  return kept;
}

std::size_t less(std::size_t a, std::size_t b) { return a > b ? a - b : 0; }

}  // namespace

Trimmed without_warm_up(const Sample& sample) {
  Trimmed trimmed{sample, 0};
  const FirstVisits starts = first_visits_of(sample);
  const auto visits = static_cast<std::size_t>(sample.visits());
  const bool several = sample.incarnations() > 1;
  for (double level = first_level;; level = next_level) {
    const auto gone = static_cast<std::size_t>(trimmed.dropped);
    const std::size_t half = less(visits / 2, gone);
    const Allowance allowed{gone == 0 ? visits / 3 : half, several ? half : 0};
    const std::vector<bool> warm = slower(shares_of(trimmed.sample, starts), allowed, level);
    const auto found = static_cast<int>(std::count(warm.begin(), warm.end(), true));
    if (found == 0) return trimmed;
    trimmed.sample = without(trimmed.sample, warm);
    trimmed.dropped += found;
  }
}

}  // namespace assay
