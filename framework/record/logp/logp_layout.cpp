// SPDX-License-Identifier: Apache-2.0
// Layout `logp`: a table of LogP parameters and one of their quality for each placement, vehicle and policy.
#include <algorithm>
#include <ostream>
#include <set>

#include "record/layout/layouts.hpp"
#include "record/logp/logp_view.hpp"
#include "record/na_code.hpp"
#include "record/shown_value.hpp"
#include "record/table/results_table.hpp"
#include "stats/fit/logp.hpp"
#include "text/printable.hpp"

namespace assay {

namespace logp {

namespace {

constexpr double routes_tolerance = 0.1;

using Lines = std::vector<const Line*>;

// Lines of one placement, vehicle, policy and so on.
struct LineBlock {
  std::string heading;
  Lines lines;
};

std::string processors_text(const Point& key) {
  const std::string members = key.find("members") != nullptr ? key.text("members") : "2";
  const std::string placement = key.find("placement") != nullptr ? key.text("placement") : "";
  if (placement.starts_with("same-pu")) return "P = 1 processor, shared";
  if (placement == "unbound") return "P <= " + members + " processors, where the kernel puts them";
  return "P = " + members + " processors";
}

std::string heading_of(const Point& key) {
  std::string text;
  for (const std::string& factor : block_factors()) {
    if (key.find(factor) == nullptr || factor == "members") continue;
    const std::string level = shown_level(key, factor);
    const bool is_usual = (factor == "policy" && level == "inherited") || (factor == "variant" && level == "plain");
    if (!is_usual) text += (text.empty() ? "" : ", ") + factor + " " + level;
  }
  return text + (text.empty() ? "" : ": ") + processors_text(key);
}

std::vector<LineBlock> blocks_of(const View& view) {
  std::vector<LineBlock> blocks;
  for (const Line& line : view.lines()) {
    const std::string heading = heading_of(line.key);
    if (blocks.empty() || blocks.back().heading != heading) blocks.push_back({heading, {}});
    blocks.back().lines.push_back(&line);
  }
  return blocks;
}

MarkedColumn labels(const View& view, const Lines& lines) {
  MarkedColumn column("channel", "", false);
  for (const Line* line : lines) column.add({view.label(*line)});
  return column;
}

struct Heading {
  Parameter parameter;
  const char* upper;
  const char* lower;
};
constexpr Heading headings[] = {{Parameter::rtt, "RTT", ""},
                                {Parameter::o_s_idle, "o_s", "[idle]"},
                                {Parameter::o_s_blk, "o_s", "[blk]"},
                                {Parameter::o_r_ready, "o_r", "[ready]"},
                                {Parameter::o_r_cpu, "o_r", "[blk,cpu]"},
                                {Parameter::g_flood, "g", "[flood]"},
                                {Parameter::g_issue, "g", "[issue]"},
                                {Parameter::one_way, "T1", ""},
                                {Parameter::distance, "D", ""},
                                {Parameter::latency, "L", ""}};

// A column of numbers; adds the texts and marks that a legend is needed for to `used`.
MarkedColumn numbers(const View& view, const Lines& lines, const Heading& heading, std::set<std::string>& used) {
  MarkedColumn column(heading.upper, heading.lower);
  for (const Line* line : lines) {
    const MarkedText cell = view.cell(*line, heading.parameter);
    used.insert(cell.text);
    for (const char mark : cell.marks) used.insert(std::string(1, mark));
    column.add(cell);
  }
  return column;
}

void print_parameters(std::ostream& out, const View& view, const Lines& lines, std::set<std::string>& used) {
  std::vector<MarkedColumn> columns{labels(view, lines)};
  for (const Heading& heading : headings) {
    columns.push_back(numbers(view, lines, heading, used));
    if (heading.parameter != Parameter::rtt) continue;
    MarkedColumn& regimes = columns.emplace_back("regime", "", false);
    for (const Line* line : lines) regimes.add({line->regime ? to_text(*line->regime) : "-"});
  }
  print_columns(out, columns, 3);  // a channel may have lines of several regimes
}

std::string share_text(const Number& number) {
  return number.result != nullptr ? percent_text(number.result->regime_share) : "-";
}

// The largest share among all that the line shows.
std::string disturbed_text(const Line& line) {
  double most = -1;
  for (const Number& number : line.numbers)
    if (number.result != nullptr) most = std::max(most, number.result->disturbed_share);
  if (most < 0) return "-";
  return most == 0 ? "0" : percent_text(most);
}

std::string proof_text(const Number& number) {
  if (number.result == nullptr) return "-";
  const std::string kind = number.point->point.find("proof") != nullptr ? number.point->point.text("proof") : "";
  return (kind.empty() ? "" : kind + " ") + percent_text(number.result->headline.value) + " %";
}

void print_quality(std::ostream& out, const View& view, const Lines& lines, std::set<std::string>& used) {
  std::vector<MarkedColumn> columns{labels(view, lines)};
  const auto add = [&](const char* upper, const char* lower, auto text) {
    MarkedColumn& column = columns.emplace_back(upper, lower);
    for (const Line* line : lines) column.add({text(*line)});
  };
  add("regime", "share %", [](const Line& line) { return share_text(line[Parameter::rtt]); });
  add("disturbed", "at most %", disturbed_text);
  add("proof of", "sleep", [](const Line& line) { return proof_text(line[Parameter::proved]); });
  add("routes", "to o_s[blk]", [&](const Line& line) { return ratio_text(view.find(line, routes_name)); });
  add("RTT/2", "to T1", [&](const Line& line) { return ratio_text(view.find(line, half_trip_name)); });
  add("T1 back", "to there", [&](const Line& line) { return ratio_text(view.find(line, symmetry_name)); });
  columns.push_back(numbers(view, lines, {Parameter::o_s_drain, "o_s", "[drain]"}, used));
  columns.push_back(numbers(view, lines, {Parameter::capacity, "capacity", "messages"}, used));
  const bool is_blank = std::all_of(columns.begin() + 1, columns.end(), [](const auto& c) { return c.is_blank(); });
  if (is_blank) return;
  out << "\nquality, and further numbers\n";
  print_columns(out, columns, 2);
}

// The overheads that stand against a gap: those of the state that the burst was in.
std::vector<Parameter> rivals_of(const Number& gap) {
  const Regime regime = gap.derived != nullptr ? gap.derived->regime : Regime::mixed;
  if (is_between(regime)) return {};
  if (regime == Regime::blocked) return {Parameter::o_s_blk};
  return {Parameter::o_s_idle, Parameter::o_r_ready};
}

// What in a line contradicts the model, or itself.
void print_remarks(std::ostream& out, const View& view, const Lines& lines) {
  for (const Line* line : lines) {
    const Number& gap = (*line)[Parameter::g_flood];
    const auto g = gap.derived != nullptr && gap.derived->derived.valid ? gap.estimate() : std::nullopt;
    for (const Parameter rival : g ? rivals_of(gap) : std::vector<Parameter>{})
      if (const auto overhead = (*line)[rival].estimate(); overhead && contradicts(*g, *overhead))
        out << "remark: " << view.label(*line) << ": g[flood] is shorter than " << name_of(rival)
            << ": regimes mixed or n too small\n";
    const DerivedRecord* routes = view.find(*line, routes_name);
    if (routes != nullptr && agrees(routes->derived, routes_tolerance) == false)
      out << "remark: " << view.label(*line) << ": the two routes to o_s[blk] differ by more than 10 %\n";
  }
}

// That what polls has a cost of issuing and one of a send alone, where both stand in the table.
void print_drain(std::ostream& out, const View& view) {
  if (std::ranges::any_of(view.lines(), [](const Line& line) { return line[Parameter::o_s_drain].result != nullptr; }))
    out << "[drain]  a send alone; o_s[idle] and g[issue] are then issue costs (N6)\n";
}

void print_meanings(std::ostream& out, const View& view, const std::set<std::string>& used) {
  std::string marks;
  for (const std::string& text : used) marks += text.size() == 1 ? text : "";
  const auto any = [&](auto is_such) { return std::ranges::any_of(used, is_such); };
  print_legend(out, marks);
  for (const char mark : all_marks)
    if (view.common_marks().find(mark) != std::string::npos) out << "all values: " << meaning_of(mark) << '\n';
  if (any([](const auto& text) { return text.starts_with('<'); }))
    out << "<x  not significantly above 0: x is the upper end of the interval\n";
  if (any([](const auto& text) { return text.starts_with('('); }))
    out << "(x) imprecise: the half-width exceeds a quarter of the value\n";
  if (any([](const auto& text) { return text.find('+') != text.npos; }))
    out << "x+  includes o_r[ready], which has no separate value here\n";
  print_drain(out, view);
  for (const std::string& code : all_codes())
    if (used.contains(code)) out << code << (code.size() < 3 ? "  " : " ") << meaning_of_code(code) << '\n';
}

void print_left_out(std::ostream& out, const std::vector<SeriesGroup>& groups, const std::vector<Line>& lines) {
  std::set<std::string> shown;
  for (const Line& line : lines)
    for (const Number& number : line.numbers)
      if (number.series != nullptr) shown.insert(number.series->series.series);
  print_unshown(out, groups, shown);
}

void print(std::ostream& out, const std::vector<Record>& records, Detail detail) {
  const auto groups = group_by_series(records);
  const View view(groups);
  print_title(out, records);
  out << "LogP parameters, times in ns";
  if (!view.lines().empty() && !view.shared().empty()) out << ", at" << view.shared();
  out << "\n\n";
  std::set<std::string> used;
  for (const LineBlock& block : blocks_of(view)) {
    out << block.heading << '\n';
    print_parameters(out, view, block.lines, used);
    print_quality(out, view, block.lines, used);
    print_remarks(out, view, block.lines);
    out << '\n';
  }
  print_meanings(out, view, used);
  if (detail == Detail::explained) explain(out, view);
  out << '\n';
  print_left_out(out, groups, view.lines());
  print_close(out, records, groups);
}

}  // namespace

}  // namespace logp

Layout logp_layout() {
  return {"logp", "LogP parameters of each primitive by placement, with regime, validity and quality",
          [](const auto& groups, const auto&) { return logp::derive(groups); }, one_by_one(&logp::print)};
}

}  // namespace assay
