// SPDX-License-Identifier: Apache-2.0
// `assay compare`: what changed between two campaigns, or between the levels of a factor in one.
#include <algorithm>
#include <optional>
#include <ostream>
#include <set>

#include "app/commands/commands.hpp"
#include "app/results/comparability.hpp"
#include "app/results/comparing.hpp"
#include "app/results/results.hpp"
#include "record/compare/comparison_report.hpp"
#include "record/grouping.hpp"
#include "run/plan.hpp"
#include "text/suggest.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

constexpr const char* assay_compare = "assay compare";

[[noreturn]] void refuse_use(std::string what, std::string remedy) {
  throw ConfigError(Problem{{assay_compare}, std::move(what), {}, std::move(remedy)});
}

using Writer = void (*)(std::ostream&, const ComparisonReport&);
Writer writer_of(const CommandLine& line) {
  const auto asked = line.value<std::string>("format");
  if (asked == "csv") return &write_comparison_csv;
  return asked == "json" ? &write_comparison_json : &print_comparison;
}

// A quantity that no side has is a mistake.
void check_quantity(const std::string& quantity, const std::vector<Record>& records) {
  std::set<std::string> names;
  for (const SeriesGroup& group : group_by_series(records)) {
    for (const Quantity& one : group.series.quantities) names.insert(one.name);
    for (const PointRecord& point : group.points)
      for (const Result& result : point.results) names.insert(result.quantity);
  }
  if (!names.contains(quantity))
    refuse_use("no series has a quantity " + shown(quantity), suggestion(quantity, {names.begin(), names.end()}));
}

PairingRequest request_of(const CommandLine& line, const std::vector<Record>& records) {
  PairingRequest request{value_of(line, "quantity"), line.has("all"), line.has("accept-marked"), {}};
  if (request.quantity && request.all) refuse_use("--quantity and --all contradict each other", "give one of them");
  if (request.quantity) check_quantity(*request.quantity, records);
  return request;
}

void compare_directories(const CommandLine& line, ComparisonReport& report, AppContext& context) {
  for (const char* option : {"base", "factor"})
    if (line.has(option))
      refuse_use("--" + std::string(option) + " is for the levels of one campaign", "name one directory");
  report.a = line.operands[0];
  report.b = line.operands[1];
  auto a = read_results(assay_compare, report.a, context.err);
  auto b = read_results(assay_compare, report.b, context.err);
  for (std::vector<Record>* records : {&a, &b}) apply_state(line, assay_compare, *records);
  auto both = a;
  both.insert(both.end(), b.begin(), b.end());
  compare_campaigns(report, a, b, request_of(line, both));
}

// The levels to compare, the base first.
std::vector<std::string> levels_wanted(const CommandLine& line, const std::string& factor,
                                       const std::vector<Record>& records) {
  auto levels = levels_of(records, factor);
  if (levels.size() < 2)
    refuse_use("factor " + shown(factor) + " has " + (levels.empty() ? "no levels" : "one level") + " in " +
                   shown_path(line.operands[0]),
               "name a second directory, or another factor of this one with --factor");
  const auto base = value_of(line, "base").value_or(first_level(records, factor, levels));
  const auto at = std::find(levels.begin(), levels.end(), base);
  if (at == levels.end())
    refuse_use("factor " + shown(factor) + " has no level " + shown(base), suggestion(base, levels));
  std::rotate(levels.begin(), at, at + 1);
  return levels;
}

void compare_levels_of(const CommandLine& line, ComparisonReport& report, AppContext& context) {
  report.factor = value_of(line, "factor").value_or(variant_factor_name);
  Turns turns(report.factor);
  const std::string& directory = line.operands[0];
  auto records = read_results(assay_compare, directory, context.err, &turns);
  apply_state(line, assay_compare, records);
  const auto levels = levels_wanted(line, report.factor, records);
  const auto request = request_of(line, records);
  report.a = report.factor + " " + levels.front() + " in " + directory;
  report.b = report.factor + " " + joined({levels.begin() + 1, levels.end()}, ", ");
  compare_levels(report, records, turns, levels, request);
  if (levels == std::vector<std::string>{before_variant, now_variant})
    tell_against(report, records, request, [&](std::vector<Record>& then) { apply_state(line, assay_compare, then); });
}

int run_compare(const CommandLine& line, const Registry& /*registry*/, AppContext& context) {
  ComparisonReport report;
  report.margin = line.value<double>("margin").value_or(usual_margin);
  report.q = line.value<double>("q").value_or(usual_q);
  report.in_percent = line.has("percent");
  const Writer write = writer_of(line);
  if (line.operands.size() == 2)
    compare_directories(line, report, context);
  else
    compare_levels_of(line, report, context);
  write(context.out, report);
  if (report.results.empty()) return ExitCode::refused;
  const std::size_t slower =
      count_of(report, Change::slower) + (line.has("strict") ? count_of(report, Change::possibly_slower) : 0);
  return slower > 0 ? ExitCode::regression : ExitCode::ok;
}

}  // namespace

CommandInfo compare_command() {
  CommandInfo command;
  command.name = "compare";
  command.synopsis = "compare A B | compare DIR [--factor FACTOR] [--base LEVEL] [options]";
  command.summary = "Reports what became faster or slower from campaign A to B, or between levels of a factor in one.";
  command.details =
      "Incarnations are compared, never timings. All points are one family with false discovery rate q: of "
      "the\nchanges reported, about the share q is due to chance. A change is reported when it is significant among "
      "all\npoints and larger than the margin; 'same' means that the interval lies within the margin; 'unclear' "
      "states\nhow many incarnations are missing. A change is 'possibly slower' where its adjusted p is above q / "
      "5:\nwhere nothing changed, one comparison in fifty raises an alarm. Levels of one campaign were "
      "interleaved.\nBetween two directories, other changes are confounded with the change of interest: it is "
      "'possibly slower'\ntoo, and for results as found, on cores that were shared, a change must exceed the effect "
      "of sharing. Exit\ncode 6: at least one point is slower, with --strict also possibly; 5: nothing can be "
      "compared.\n";
  command.least_operands = 1;
  command.most_operands = 2;
  command.options = {
      {"margin", {"SHARE", share_value(Ends::zero)}, "relative change that is negligible; default: 2%"},
      {"q", {"SHARE", share_value(Ends::none)}, "false discovery rate among the changes reported; default: 0.1"},
      {"quantity", {"NAME", ValueKind::quantity}, "compare this quantity; default: each series' primary one"},
      {"all", "", "compare every quantity, and regimes of few batches too"},
      state_option(),
      {"accept-marked", "", "compare what ended as bimodal, drift, as-found and the like too"},
      {"factor", {"FACTOR", ValueKind::factor}, "whose levels are compared; default: variant"},
      {"base", {"LEVEL", ValueKind::level}, "what the other levels are compared with; default: the first"},
      {"strict", "", "exit with 6 where a point is possibly slower too"},
      {"percent", "", "the table shows changes in per cent of A, not ratios"},
      {"format", {"FORMAT", word_value({"table", "csv", "json"})}, "table, csv or json; default: table"},
      help_option()};
  command.operands = {{"DIR", ValueKind::results}};
  command.exits = {ExitCode::refused, ExitCode::regression};
  command.examples = {{"assay compare before after --strict || echo \"something is slower\"",
                       "what changed between two campaigns", false},
                      {"assay compare assay-first --factor bystander --percent || [ $? = 6 ]",
                       "between the levels of a factor in one"}};
  command.run = &run_compare;
  return command;
}

}  // namespace assay
