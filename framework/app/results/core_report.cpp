// SPDX-License-Identifier: Apache-2.0
// Tables of CPUs and pairs, and conclusions in words.
#include "app/results/core_report.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <ostream>
#include <set>

#include "record/table/table.hpp"
#include "text/number_format.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

constexpr std::size_t most_pairs = 10;  // in lines of their own
constexpr std::size_t most_listed = 3;  // of pairs in one line, and of levels in a cell
constexpr double noticeable = 0.02;     // share of the time: less is not reported, as in a campaign's notes

std::string bond_text(CoreBond bond) {
  constexpr std::array<const char*, 3> names{"one core", "separate cores", "not clear"};
  return names.at(static_cast<std::size_t>(bond));
}

std::string ground_of(AloneBecause because) {
  switch (because) {
    case AloneBecause::two_levels:
      return "its throughput was also much lower";
    case AloneBecause::throughput:
      return "its throughput exceeds that of half a core";
    case AloneBecause::earlier:
      return "it was found before";
    case AloneBecause::one_thread:
      return "cores have one thread each";
    case AloneBecause::nothing:
      break;
  }
  return "no evidence: it may be shared all the time";
}

std::string levels_text(const std::vector<SeenLevel>& levels, const auto& shown) {
  std::vector<std::string> words;
  for (const SeenLevel& level : levels) {
    if (words.size() == most_listed) break;
    words.push_back(shown(level.value) + (levels.size() > 1 ? " (" + percent(level.share) + ")" : ""));
  }
  return words.empty() ? "-" : joined(words, ", ") + (levels.size() > most_listed ? ", ..." : "");
}

std::string clock_text(const CoreFinding& core, int cycles_per_step) {
  return levels_text(core.chains, [&](double chain) {
    return cycles_per_step > 0 ? rounded(cycles_per_step / chain) + " GHz" : rounded(chain) + " ns a step";
  });
}

bool is_known(const CoreFinding& core) { return core.because != AloneBecause::nothing; }

void print_cores(std::ostream& out, const CoreSurvey& survey) {
  TextTable table({"CPU", "shared", "alone for 0.1 ms", "clock", "its throughput alone is known, since"});
  for (const CoreFinding& core : survey.cores)
    table.add({std::to_string(core.cpu), is_known(core) ? percent(core.shared) : "not known",
               core.stays_alone ? percent(*core.stays_alone) : "-", clock_text(core, survey.cycles_per_step),
               ground_of(core.because)});
  table.print(out);
}

std::string name_of(const PairFinding& pair) { return std::to_string(pair.a) + "+" + std::to_string(pair.b); }

std::string names_of(const std::vector<const PairFinding*>& pairs) {
  std::vector<std::string> names;
  for (const PairFinding* pair : pairs) {
    if (names.size() == most_listed) break;
    names.push_back(name_of(*pair));
  }
  return joined(names, ", ") +
         (pairs.size() > most_listed ? " and " + std::to_string(pairs.size() - most_listed) + " more" : "");
}

/// Pairs that stand in one line of the table.
struct PairRow {
  std::string relation;
  CoreBond bond = CoreBond::not_clear;
  std::vector<const PairFinding*> pairs;
};

std::vector<PairRow> rows_of(const CoreSurvey& survey, const SurveyScope& scope) {
  std::vector<PairRow> rows;
  for (const PairFinding& pair : survey.pairs) {
    const std::string relation = scope.relation_of(pair.a, pair.b);
    const auto alike = std::ranges::find_if(
        rows, [&](const PairRow& row) { return row.relation == relation && row.bond == pair.bond; });
    if (survey.pairs.size() <= most_pairs || alike == rows.end())
      rows.push_back({relation, pair.bond, {&pair}});
    else
      alike->pairs.push_back(&pair);
  }
  return rows;
}

/// "52 %", or "48 % to 54 %" of several.
std::string range_text(const std::vector<double>& values, const auto& shown) {
  if (values.empty()) return "-";
  const auto [low, high] = std::ranges::minmax(values);
  const std::string from = shown(low);
  return shown(high) == from ? from : from + " to " + shown(high);
}

