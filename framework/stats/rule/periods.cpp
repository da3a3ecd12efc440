// SPDX-License-Identifier: Apache-2.0
// A sample cut by time.
#include "stats/rule/periods.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "stats/comparison/rank_tests.hpp"
#include "stats/sample/summary.hpp"
#include "stats/sample/visits.hpp"

namespace assay {
namespace {

constexpr double may_differ = 0.2;

/// Of the visits of one period.
struct Period {
  std::vector<double> values;
  std::vector<double> visit_medians;
};

void add_visit(Period& period, const VisitSlice& visit, const Sample& sample) {
  std::vector<double> values;
  for (std::size_t i = 0; i < visit.size; ++i) values.push_back(sample.observations()[visit.first + i].value);
  period.values.insert(period.values.end(), values.begin(), values.end());
  period.visit_medians.push_back(median(std::move(values)));
}

/// Adds those of one session.
void add_periods(std::span<const VisitSlice> visits, const Sample& sample, std::vector<Period>& periods) {
  const auto at = [&](const VisitSlice& visit) { return sample.observations()[visit.first].at; };
  const auto [first, last] = std::ranges::minmax_element(visits, {}, at);
  const double begin = at(*first);
  const double length = (at(*last) - begin) / parts_of_time;
  if (!(length > 0)) return;
  std::array<Period, parts_of_time> session;
  for (const VisitSlice& visit : visits)
    add_visit(session.at(std::min(static_cast<std::size_t>((at(visit) - begin) / length), session.size() - 1)), visit,
              sample);
  for (Period& period : session)
    if (!period.values.empty()) periods.push_back(std::move(period));
}

std::vector<Period> periods_of(const Sample& sample) {
  const std::vector<VisitSlice> visits = visits_of(sample);
  const auto session = [&](std::size_t visit) { return sample.observations()[visits[visit].first].session; };
  std::vector<Period> periods;
  for (std::size_t from = 0, to = 0; from < visits.size(); from = to) {
    while (to < visits.size() && session(to) == session(from)) ++to;
    add_periods(std::span(visits).subspan(from, to - from), sample, periods);
  }
  return periods;
}

}  // namespace

int parts_visited(const Sample& sample, double length) {
  std::set<std::pair<int, double>> parts;
  for (const Observation& one : sample.observations()) parts.emplace(one.session, std::floor(one.at / length));
  return static_cast<int>(parts.size());
}

double least_telling_size(std::vector<double> sizes) {
  constexpr double times = 5;
  return sizes.empty() ? 0 : median(std::move(sizes)) / times;
}

Periods periods_in(const Sample& sample) {
  std::vector<Period> periods = periods_of(sample);
  if (std::ssize(periods) < fewest_parts) return {};
  const auto size = [](const Period& period) { return static_cast<double>(period.values.size()); };
  std::vector<double> sizes;
  for (const Period& period : periods) sizes.push_back(size(period));
  const double least = least_telling_size(std::move(sizes));
  std::erase_if(periods, [&](const Period& one) { return size(one) < least; });
  std::vector<std::vector<double>> visits;
  Periods found;
  for (Period& period : periods) {
    found.medians.push_back(median(std::move(period.values)));
    visits.push_back(std::move(period.visit_medians));
  }
  found.differ = kruskal_wallis(visits).p <= may_differ;
  return found;
}

}  // namespace assay
