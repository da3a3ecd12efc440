// SPDX-License-Identifier: Apache-2.0
// Lines with their latency, labels and cells, and where the numbers in them come from.
#include "record/logp/logp_view.hpp"

#include <algorithm>
#include <ostream>

#include "record/na_code.hpp"
#include "record/shown_value.hpp"
#include "text/printable.hpp"

namespace assay::logp {
namespace {

constexpr double vague = 0.25;  // relative half-width above which a number is only a hint

bool is_block_factor(const std::string& factor) {
  return std::ranges::find(block_factors(), factor) != block_factors().end();
}

const std::vector<DerivedRecord>* kept_derived(const std::vector<SeriesGroup>& groups) {
  for (const SeriesGroup& group : groups)
    if (group.series.series.empty() && !group.derived.empty()) return &group.derived;
  return nullptr;
}

bool has_value(const Number& number) { return number.lack().empty() && number.estimate().has_value(); }

// What distinguishes a derived value of a line from all others.
std::string line_text(std::string_view name, Regime regime, const Point& key) {
  return std::string(name) + '\n' + to_text(regime) + '\n' + to_text(key);
}

std::string without(const std::string& marks, const std::string& left_out) {
  std::string kept_marks;
  for (const char mark : all_marks)
    if (marks.find(mark) != marks.npos && left_out.find(mark) == left_out.npos) kept_marks += mark;
  return kept_marks;
}

// What L rests on, by formula.
std::string marks_of_inputs(const Line& line, const Line& first) {
  if (line.regime == Regime::blocked) return line[Parameter::distance].marks;
  const Number& idle = first[Parameter::o_s_idle];
  return line[Parameter::rtt].marks + (has_value(idle) ? idle : first[Parameter::g_issue]).marks +
         first[Parameter::o_r_ready].marks;
}

MarkedText cell_text(const Number& number) {
  if (!number.asked()) return {"-"};
  if (std::string lack = number.lack(); !lack.empty()) return {std::move(lack)};
  const auto estimate = number.estimate();
  if (!estimate) return {"-"};
  const Unit unit = number.result != nullptr ? number.result->unit : Unit::nanoseconds;
  if (number.derived != nullptr && estimate->interval.contains(0)) {
    const Estimate bound{"bound", estimate->interval.high, {}, ""};
    return {"<" + short_text(bound, unit), number.marks};
  }
  const bool with_o_r = number.derived != nullptr && number.derived->name == delivery_name;
  const std::string text = short_text(*estimate, unit) + (with_o_r ? "+" : "");
  const bool is_vague = estimate->interval.available() && estimate->relative_half_width() > vague;
  return {is_vague ? "(" + text + ")" : text, number.marks};
}

}  // namespace

std::string_view name_of(Parameter parameter) {
  constexpr std::array<std::string_view, parameter_count> names{
      "RTT", "o_s[idle]", "o_s[drain]", "o_s[blk]", "o_r[ready]", "o_r[blk,cpu]", "g[flood]", "g[issue]",
      "T1",  "D",         "L",          "capacity", "T1[back]",   "o_s[prtt]",    "proved"};
  return names.at(static_cast<std::size_t>(parameter));
}

View::View(const std::vector<SeriesGroup>& groups)
    : derived_(kept_derived(groups) != nullptr ? *kept_derived(groups) : derive(groups)), lines_(lines_of(groups)) {
  for (const DerivedRecord& record : derived_)
    derived_by_line_.try_emplace(line_text(record.name, record.regime, record.group), &record);
  sort_factors();
  attach_latencies();
  find_common_marks();
}

void View::sort_factors() {
  std::vector<PointRecord> keys;
  for (const Line& line : lines_) keys.emplace_back().point = line.key;
  for (const std::string& factor : factors_of(keys)) {
    if (factor == "channel" || is_block_factor(factor)) continue;
    if (varies(factor, keys))
      varying_.push_back(factor);
    else
      shared_ += " " + factor + "=" + shown_level(keys.front().point, factor);
  }
}

void View::attach_latencies() {
  const Line* first = nullptr;
  for (Line& line : lines_) {
    if (line.is_first) first = &line;
    const DerivedRecord* latency = find(line, latency_name);
    if (latency == nullptr) latency = find(line, delivery_name);
    if (latency != nullptr)
      line[Parameter::latency] = {nullptr, nullptr, nullptr, latency, marks_of_inputs(line, *first)};
  }
}

void View::find_common_marks() {
  common_marks_ = all_marks;
  bool any = false;
  for (const Line& line : lines_)
    for (const Number& number : line.numbers) {
      if (number.result == nullptr) continue;
      any = true;
      std::erase_if(common_marks_, [&](char mark) { return number.marks.find(mark) == std::string::npos; });
    }
  if (!any) common_marks_.clear();
}

const DerivedRecord* View::find(const Line& line, std::string_view name) const {
  const auto found = derived_by_line_.find(line_text(name, line.regime.value_or(Regime::solo), line.key));
  return found == derived_by_line_.end() ? nullptr : found->second;
}

std::string View::label(const Line& line) const {
  std::string text = line.key.find("channel") != nullptr ? shown_level(line.key, "channel") : "";
  for (const std::string& factor : varying_)
    if (line.key.find(factor) != nullptr)
      text += (text.empty() ? "" : " ") + factor + "=" + shown_level(line.key, factor);
  return text.empty() ? "channel" : text;
}

MarkedText View::cell(const Line& line, Parameter parameter) const {
  MarkedText text = cell_text(line[parameter]);
  text.marks = without(text.marks, common_marks_);
  return text;
}

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
