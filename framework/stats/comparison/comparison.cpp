// SPDX-License-Identifier: Apache-2.0
// Shift, interval and p of each point; adjusted p over all points; verdicts.
#include "stats/comparison/comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "stats/comparison/rank_tests.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

/// Two groups of fewer values each have no interval of 95 %.
constexpr std::size_t fewest_with_interval = 4;

/// Distributions by the sizes of the groups: most points of a comparison have the same.
class Tables {
 public:
  const MannWhitney& of(const Contest& contest) {
    const auto sizes = std::pair(contest.a.size(), contest.b.size());
    return known_.try_emplace(sizes, sizes.first, sizes.second).first->second;
  }

 private:
  std::map<std::pair<std::size_t, std::size_t>, MannWhitney> known_;
};

bool all_positive(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value > 0; });
}

/// Journals of others can hold anything; what is not finite has no order and no difference.
bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

bool is_by_ratio(const Contest& contest) {
  return !contest.is_signed && all_positive(contest.a) && all_positive(contest.b);
}

std::vector<double> logarithms(std::vector<double> values) {
  for (double& value : values) value = std::log(value);
  return values;
}

std::vector<double> differences_of(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all;
  all.reserve(a.size() * b.size());
  for (const double y : b)
    for (const double x : a) all.push_back(y - x);
  return all;
}

/// Sum of t^3 - t over the ties of both groups together.
double ties_of(const Contest& contest) {
  std::vector<double> all = contest.a;
  all.insert(all.end(), contest.b.begin(), contest.b.end());
  std::sort(all.begin(), all.end());
  double sum = 0;
  for (auto first = all.begin(); first != all.end();) {
    const auto last = std::upper_bound(first, all.end(), *first);
    const auto t = static_cast<double>(last - first);
    sum += t * t * t - t;
    first = last;
  }
  return sum;
}

PairCount count_of(const Contest& contest) {
  int halves = 0;
  for (const double y : contest.b)
    for (const double x : contest.a) halves += static_cast<int>(y > x) + static_cast<int>(y >= x);
  return {halves / 2.0, ties_of(contest)};
}

/// Puts the values of these ranks, which ascend, in their places.
void place(std::vector<double>& values, std::initializer_list<std::size_t> ranks) {
  auto from = values.begin();
  for (const std::size_t rank : ranks) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank);
    if (at < from) continue;  // the same rank again
    std::nth_element(from, at, values.end());
    from = at + 1;
  }
}

Shift ranked_shift(const Contest& contest, const MannWhitney& ranks) {
  Shift shift;
  shift.is_ratio = is_by_ratio(contest);
  if (!all_finite(contest.a) || !all_finite(contest.b)) {
    shift.value = std::numeric_limits<double>::quiet_NaN();
    return shift;
  }
  shift.p = ranks.two_sided(count_of(contest));
  auto all = shift.is_ratio ? differences_of(logarithms(contest.a), logarithms(contest.b))
                            : differences_of(contest.a, contest.b);
  const auto back = [&](double value) { return shift.is_ratio ? std::exp(value) : value; };
  const std::size_t last = all.size() - 1;
  const std::size_t k = std::max(ranks.interval_rank(), std::size_t{1}) - 1;
  place(all, {k, last / 2, last - last / 2, last - k});
  shift.value = back((all[last / 2] + all[last - last / 2]) / 2);
  if (ranks.interval_rank() > 0) shift.interval = {back(all[k]), back(all[last - k]), ranks.interval_level()};
  return shift;
}

/// The shift that the margin allows to either side, in the shift's own terms.
struct Bounds {
  double low;
  double high;
  bool hold(double value) const { return low <= value && value <= high; }
  bool hold(const Interval& interval) const { return hold(interval.low) && hold(interval.high); }
  /// True where all of it is beyond one of them.
  bool exclude(const Interval& interval) const {
    return interval.available() && (interval.low > high || interval.high < low);
  }
};

Bounds bounds_of(const Contest& contest, const Shift& shift) {
  if (shift.is_ratio) return {1 - contest.margin, 1 + contest.margin};
  const double allowed = contest.margin * std::abs(median(contest.a));
  return {-allowed, allowed};
}

