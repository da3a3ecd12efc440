// SPDX-License-Identifier: Apache-2.0
// Digits, marks and verdicts of single values.
#include "record/shown_value.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "text/printable.hpp"

namespace assay {

double half_width(double value, const Interval& interval) {
  if (!interval.available()) return std::numeric_limits<double>::infinity();
  return std::max(interval.high - value, value - interval.low);
}

ShownValue shown(double value, const Interval& interval, const Scale& scale) {
  const int decimals = decimals_for(value / scale.size, half_width(value, interval) / scale.size);
  const auto text = [&](double number) { return fixed_text(number / scale.size, decimals); };
  if (!interval.available()) return {text(value), "-", "-"};
  return {text(value), text(interval.low), text(interval.high)};
}

std::string short_text(const Estimate& estimate, Unit unit) {
  constexpr int digits = 4;
  const double value = estimate.value;
  if (!std::isfinite(value)) return to_text(value);
  if (unit == Unit::count && value == std::round(value)) return fixed_text(value, 0);
  const int most = value == 0 ? digits : digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value))));
  return fixed_text(value, std::min(most, decimals_for(value, half_width(value, estimate.interval))));
}

std::string ratio_text(const DerivedRecord* ratio) {
  if (ratio == nullptr) return "-";
  if (!ratio->derived.valid) return "n/a";
  return short_text({"ratio", ratio->derived.value, ratio->derived.interval, ""}, Unit::ratio);
}

std::string percent_text(double share) {
  const double percent = share * 100;
  if (!std::isfinite(percent)) return "-";
  if (percent >= 10) return fixed_text(percent, 0);
  return fixed_text(percent, percent >= 1 ? 1 : 2);
}

std::string regime_text(const Result& result) {
  std::string text = to_text(result.regime);
  if (result.regime_share < 1) text += ' ' + percent_text(result.regime_share) + " %";
  return text;
}

std::string marks_of(const PointRecord& point, const Result& result) {
  std::string marks;
  if (result.verdict.outcome != Outcome::converged) marks += '!';
  if (result.term == Term::short_term) marks += '~';
  if (result.noisy) marks += '#';
  if (!result.headline.interval.available()) marks += '?';
  if (point.reference.moved) marks += '^';
  return marks;
}

std::string_view meaning_of(char mark) {
  switch (mark) {
    case '!':
      return "not converged: the interval is the one reached, the verdict says why measuring ended";
    case '~':
      return "short-term: the visits span less than min-span, or what is measured changes within minutes (G-WAKE, "
             "G-APART, G-MEMORY, several clocks, CPUs that others used); a later run may differ by more than the "
             "interval";
    case '#':
      return "noisy: more than the share `noisy` of the batches (5 % unless set) were disturbed and left out";
    case '^':
      return "the CPUs moved during this point (virtual machine): its placement is unreliable";
    default:
      return "no interval could be formed";
  }
}

std::string outcome_text(const Result& result) {
  if (result.verdict.outcome != Outcome::open) return to_text(result.verdict.outcome);
  return result.verdict.reason.starts_with(other_state) ? std::string(other_state) : "minor regime";
}

std::string verdict_text(const Result& result) {
  std::string text = outcome_text(result);
  if (result.sessions.size() > 1)
    text += ", " + std::string(result.term == Term::long_term ? "long-term over " : "over ") +
            std::to_string(result.sessions.size()) + " sessions";
  if (result.stretches > 1) text += ", in " + std::to_string(result.stretches) + " parts";
  return text;
}

std::string warm_up_text(int dropped) {
  return std::to_string(dropped) + (dropped == 1 ? " visit" : " visits") + " of warm-up left out";
}

std::string unsteady_text(const Result& result, const Scale& scale) {
  constexpr std::size_t most = 3;
  std::vector<std::string> causes;
  if (!result.steadiness.drift.empty()) causes.push_back(printable(result.steadiness.drift));
  for (const Mode& mode : result.steadiness.modes)
    causes.push_back(percent_text(mode.weight) + " % at " + shown(mode.median, mode.interval, scale).value + ' ' +
                     scale.name);
  std::string text;
  for (std::size_t i = 0; i < std::min(causes.size(), most); ++i) text += (i > 0 ? ", " : "") + causes[i];
  return causes.size() > most ? text + ", and " + std::to_string(causes.size() - most) + " more" : text;
}

std::string moved_text(const PointRecord& point) {
  const ReferenceTrips& reference = point.reference;
  if (!reference.moved) return {};
  const auto text = [](double trip) { return short_text({"trip", trip, {}, ""}, Unit::nanoseconds); };
  return "reference round trips " + text(reference.low) + " and " + text(reference.high) + " ns";
}

std::string verdict_text(const PointRecord& point) {
  std::string text = to_text(point.outcome);
  if (!point.code.empty()) text += ' ' + printable(point.code);
  if (!point.reason.empty()) text += ": " + printable(point.reason);
  return text;
}

}  // namespace assay