std::string yield_text(const PairRow& row) {
  std::vector<double> yields;
  for (const PairFinding* pair : row.pairs)
    for (const double yield : {pair->yield_a, pair->yield_b})
      if (yield > 0) yields.push_back(yield);
  return range_text(yields, [](double share) { return percent(share); });
}

std::string trip_text(const PairRow& row) {
  const auto shown = [](double trip) { return rounded(trip) + " ns"; };
  if (row.pairs.size() == 1) return levels_text(row.pairs.front()->distances, shown);
  std::vector<double> usual;
  for (const PairFinding* pair : row.pairs)
    if (!pair->distances.empty()) usual.push_back(pair->distances.front().value);
  return range_text(usual, shown);
}

void print_pairs(std::ostream& out, const std::vector<PairRow>& rows) {
  if (rows.empty()) return;
  TextTable table({"CPUs", "by the kernel", "found", "throughput beside each other", "round trip of flags"});
  for (const PairRow& row : rows)
    table.add({names_of(row.pairs), row.relation, bond_text(row.bond), yield_text(row), trip_text(row)});
  out << "\n";
  table.print(out);
}

void tell_not_asked(std::ostream& out, const SurveyScope& scope) {
  if (!scope.left_out.empty())
    out << "not measured: CPUs " << cpu_ranges(scope.left_out) << ", for which there was no time\n";
  std::map<std::string, std::vector<int>> reasons;
  for (const auto& [cpu, reason] : scope.refused) reasons[reason].push_back(cpu);
  for (const auto& [reason, cpus] : reasons) out << "not measured: CPUs " << cpu_ranges(cpus) << ": " << reason << "\n";
}

/// Shares of those cores of which they are known.
std::vector<double> known_shares(const CoreSurvey& survey, const auto& share_of) {
  std::vector<double> shares;
  for (const CoreFinding& core : survey.cores)
    if (is_known(core) && core.stays_alone) shares.push_back(share_of(core));
  return shares;
}

/// "about 1.06 to 1.17 times"; empty where nothing can be forecast.
std::string times_text(const std::vector<double>& stays_alone) {
  const auto [least, most] = std::ranges::minmax(stays_alone);
  const auto longest = times_as_long(least);
  const auto shortest = times_as_long(most);
  if (!shortest) return {};
  if (!longest) return "from " + rounded(*shortest) + " to more than 20 times";
  return "about " + range_text({*shortest, *longest}, [](double times) { return rounded(times); }) + " times";
}

void conclude_on_sharing(std::ostream& out, const CoreSurvey& survey) {
  const auto shown = [](double share) { return percent(share); };
  const auto shared = known_shares(survey, [](const CoreFinding& core) { return core.shared; });
  const auto alone = known_shares(survey, [](const CoreFinding& core) { return *core.stays_alone; });
  out << "G-CORE: ";
  if (alone.empty()) {
    out << "no core was proved to be alone: how often they are shared, and the cost of this to a campaign, are "
           "unknown\n    what to do: values of such a campaign are as found; compare them with care\n";
    return;
  }
  if (std::ranges::max(shared) < noticeable && std::ranges::min(alone) > 1 - noticeable) {
    out << "the cores were alone nearly all of the time: campaigns take no longer\n";
    return;
  }
  out << "the cores were shared with other work " << range_text(shared, shown) << " of the time: ";
  if (const std::string times = times_text(alone); !times.empty())
    out << "campaigns will take " << times << " as long\n    one over " << range_text(alone, shown)
        << ", the share of 0.1 ms that a core was alone before and after, as a batch has to be;\n"
        << "    longer for several members, whose cores have to be alone at once\n";
  else
    out << "campaigns hardly ever have one alone\n    what to do: measure at another time or elsewhere; 'state = any' "
           "takes values as found\n";
}

