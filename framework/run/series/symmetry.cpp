// SPDX-License-Identifier: Apache-2.0
// Representatives of a class gathered, ranked and judged.
#include "run/series/symmetry.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "stats/comparison/rank_tests.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

constexpr double enough = 0.25;  // share of the batches that a regime needs everywhere to be compared
constexpr double most = 0.75;    // share with which a placement is in one regime

/// One placement with its results of the primary quantity, the most frequent regime first.
struct Found {
  std::string placement;
  std::vector<const Result*> results;
};

/// Placements of one class at one combination of the other factors.
struct SymmetryGroup {
  Point common;
  std::set<std::pair<std::vector<int>, int>> seats;  ///< all of them
  std::vector<Found> found;                          ///< those that yielded a value
};

std::vector<const Result*> results_of(const PointRecord& point, const std::string& quantity) {
  std::vector<const Result*> results;
  for (const Result& result : point.results)
    if (result.quantity == quantity && ran_its_course(point.outcome)) results.push_back(&result);
  std::ranges::stable_sort(results, std::greater<>(), &Result::regime_share);
  return results;
}

std::vector<SymmetryGroup> groups_of(const SeriesPlan& series, const std::vector<PointRecord>& points) {
  std::vector<SymmetryGroup> groups;
  std::map<std::string, std::size_t> index;
  for (const PointRecord& point : points) {
    if (!point.point.find("placement")) continue;
    const std::string name = point.point.text("placement");
    const Placement* placement = series.placements.find(name, members_of(series, point.point));
    if (!placement || placement->group.empty()) continue;
    Point common = point.point;
    common.set("placement", placement->group);
    const auto [known, is_new] = index.emplace(to_text(common), groups.size());
    if (is_new) groups.push_back({std::move(common), {}, {}});
    SymmetryGroup& group = groups[known->second];
    // Two names of the same CPUs contain no information on the machine.
    if (!group.seats.emplace(placement->cpus, placement->memory).second) continue;
    auto results = results_of(point, series.measurement.quantities.front().name);
    if (!results.empty()) group.found.push_back({name, std::move(results)});
  }
  std::erase_if(groups, [](const SymmetryGroup& group) { return group.seats.size() < 2; });
  return groups;
}

const Result* in_regime(const Found& found, Regime regime) {
  for (const Result* result : found.results)
    if (result->regime == regime) return result;
  return nullptr;
}

/// The regime that is most frequent where it is least so; nothing when it is too rare somewhere.
std::optional<Regime> common_regime(const SymmetryGroup& group) {
  std::optional<Regime> best;
  double share = enough;
  for (const Result* candidate : group.found.empty() ? std::vector<const Result*>() : group.found.front().results) {
    double least = 1;
    for (const Found& found : group.found) {
      const Result* result = in_regime(found, candidate->regime);
      least = std::min(least, result ? result->regime_share : 0);
    }
    if (least < share) continue;
    best = candidate->regime;
    share = least;
  }
  return best;
}

std::vector<std::vector<double>> medians_of(const SymmetryGroup& group, Regime regime) {
  std::vector<std::vector<double>> medians;
  for (const Found& found : group.found) {
    auto& values = medians.emplace_back();
    for (const IncarnationMedian& process : in_regime(found, regime)->processes) values.push_back(process.value);
  }
  return medians;
}

bool is_testable(const SymmetryGroup& group) {
  const auto regime = common_regime(group);
  return group.found.size() > 1 && regime && std::ranges::none_of(group.found, [&](const Found& one) {
           return in_regime(one, *regime)->processes.empty();
         });
}

DerivedRecord blank(const SeriesPlan& series, const SymmetryGroup& group) {
  DerivedRecord record;
  record.series = series.name;
  record.name = "symmetry";
  record.group = group.common;
  record.quantity = series.measurement.quantities.front().name;
  record.unit = symbol(Unit::ratio);
  record.derived.value = std::numeric_limits<double>::quiet_NaN();
  record.symmetry.emplace();
  record.symmetry->unit = symbol(series.measurement.quantities.front().unit);
  record.symmetry->p = std::numeric_limits<double>::quiet_NaN();
  if (!group.found.empty()) record.regime = group.found.front().results.front()->regime;
  if (const auto regime = common_regime(group)) record.regime = *regime;
  return record;
}

void add_extremes(DerivedRecord& record, const SymmetryGroup& group) {
  std::vector<SymmetryTest::Representative> all;
  const auto regime = common_regime(group);
  for (const Found& found : group.found)
    all.push_back({found.placement, (regime ? in_regime(found, *regime) : found.results.front())->headline.value});
  std::ranges::stable_sort(all, {}, &SymmetryTest::Representative::value);
  record.symmetry->placements = static_cast<std::int64_t>(all.size());
  record.symmetry->lowest = all.front();
  record.symmetry->middle = all[(all.size() - 1) / 2];
  record.symmetry->highest = all.back();
  record.derived.valid = all.front().value > 0;
  if (record.derived.valid) record.derived.value = all.back().value / all.front().value;
}

/// Without a regime that all are in: placements that are in different ones differ, and of others nothing is known.
void judge_regimes(DerivedRecord& record, const SymmetryGroup& group) {
  const bool clear =
      std::ranges::all_of(group.found, [](const Found& found) { return found.results.front()->regime_share >= most; });
  std::set<std::string> regimes;
  for (const Found& found : group.found) regimes.insert(to_text(found.results.front()->regime));
  std::string text;
  for (const std::string& regime : regimes) text += (text.empty() ? "" : ", ") + regime;
  if (clear) record.symmetry->verdict = Symmetry::split;
  record.derived.reason = clear ? "the regimes differ: " + text : "no regime has a quarter of the batches in each";
}

void judge(DerivedRecord& record, const SymmetryGroup& group, double threshold) {
  SymmetryTest& test = *record.symmetry;
  if (group.found.size() < 2) {
    record.derived.reason = std::to_string(group.found.size()) + " of " +
                            counted(group.seats.size(), "representative") + " yielded a value";
    return;
  }
  add_extremes(record, group);
  const auto regime = common_regime(group);
  if (!regime) return judge_regimes(record, group);
  if (!is_testable(group)) {
    record.derived.reason = "a representative has no medians of processes";
    return;
  }
  const KruskalWallis ranks = kruskal_wallis(medians_of(group, *regime));
  test.p = ranks.p;
  if (ranks.p < threshold)
    test.verdict = Symmetry::split;
  else if (ranks.smallest < threshold)
    test.verdict = Symmetry::homogeneous;
  else
    record.derived.reason = "too few incarnations: no ranking of them can be significant";
}

}  // namespace

std::vector<DerivedRecord> symmetry(const SeriesPlan& series, const std::vector<PointRecord>& points) {
  const auto groups = groups_of(series, points);
  const auto tests = static_cast<double>(std::max<std::ptrdiff_t>(1, std::ranges::count_if(groups, is_testable)));
  std::vector<DerivedRecord> records;
  for (const SymmetryGroup& group : groups) {
    DerivedRecord& record = records.emplace_back(blank(series, group));
    judge(record, group, series.precision.rule.alpha / tests);
  }
  return records;
}

}  // namespace assay
