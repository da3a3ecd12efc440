// SPDX-License-Identifier: Apache-2.0
// Where the numbers of the LogP layout come from.
#include <ostream>

#include "record/logp/logp_view.hpp"
#include "record/shown_value.hpp"
#include "text/printable.hpp"

namespace assay::logp {

namespace {

std::string interval_text(const Estimate& estimate, Unit unit) {
  const Scale scale = scale_of(estimate.value, unit);
  const ShownValue text = shown(estimate.value, estimate.interval, scale);
  const std::string value = unit == Unit::ratio ? text.value : text.value + ' ' + scale.name;
  return estimate.interval.available() ? value + " [" + text.low + " .. " + text.high + ']' : value + " [no interval]";
}

// Series and levels, without those in the line's heading and label.
std::string origin(const Line& line, const Number& number) {
  const Point& point = number.derived != nullptr ? number.derived->group : number.point->point;
  std::string text = number.series != nullptr ? "; series " + printable(number.series->series.series) : "";
  std::string levels;
  for (const auto& [factor, level] : point.levels())
    if (line.key.find(factor) == nullptr) levels += ' ' + factor + '=' + shown_level(point, factor);
  return levels.empty() ? text : text + " at" + levels;
}

std::string measured_text(const Number& number) {
  const Result& result = *number.result;
  std::string text =
      interval_text(result.headline, result.unit) + ", " + regime_text(result) + ", " + verdict_text(result);
  if (number.point->reference.moved) text += ", CPUs moved: " + moved_text(*number.point);
  return text;
}

// A derived value, or what stands for one, with the reason.
std::string explained(const Number& number) {
  if (number.result != nullptr) return measured_text(number);
  const auto estimate = number.estimate();
  std::string text = number.lack();
  if (text.empty() && estimate) text = interval_text(*estimate, Unit::nanoseconds);
  const std::string reason = printable(number.reason());
  if (!text.empty() && reason.starts_with(text + ":")) text.clear();
  if (!reason.empty()) text += (text.empty() ? "" : ": ") + reason;
  if (number.derived != nullptr && !number.derived->formula.empty())
    text += " (" + printable(number.derived->formula) + ')';
  return text;
}

void explain_line(std::ostream& out, const View& view, const Line& line) {
  for (std::size_t i = 0; i < parameter_count; ++i) {
    const auto parameter = static_cast<Parameter>(i);
    const Number& number = line[parameter];
    if (!number.asked()) continue;
    out << "  " << name_of(parameter) << " = " << explained(number);
    if (parameter != Parameter::latency) out << origin(line, number);
    out << '\n';
  }
  for (const char* name : {half_trip_name, symmetry_name, routes_name})
    if (const DerivedRecord* record = view.find(line, name)) {
      const Derived& derived = record->derived;
      out << "  " << record->formula << " = "
          << (derived.valid ? interval_text({"ratio", derived.value, derived.interval, ""}, Unit::ratio)
                            : "n/a: " + printable(derived.reason))
          << '\n';
    }
}

}  // namespace

void explain(std::ostream& out, const View& view) {
  out << "\nSources of the numbers. L is RTT / 2 less the overheads while both members poll, and D, the time "
         "from\n"
         "the return of the send to that of the receive, where the receiver sleeps; o_r[blk,cpu] is never "
         "subtracted.\n";
  for (const Line& line : view.lines()) {
    out << '\n' << view.label(line);
    for (const std::string& factor : block_factors())
      if (line.key.find(factor) != nullptr) out << ' ' << factor << '=' << shown_level(line.key, factor);
    if (line.regime) out << ", " << to_text(*line.regime);
    out << '\n';
    explain_line(out, view, line);
  }
}

}  // namespace assay::logp