/// Prints each pair for which the measurement contradicts the kernel.
void conclude_on_pairs(std::ostream& out, const CoreSurvey& survey, const SurveyScope& scope) {
  const std::set<std::string> of_one_core{"same-pu", "smt"};
  bool is_unclear = false;
  for (const PairFinding& pair : survey.pairs) {
    const bool reported_so = of_one_core.contains(scope.relation_of(pair.a, pair.b));
    is_unclear = is_unclear || pair.bond == CoreBond::not_clear;
    if (pair.bond == CoreBond::not_clear || (pair.bond == CoreBond::one_core) == reported_so) continue;
    out << "G-SMT: CPUs " << pair.a << " and " << pair.b
        << (reported_so
                ? " have separate cores, although the kernel reports that they share one\n"
                : " share a core, although the kernel reports that they do not: members on both slow each other down\n"
                  "    what to do: keep one of them idle, or read results of members on both as those of 'smt'\n");
  }
  if (is_unclear)
    out << "not clear: neither slow together and fast alone in nine of ten trials (8 at least), nor undisturbed in "
           "8 "
           "with cores\n    known to be alone; other work comes and goes, or the host moves the CPUs\n";
}

Json::Array levels_json(const std::vector<SeenLevel>& levels, const char* unit, const auto& in_unit) {
  Json::Array array;
  for (const SeenLevel& level : levels)
    array.emplace_back(Json::Object{{unit, in_unit(level.value)}, {"share", level.share}});
  return array;
}

Json core_json(const CoreFinding& core, int cycles_per_step) {
  Json json;
  json.set("cpu", core.cpu);
  json.set("shared", is_known(core) ? Json(core.shared) : Json());
  json.set("stays_alone", core.stays_alone ? Json(*core.stays_alone) : Json());
  if (cycles_per_step > 0)
    json.set("clock", levels_json(core.chains, "ghz", [&](double chain) { return cycles_per_step / chain; }));
  else
    json.set("clock", levels_json(core.chains, "ns_per_step", [](double chain) { return chain; }));
  json.set("alone_known_since", is_known(core) ? Json(ground_of(core.because)) : Json());
  return json;
}

Json pair_json(const PairFinding& pair, const std::string& relation) {
  const auto yield = [](double share) { return share > 0 ? Json(share) : Json(); };
  Json json;
  json.set("a", pair.a).set("b", pair.b);
  json.set("by_kernel", relation).set("found", bond_text(pair.bond));
  json.set("throughput_a", yield(pair.yield_a)).set("throughput_b", yield(pair.yield_b));
  json.set("round_trip", levels_json(pair.distances, "ns", [](double trip) { return trip; }));
  return json;
}

Json interruptions_json(const Interruptions& found) {
  Json json;
  json.set("count", found.count).set("lost_ns", found.lost.count).set("window_ns", found.window.count);
  json.set("to_threads_ns", found.to_threads.count);
  return json;
}

}  // namespace

Json::Object survey_facts(const CoreSurvey& survey, const SurveyScope& scope) {
  Json::Array cores;
  for (const CoreFinding& core : survey.cores) cores.push_back(core_json(core, survey.cycles_per_step));
  Json::Array pairs;
  for (const PairFinding& pair : survey.pairs) pairs.push_back(pair_json(pair, scope.relation_of(pair.a, pair.b)));
  return {{"surveyed_s", scope.time.count / 1e9},
          {"cores", std::move(cores)},
          {"pairs", std::move(pairs)},
          {"interruptions", interruptions_json(scope.interruptions)}};
}

void print_survey(std::ostream& out, const CoreSurvey& survey, const SurveyScope& scope) {
  if (survey.cores.empty()) {
    out << "cores: not measured\n";
    tell_not_asked(out, scope);
    return;
  }
  out << "cores: CPUs " << cpu_ranges(scope.asked) << " measured for " << rounded(scope.time)
      << ", one or two at a time\n\n";
  print_cores(out, survey);
  print_pairs(out, rows_of(survey, scope));
  out << "\n";
  tell_not_asked(out, scope);
  conclude_on_sharing(out, survey);
  conclude_on_pairs(out, survey, scope);
  if (scope.interruptions.is_noticeable()) out << "G-TAKEN: " << scope.interruptions.meaning() << "\n";
}

}  // namespace assay
