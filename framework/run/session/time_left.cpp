// SPDX-License-Identifier: Apache-2.0
// Means, needs and pace.
#include "run/session/time_left.hpp"

#include <algorithm>

#include "text/number_format.hpp"

namespace assay {

namespace {

// A point whose visits say nothing yet takes half as long again at least.
constexpr double least_more = 0.5;

// Visits of which a prediction weighs as much as the mean of the others.
constexpr double weight_of_mean = 8;

// Of what may be added to their own budgets points that need more use so much in the mean: some drift, or have several
// modes, and end.
constexpr double given_more = 0.4;

// Those that have it use so much of what they are predicted to need, and of all that they may have: predictions move
// from look to look, and what has not converged by then often ends otherwise.
constexpr double of_predicted = 0.3;
constexpr double of_allowed = 0.3;

Nanoseconds rest_of(const OpenCost& point, Nanoseconds whole) {
  return std::min(std::max(whole - point.spent, Nanoseconds{}), point.most);
}

// What is predicted, within the budget and what may be expected beyond it.
Nanoseconds allowed(const OpenCost& point) {
  const Nanoseconds own = point.spent + point.own;
  const Nanoseconds whole = std::min(point.wanted, point.spent + point.most);
  if (!(point.most > point.own)) return whole;
  if (point.own > Nanoseconds{}) return whole - std::max(whole - own, Nanoseconds{}) * (1 - given_more);
  return own + std::max(whole - own, Nanoseconds{}) * of_predicted + point.most * of_allowed;
}

// It is still open: a further visit at least.
Nanoseconds drawn(const OpenCost& point, Nanoseconds mean) {
  const double weight = point.visits / (point.visits + weight_of_mean);
  return std::max(weight * allowed(point) + (1 - weight) * mean, point.spent + point.spent / std::max(1, point.visits));
}

}  // namespace

void TimeLeft::add(std::size_t series, Nanoseconds spent, Nanoseconds here) {
  finished_[series].add(spent);
  here_ += here;
}

Nanoseconds TimeLeft::estimate(const WorkLeft& work) const {
  std::map<std::size_t, Sum> known = finished_;
  Nanoseconds here = here_;
  for (const OpenCost& point : work.open) {
    here += point.here;
    if (point.wanted > Nanoseconds{}) known[point.series].add(allowed(point));
  }
  Sum all;
  for (const auto& [series, sum] : known) {
    all.time += sum.time;
    all.points += sum.points;
  }
  if (all.points == 0 || !(here > Nanoseconds{})) return {};
  const auto mean = [&](std::size_t series) {
    const auto found = known.find(series);
    return found == known.end() ? all.time / all.points : found->second.time / found->second.points;
  };
  Nanoseconds rest{};
  Nanoseconds rest_of_waiting{};
  double to_start = 0;
  for (const OpenCost& point : work.open) {
    const bool is_known = point.wanted > Nanoseconds{};
    const Nanoseconds usual = mean(point.series);
    rest += rest_of(point, is_known ? drawn(point, usual) : std::max(usual, point.spent * (1 + least_more)));
    to_start += point.to_start;
  }
  for (const auto& [series, points] : work.waiting) {
    rest_of_waiting += mean(series) * static_cast<double>(points);
    to_start += work.processes * static_cast<double>(points);
  }
  const Nanoseconds each = work.started > 0 ? work.set_up / work.started : Nanoseconds{};
  const Nanoseconds visiting = work.elapsed - work.set_up;
  const Nanoseconds takes = (visiting - work.idle) * (rest / here) + visiting * (rest_of_waiting / here);
  const Nanoseconds left = std::max(takes + each * to_start, work.until_spread);
  return work.limit ? std::max(Nanoseconds{}, std::min(left, *work.limit - work.elapsed)) : left;
}

namespace {

constexpr std::size_t most_named = 3;

}  // namespace

void Unfinished::add(const PointRecord& record) {
  if (!record.unfinished && record.outcome != Outcome::aborted) return;
  Some& some = series_[record.series];
  if (++some.count <= most_named) some.named.push_back(to_text(record.point));
}

std::vector<NoteRecord> Unfinished::notes(int session) const {
  std::vector<NoteRecord> notes;
  for (const auto& [series, some] : series_) {
    std::string text = "series " + series + ": " + counted(some.count, "point") + " unfinished when session " +
                       std::to_string(session + 1) + " ended";
    for (std::size_t i = 0; i < some.named.size(); ++i)
      if (!some.named[i].empty()) text += (i == 0 ? ": " : "; ") + some.named[i];
    if (some.count > some.named.size()) text += " and " + std::to_string(some.count - some.named.size()) + " more";
    notes.push_back({text});
  }
  return notes;
}

}  // namespace assay