/// Beyond which nothing but a change explains the shift: the margin, or what circumstances can make where that is more.
Bounds limits_of(const Contest& contest, const Shift& shift) {
  const Bounds margin = bounds_of(contest, shift);
  if (shift.is_ratio)
    return {std::min(margin.low, 1 / contest.circumstance), std::max(margin.high, contest.circumstance)};
  const double allowed = std::max(margin.high, (contest.circumstance - 1) * std::abs(median(contest.a)));
  return {-allowed, allowed};
}

/// The number of incarnations on either side, where the sides may have different ones: the harmonic mean, which is what
/// the standard error of a difference goes by.
double replication_of(const Contest& contest) {
  const auto n = static_cast<double>(contest.a.size());
  const auto m = static_cast<double>(contest.b.size());
  return 2 * n * m / (n + m);
}

/// How many standard errors a two-sided p stands for.
double errors_of(double p) { return -normal_quantile(std::clamp(p, 1e-300, 1.0) / 2); }

/// Everything that verdicts on a point depend on.
struct Case {
  const Contest& contest;
  const Shift& shift;
  double adjusted_p;
  double smallest_p;
  std::size_t points;
  double q;
};

/// Beyond this a number of incarnations is no advice.
constexpr int most_advised = 10000;

/// Of other work on the core: what runs there takes 1.2 to 2.1 times as long.
constexpr double slowest_sharing = 2.1;
constexpr double hardly_shared = 0.02;

/// More than there are, rounded up.
int more_than(double present, double wanted) {
  return static_cast<int>(std::min<double>(most_advised, std::ceil(std::max(wanted, present + 1))));
}

std::string advice(int needed) {
  const std::string number = std::to_string(needed);
  return (needed < most_advised ? "about " + number : number + " or more") + " incarnations needed";
}

/// No single change could be detected among so many points, or not even an interval be formed.
bool is_hopeless(const Case& c) {
  return !c.shift.interval.available() || c.smallest_p * static_cast<double>(c.points) > c.q;
}

void explain_few(const Case& c, Finding& finding) {
  finding.needed = more_than(replication_of(c.contest), least_incarnations(c.points, c.q));
  finding.reason = "too few incarnations for " + counted(c.points, "point") + ": at least " +
                   std::to_string(*finding.needed) + " needed";
}

/// By the ratio of its half-width to the margin, errors falling with the root of the number.
void explain_width(const Case& c, const Bounds& bounds, Finding& finding) {
  const double present = replication_of(c.contest);
  const Interval& interval = c.shift.interval;
  const double widths = (interval.high - interval.low) / (bounds.high - bounds.low);
  if (!std::isfinite(widths)) {
    finding.reason = "the margin is 0: only equal values are called same";
    return;
  }
  finding.needed = more_than(present, present * widths * widths);
  finding.reason = "interval wider than the margin: " + advice(*finding.needed);
}

/// A significant shift beyond the limits whose interval is not: by how far it reaches and may reach, errors falling
/// with the root of the number.
void explain_reach(const Case& c, const Bounds& limits, Finding& finding) {
  const double present = replication_of(c.contest);
  const bool is_more = c.shift.value > limits.high;
  const double end = is_more ? c.shift.interval.low : c.shift.interval.high;
  const double reach = (c.shift.value - end) / (c.shift.value - (is_more ? limits.high : limits.low));
  finding.needed = more_than(present, present * reach * reach);
  finding.reason = "the interval reaches into the margin: " + advice(*finding.needed);
}

/// A shift beyond the margin that is not significant: by the number of standard errors it has and needs.
void explain_significance(const Case& c, Finding& finding) {
  const double present = replication_of(c.contest);
  const double errors = errors_of(c.q / static_cast<double>(c.points)) / errors_of(c.shift.p);
  finding.needed = more_than(present, present * errors * errors);
  finding.reason = "not significant among " + counted(c.points, "point") + ": " + advice(*finding.needed);
}

/// A change that q lets be reported, and chance makes more often than an alarm may be false.
void explain_chance(const Case& c, Finding& finding) {
  const double present = replication_of(c.contest);
  const double errors = errors_of(alarm_level(c.q) / static_cast<double>(c.points)) / errors_of(c.shift.p);
  finding.change = only_possible(finding.change);
  finding.needed = more_than(present, present * errors * errors);
  finding.reason =
      "chance is ruled out by an adjusted p of " + rounded(alarm_level(c.q)) + " or less: " + advice(*finding.needed);
}

