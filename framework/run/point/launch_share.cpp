// SPDX-License-Identifier: Apache-2.0
// From what a point has reached to what it still needs, dealt over launches.
#include "run/point/launch_share.hpp"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr int least_visits = 3;           // with fewer the rules make nothing of a process
constexpr int most_foreseen_visits = 64;  // foreseen from little, a need may be any number

/// Visits in all that the accuracy is foreseen to take: widths shrink by the square root.
double visits_foreseen(const OpenPoint& point) {
  const Estimate reached = point.stopped(Outcome::open, {}).estimate;
  const double ratio = reached.relative_half_width() / point.accuracy().eps;
  return std::isfinite(ratio) ? point.visits() * ratio * ratio : 0;
}

bool has_had_share(const OpenPoint& point) {
  const Precision& precision = point.series().precision;
  const int launches = std::max(1, precision.incarnations);
  if (budget_of(precision.rule).max_time / launches <= point.spent_here()) return true;
  const double share = std::clamp(visits_foreseen(point) / launches, 1.0 * least_visits, 1.0 * most_foreseen_visits);
  return point.visits_here() >= static_cast<int>(std::ceil(share));
}

/// True for verdicts that further processes would not change.
bool is_final(Outcome outcome) { return has_failed(outcome) || lacks_batches(outcome); }

}  // namespace

Turn turn_after(const OpenPoint& point, const Verdict& verdict, bool is_part) {
  const Precision& precision = point.series().precision;
  const bool has_all = point.processes() >= std::max(1, precision.incarnations);
  if (verdict.stop() && (has_all || is_final(verdict.outcome))) return Turn::finish;
  if (point.visits_here() < (point.is_long() ? 1 : least_visits)) return Turn::go_on;
  if (verdict.stop()) return Turn::leave;
  const bool is_last = point.processes() >= std::max(precision.incarnations, precision.rule.max_incarnations);
  // With enough processes the rule is to be heard, which speaks at some visits only.
  if (!is_part || is_last || (has_all && verdict.reason.empty())) return Turn::go_on;
  return has_had_share(point) ? Turn::leave : Turn::go_on;
}

}  // namespace assay
