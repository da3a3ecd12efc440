// SPDX-License-Identifier: Apache-2.0
// `assay compare`: what changed between two campaigns, or between the levels of a factor in one.
#include <algorithm>
#include <cmath>
#include <optional>
#include <ostream>
#include <set>
#include <utility>

#include "app/commands/commands.hpp"
#include "app/results/comparability.hpp"
#include "app/results/results.hpp"
#include "record/compare/comparison_report.hpp"
#include "record/grouping.hpp"
#include "text/suggest.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

constexpr const char* assay_compare = "assay compare";
constexpr const char* usual_factor = "variant";

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

bool is_rate(Unit unit) { return unit == Unit::per_second || unit == Unit::bytes_per_second; }

// Standard deviation of the logs of what the sessions found; 0 for a single session.
double session_spread(const Side& side) {
  std::vector<double> logs;
  for (const double value : side.sessions) {
    if (!(value > 0)) return 0;
    logs.push_back(std::log(value));
  }
  return logs.size() < 2 ? 0 : summarize(logs).stddev;
}

bool is_in_turn(const ComparedResult& result, const ComparisonReport& report) {
  return report.design == ComparisonDesign::interleaved && !is_out_of_turn(result);
}

// Who came and went between two campaigns changed what they found, where no state was answered for.
double sharing_effect(const PairedResult& pair) {
  return largest_sharing_effect(std::max(pair.a.shared.value_or(0), pair.b.shared.value_or(0)));
}

// What sessions differ by on their own is no change between A and B.
double margin_of(const ComparedResult& result, const ComparisonReport& report) {
  if (is_in_turn(result, report)) return report.margin;
  const Side& a = result.pair.a;
  const Side& b = result.pair.b;
  const bool told = a.sessions.size() >= 2 && b.sessions.size() >= 2;
  return told ? std::max(report.margin, 2 * std::max(session_spread(a), session_spread(b))) : report.margin;
}

// `in_turn` is the share in ComparedResult::in_turn of a pair.
template <class InTurn>
void judge(std::vector<PairedResult> pairs, ComparisonReport& report, InTurn in_turn) {
  std::vector<Contest> contests;
  for (PairedResult& pair : pairs) {
    const std::optional<double> share = in_turn(pair);
    ComparedResult& result = report.results.emplace_back(ComparedResult{std::move(pair), report.margin, {}, share});
    result.margin = margin_of(result, report);
    const PairedResult& kept = result.pair;
    contests.push_back({kept.a.processes, kept.b.processes, kept.is_signed, is_rate(kept.unit), result.margin,
                        is_in_turn(result, report) ? 1 : sharing_effect(kept)});
  }
  const auto findings = compare(contests, report.q);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    ComparedResult& result = report.results[i];
    result.finding = findings[i];
    if (!is_in_turn(result, report)) result.finding.change = out_of_turn(result.finding.change);
  }
}

void take(Pairing pairing, std::vector<PairedResult>& pairs, ComparisonReport& report) {
  std::move(pairing.pairs.begin(), pairing.pairs.end(), std::back_inserter(pairs));
  std::move(pairing.unpaired.begin(), pairing.unpaired.end(), std::back_inserter(report.unpaired));
  report.numberless += pairing.numberless;
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
  auto found = comparability(a, b);
  if (!found.refusals.empty())
    throw ResultError(report.a + " and " + report.b + " cannot be compared: " + joined(found.refusals, "; "));
  report.notes = std::move(found.notes);
  auto both = a;
  both.insert(both.end(), b.begin(), b.end());
  auto request = request_of(line, both);
  request.refused = std::move(found.series);
  std::vector<PairedResult> pairs;
  take(pair_results(a, b, request), pairs, report);
  judge(std::move(pairs), report, [](const PairedResult& /*pair*/) { return std::nullopt; });
}

// The levels to compare, the base first.
std::vector<std::string> levels_wanted(const CommandLine& line, const std::string& factor,
                                       const std::vector<Record>& records) {
  auto levels = levels_of(records, factor);
  if (levels.size() < 2)
    refuse_use("factor " + shown(factor) + " has " + (levels.empty() ? "no levels" : "one level") + " in " +
                   shown(line.operands[0]),
               "name a second directory, or another factor of this one with --factor");
  const auto base = value_of(line, "base").value_or(first_level(records, factor, levels));
  const auto at = std::find(levels.begin(), levels.end(), base);
  if (at == levels.end())
    refuse_use("factor " + shown(factor) + " has no level " + shown(base), suggestion(base, levels));
  std::rotate(levels.begin(), at, at + 1);
  return levels;
}

void compare_levels(const CommandLine& line, ComparisonReport& report, AppContext& context) {
  report.factor = value_of(line, "factor").value_or(usual_factor);
  Turns turns(report.factor);
  auto records = read_results(assay_compare, line.operands[0], context.err, &turns);
  apply_state(line, assay_compare, records);
  const auto levels = levels_wanted(line, report.factor, records);
  const auto request = request_of(line, records);
  report.a = report.factor + " " + levels.front() + " in " + line.operands[0];
  report.b = report.factor + " " + joined({levels.begin() + 1, levels.end()}, ", ");
  if (schedule_of(records) == "interleaved") report.design = ComparisonDesign::interleaved;
  const auto base = at_level(records, report.factor, levels.front());
  std::vector<PairedResult> pairs;
  for (auto level = levels.begin() + 1; level != levels.end(); ++level)
    take(pair_results(base, at_level(records, report.factor, *level), request, *level), pairs, report);
  const bool interleaved = report.design == ComparisonDesign::interleaved;
  judge(std::move(pairs), report, [&](const PairedResult& pair) {
    return interleaved ? std::optional(turns.share(pair.series, pair.point, levels.front(), pair.level)) : std::nullopt;
  });
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
    compare_levels(line, report, context);
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
      "states\nhow many incarnations are missing. Levels of one campaign were interleaved. Between two directories, "
      "other\nchanges are confounded with the change of interest: it is 'possibly slower', and for results as found, "
      "on\ncores that were shared, a change must exceed the effect of sharing. Exit code 6: at least one point "
      "is\nslower, with --strict also possibly; 5: nothing can be compared.\n";
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
