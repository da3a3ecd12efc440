// SPDX-License-Identifier: Apache-2.0
// Gaps between intervals of sessions.
#include "record/table/contradictions.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "record/shown_value.hpp"
#include "stats/comparison/comparison.hpp"
#include "text/printable.hpp"
#include "text/scale.hpp"

namespace assay {

namespace {

// The session that differs most; null when none does.
const SessionEstimate* farthest(const Result& result) {
  if (result.sessions.size() < 2 || result.verdict.outcome != Outcome::converged) return nullptr;
  const SessionEstimate& latest = result.sessions.back();
  const Interval& wide = result.another_day.interval.available() ? result.another_day.interval : latest.interval;
  const SessionEstimate* found = nullptr;
  double most = usual_margin;
  for (const SessionEstimate& earlier : result.sessions) {
    if (&earlier == &latest) break;
    const double gap = gap_between(wide, earlier.interval);
    if (gap <= most) continue;
    most = gap;
    found = &earlier;
  }
  return found;
}

std::string value_text(const SessionEstimate& session, const Scale& scale) {
  return shown(session.value, session.interval, scale).value + " " + scale.name;
}

// The day on which each session began.
std::map<int, std::string> days_of(const std::vector<Record>& records) {
  constexpr std::size_t date_length = 10;  // 2026-11-12
  std::map<int, std::string> days;
  for (const Record& record : records)
    if (const auto* session = std::get_if<SessionRecord>(&record))
      days.try_emplace(session->session, session->started.substr(0, date_length));
  return days;
}

std::string subject_of(const PointRecord& point, const Result& result) {
  std::string text = "series " + printable(point.series);
  if (const std::string levels = to_text(point.point); !levels.empty()) text += " " + printable(levels);
  text += ": " + printable(result.quantity);
  if (result.regime != Regime::solo) text += ", " + to_text(result.regime);
  return text;
}

}  // namespace

double gap_between(const Interval& a, const Interval& b) {
  if (!a.available() || !b.available()) return 0;
  const double gap = std::max(a.low - b.high, b.low - a.high);
  const double scale = std::min(std::abs(a.low + a.high), std::abs(b.low + b.high)) / 2;
  return gap > 0 && scale > 0 ? gap / scale : 0;
}

std::vector<std::string> contradictions(const std::vector<Record>& records, const std::vector<SeriesGroup>& groups) {
  const auto days = days_of(records);
  const auto when = [&](int session) {
    const auto day = days.find(session);
    const std::string name = "in session " + std::to_string(session + 1);
    return day == days.end() || day->second.empty() ? name : name + " of " + printable(day->second);
  };
  std::vector<std::string> texts;
  for (const SeriesGroup& group : groups)
    for (const PointRecord& point : group.points)
      for (const Result& result : point.results) {
        const SessionEstimate* earlier = farthest(result);
        if (earlier == nullptr) continue;
        const SessionEstimate& latest = result.sessions.back();
        const Scale scale = scale_of(latest.value, result.unit);
        texts.push_back(subject_of(point, result) + " " + value_text(latest, scale) + " " + when(latest.session) +
                        ", but " + value_text(*earlier, scale) + " " + when(earlier->session) +
                        ", with intervals apart: something changed in between, and neither is the value of another "
                        "day; add sessions ('assay resume --add-session') for an interval that covers it, or look for "
                        "the cause with 'assay doctor'");
      }
  return texts;
}

}  // namespace assay
