// SPDX-License-Identifier: Apache-2.0
// Choosing anchors, measuring them, and saying what became of them.
#include "run/session/anchors.hpp"

#include <algorithm>
#include <cmath>

#include "run/point/open_point.hpp"
#include "stats/steadiness/steadiness.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

constexpr int most_anchor_visits = 64;

struct Anchor {
  std::size_t series;
  const PointRecord* record;
};

/// The first, the last and one in the middle.
std::vector<Anchor> chosen(const std::vector<SeriesRun>& series, const CampaignPlan& plan) {
  std::vector<Anchor> all;
  for (std::size_t i = 0; i < series.size(); ++i)
    for (const PointRecord* record : series[i].anchors(plan)) all.push_back({i, record});
  if (all.size() <= most_anchors) return all;
  return {all.front(), all[all.size() / 2], all.back()};
}

/// What a point's earlier result and the one of now have in common, in words.
std::string compared(const Result& then, const Result& now, double eps) {
  std::vector<IncarnationMedian> both = then.processes;
  both.insert(both.end(), now.processes.begin(), now.processes.end());
  const std::string shift = shift_of(both, eps * std::abs(then.headline.value));
  return rounded(then.headline.value) + " before, " + rounded(now.headline.value) +
         " now: " + (shift.empty() ? "no shift" : shift);
}

std::string measured_again(OpenPoint& point, const PointRecord& before, Visitor& visitor, const Surroundings& world) {
  Verdict verdict;
  while (!verdict.stop() && point.visits() < most_anchor_visits && !world.stop_requested()) {
    while (!visitor.visit(point, 0)) world.pause(milliseconds(1));
    verdict = point.check(point.incarnations());
  }
  const PointRecord now = point.finish(verdict);
  if (now.results.empty()) return "nothing could be measured now";
  return compared(before.results.front(), now.results.front(), point.accuracy().eps);
}

}  // namespace

void check_anchors(const std::vector<SeriesRun>& series, const SessionOrder& order, const Surroundings& world,
                   Visitor& visitor) {
  for (const auto& [index, record] : chosen(series, order.plan)) {
    const SeriesRun& own = series[index];
    const auto room = static_cast<int>(std::min<std::size_t>(world.host.capacity(), 1000));
    OpenPoint point(own.plan(), index, record->point, own.rule(1), std::min(room, own.plan().precision.incarnations),
                    order.earlier.next_incarnation(own.plan().name, record->point));
    point.judge_by(visitor.levels_for(point));
    std::string text;
    try {
      text = measured_again(point, *record, visitor, world);
    } catch (const VisitFailed& failure) {
      text = failure.what();
    }
    visitor.close(point);
    world.write(NoteRecord{"anchor of series " + own.plan().name + ", " + to_text(record->point) + ": " + text});
  }
}

}  // namespace assay
