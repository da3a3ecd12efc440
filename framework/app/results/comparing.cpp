// SPDX-License-Identifier: Apache-2.0
// Pairs judged as one family, by how they were measured; values of then, again and now, put together.
#include "app/results/comparing.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

#include "app/results/comparability.hpp"
#include "app/results/results.hpp"
#include "base/error.hpp"
#include "run/plan.hpp"
#include "stats/comparison/comparison.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

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
    if (!is_in_turn(result, report)) result.finding.change = only_possible(result.finding.change);
  }
}

void take(Pairing pairing, std::vector<PairedResult>& pairs, ComparisonReport& report) {
  std::move(pairing.pairs.begin(), pairing.pairs.end(), std::back_inserter(pairs));
  std::move(pairing.unpaired.begin(), pairing.unpaired.end(), std::back_inserter(report.unpaired));
  report.numberless += pairing.numberless;
}

bool is_of_one_row(const PairedResult& one, const PairedResult& other) {
  return one.series == other.series && one.point == other.point && one.quantity == other.quantity &&
         one.regime == other.regime;
}

}  // namespace

void compare_campaigns(ComparisonReport& report, const std::vector<Record>& a, const std::vector<Record>& b,
                       PairingRequest request, const SideNames& names, OtherMachines machines) {
  auto found = comparability(a, b, names, machines);
  if (!found.refusals.empty())
    throw ResultError(report.a + " and " + report.b + " cannot be compared: " + joined(found.refusals, "; "));
  report.notes = std::move(found.notes);
  request.refused = std::move(found.series);
  std::vector<PairedResult> pairs;
  take(pair_results(a, b, request), pairs, report);
  judge(std::move(pairs), report, [](const PairedResult& /*pair*/) { return std::nullopt; });
}

void compare_levels(ComparisonReport& report, const std::vector<Record>& records, const Turns& turns,
                    const std::vector<std::string>& levels, const PairingRequest& request) {
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

void add_earlier(ComparisonReport& report, const std::string& name, const std::vector<Record>& then,
                 const std::vector<Record>& again, const PairingRequest& request) {
  ComparisonReport drift;
  drift.a = name;
  drift.b = "the measurement again";
  drift.margin = report.margin;
  drift.q = report.q;
  report.earlier = EarlierCampaign{name, {}, {}};
  if (const auto* session = last_of<SessionRecord>(then)) report.earlier->when = session->started;
  try {
    compare_campaigns(drift, then, again, request, {"then", "now"});
  } catch (const ResultError& error) {
    report.earlier->refusal = error.what();
    return;
  }
  for (std::string& note : drift.notes) report.notes.push_back("since then, " + note);
  for (ComparedResult& result : report.results)
    for (const ComparedResult& earlier : drift.results)
      if (is_of_one_row(result.pair, earlier.pair))
        result.earlier = EarlierValue{earlier.pair.a.median, earlier.finding};
}

namespace {

// A campaign that was itself measured against something is what it found of the program of its day.
std::vector<Record> as_of_its_day(const std::vector<Record>& records) {
  std::vector<Record> kept;
  for (const Record& record : records) {
    const auto* point = std::get_if<PointRecord>(&record);
    const bool has_level = point != nullptr && point->point.find(variant_factor_name) != nullptr;
    if (!has_level) {
      kept.push_back(record);
    } else if (point->point.text(variant_factor_name) == now_variant) {
      PointRecord without = *point;
      without.point = point->point.without(variant_factor_name);
      kept.emplace_back(std::move(without));
    }
  }
  return kept;
}

void add_values_of_then(ComparisonReport& report, const std::vector<Record>& records, const std::string& path,
                        const PairingRequest& request, const std::function<void(std::vector<Record>&)>& choose) {
  try {
    std::ostringstream ignored;
    auto then = read_results("--against", path, ignored);
    choose(then);
    add_earlier(report, path, as_of_its_day(then), at_level(records, variant_factor_name, before_variant), request);
  } catch (const std::runtime_error& error) {
    report.notes.push_back("the values of then cannot be read any more: " + std::string(error.what()));
  }
}

}  // namespace

void tell_against(ComparisonReport& report, const std::vector<Record>& records, const PairingRequest& request,
                  const std::function<void(std::vector<Record>&)>& choose) {
  const auto* session = last_of<SessionRecord>(records);
  if (session == nullptr || fact_of(session->facts, against_path_fact).empty()) return;
  for (const auto& [key, value] : session->facts)
    if (key.starts_with(against_note_prefix)) report.notes.push_back(value);
  if (fact_of(session->facts, against_kind_fact) != against_campaign) return;
  add_values_of_then(report, records, fact_of(session->facts, against_path_fact), request, choose);
  if (report.earlier) report.earlier->has_program = fact_of(session->facts, against_program_fact) == "yes";
}

ComparisonReport report_against(const std::string& command, const std::string& directory, std::ostream& err) {
  ComparisonReport report;
  report.factor = variant_factor_name;
  Turns turns(report.factor);
  const auto records = read_results(command, directory, err, &turns);
  report.a = report.factor + " " + before_variant + " in " + directory;
  report.b = report.factor + " " + now_variant;
  compare_levels(report, records, turns, {before_variant, now_variant}, {});
  tell_against(report, records, {}, [](std::vector<Record>&) {});
  return report;
}

}  // namespace assay