void explain(const Case& c, const Bounds& bounds, Finding& finding) {
  const Interval& interval = c.shift.interval;
  const bool is_narrow = interval.high - interval.low <= bounds.high - bounds.low;
  if (is_hopeless(c)) return explain_few(c, finding);
  const Bounds limits = limits_of(c.contest, c.shift);
  if (!bounds.hold(c.shift.value) && limits.hold(c.shift.value)) {
    finding.reason = "other work on the cores can make a factor of " + rounded(c.contest.circumstance) + " by itself";
    return;
  }
  if (!bounds.hold(c.shift.value))
    return c.adjusted_p > c.q ? explain_significance(c, finding) : explain_reach(c, limits, finding);
  if (!is_narrow) return explain_width(c, bounds, finding);
  finding.reason = "as large as the margin: more incarnations may not decide it";
}

Finding judged(const Case& c) {
  Finding finding{c.shift, c.adjusted_p, Change::unclear, {}, {}};
  if (!std::isfinite(c.shift.value)) {
    finding.reason = "a value is not a finite number";
    return finding;
  }
  const Bounds bounds = bounds_of(c.contest, c.shift);
  // Not the shift alone has to be beyond the limits, but all that the interval leaves possible.
  const bool is_change = c.adjusted_p <= c.q && limits_of(c.contest, c.shift).exclude(c.shift.interval);
  if (is_change) {
    const bool is_more = c.shift.value > bounds.high;
    finding.change = is_more == c.contest.larger_is_better ? Change::faster : Change::slower;
    if (c.adjusted_p > alarm_level(c.q)) explain_chance(c, finding);
  } else if (bounds.hold(c.shift.interval) && !is_hopeless(c)) {
    finding.change = Change::same;
  } else {
    explain(c, bounds, finding);
  }
  return finding;
}

}  // namespace

std::string_view to_text(Change change) {
  constexpr std::array<std::string_view, 6> names{"same",    "faster",          "slower",
                                                  "unclear", "possibly faster", "possibly slower"};
  return names.at(static_cast<std::size_t>(change));
}

bool is_change(Change change) { return change != Change::same && change != Change::unclear; }

Change only_possible(Change change) {
  if (change == Change::faster) return Change::possibly_faster;
  return change == Change::slower ? Change::possibly_slower : change;
}

double largest_sharing_effect(double shared) {
  if (shared < hardly_shared) return 1;
  return shared < 0.5 ? 1 + (slowest_sharing - 1) * shared : slowest_sharing;
}

Shift shift_of(const Contest& contest) {
  return ranked_shift(contest, MannWhitney(contest.a.size(), contest.b.size()));
}

std::vector<double> adjusted(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return p[x] > p[y]; });
  std::vector<double> q(p.size());
  double least = 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto rank = static_cast<double>(order.size() - i);
    least = std::min(least, p[order[i]] * static_cast<double>(p.size()) / rank);
    q[order[i]] = least;
  }
  return q;
}

std::vector<Finding> compare(std::span<const Contest> points, double q) {
  if (!(q > 0 && q < 1)) throw std::invalid_argument("q must lie between 0 and 1");
  Tables tables;
  std::vector<Shift> shifts;
  std::vector<double> p;
  for (const Contest& contest : points) {
    shifts.push_back(ranked_shift(contest, tables.of(contest)));
    p.push_back(shifts.back().p);
  }
  const auto adjusted_p = adjusted(p);
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < points.size(); ++i)
    findings.push_back(
        judged({points[i], shifts[i], adjusted_p[i], tables.of(points[i]).smallest(), points.size(), q}));
  return findings;
}

int least_incarnations(std::size_t points, double q) {
  if (!(q > 0 && q < 1)) throw std::invalid_argument("q must lie between 0 and 1");
  std::size_t least = fewest_with_interval;
  while (smallest_p(least, least) * static_cast<double>(points) > q) ++least;
  return static_cast<int>(least);
}

Replication replication_for(std::size_t points, double q) {
  constexpr double three_of_four = 0.6745;  // normal quantile of that power
  constexpr double recorded_points = 300;
  const double recorded = errors_of(usual_q / recorded_points) + three_of_four;
  const double wanted = errors_of(q / static_cast<double>(points)) + three_of_four;
  const double share = wanted * wanted / (recorded * recorded);
  const int least = least_incarnations(points, q);
  const auto scaled = [&](double count) { return std::max(least, static_cast<int>(std::ceil(count * share))); };
  return {least, scaled(20), scaled(25)};
}

}  // namespace assay
