// SPDX-License-Identifier: Apache-2.0
// Lines with their latency, labels and cells.
#include "record/logp/logp_view.hpp"

#include <algorithm>

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

}  // namespace assay::logp
