// SPDX-License-Identifier: Apache-2.0
// `assay doctor`: what about this machine and session may spoil a campaign's numbers.
#include <algorithm>
#include <array>
#include <ostream>

#include "app/commands/commands.hpp"
#include "app/results/core_report.hpp"
#include "app/results/listing.hpp"
#include "platform/clock/yardstick.hpp"
#include "platform/machine/machine.hpp"
#include "record/provenance.hpp"
#include "team/local/surveyor.hpp"

namespace assay {

namespace {

constexpr Nanoseconds watched = milliseconds(500);
constexpr std::int64_t usual_survey = 5;  // s
constexpr std::int64_t longest_survey = 60;

// Problems first, the gravest of them at the top; then what is well; then what could not be checked.
int rank_of(const Check& check) {
  if (check.status == CheckStatus::problem) return -static_cast<int>(check.level);
  return check.status == CheckStatus::ok ? 1 : 2;
}

std::string verdict_of(const Check& check) {
  if (check.status == CheckStatus::ok) return "ok";
  return check.status == CheckStatus::problem ? to_text(check.level) : "could not check";
}

void print(std::ostream& out, const std::vector<Check>& checks) {
  Listing table{"checks", {"check", "verdict", "found"}};
  for (const Check& check : checks) table.add({check.id, verdict_of(check), check.found});
  print_wrapped(out, table);
  out << "\n";
  for (const Check& check : checks)
    if (check.status == CheckStatus::problem)
      out << check.id << ": " << check.meaning << "\n    what to do: " << check.remedy << "\n";
}

// With what a problem means and what to do about it in columns of their own.
Listing listing_of(const std::vector<Check>& checks) {
  Listing listing{"checks", {"check", "verdict", "found", "meaning", "remedy"}};
  for (const Check& check : checks)
    listing.add({check.id, verdict_of(check), check.found, check.meaning, check.remedy});
  return listing;
}

void count(std::ostream& out, const std::vector<Check>& checks) {
  const auto of = [&](CheckStatus status) { return std::ranges::count(checks, status, &Check::status); };
  const auto serious = std::ranges::count_if(checks, is_serious);
  out << serious << " serious, " << of(CheckStatus::problem) - serious << " for information, " << of(CheckStatus::ok)
      << " ok, " << of(CheckStatus::unknown) << " could not be checked\n";
}

struct Survey {
  CoreSurvey found;
  SurveyScope scope;
};

Survey survey(const Topology& topology, Nanoseconds time, AppContext& context) {
  SurveyScope scope;
  scope.time = time;
  const std::vector<int> chosen = surveyed_cpus(topology.by_nearness());
  std::ranges::set_difference(topology.usable(), chosen, std::back_inserter(scope.left_out));
  scope.relation_of = [&topology](int a, int b) { return topology.relation(a, b); };
  if (context.err_is_terminal) context.remarks() << "Measuring the cores for " << time.count / 1e9 << " s" << std::endl;
  const int cycles_per_step = cycles_per_chain_step();
  SurveyYield yield = survey_cores(chosen, time);
  scope.refused = std::move(yield.refused);
  scope.interruptions = interruptions_of(chosen);
  CoreSurvey found = survey_of(yield.turns, yield.trips, CoreLevels(cycles_per_step, one_thread_per_core()));
  for (const CoreFinding& core : found.cores) scope.asked.push_back(core.cpu);
  return {std::move(found), std::move(scope)};
}

int run_doctor(const CommandLine& line, const Registry& /*registry*/, AppContext& context) {
  const auto asked = line.value<std::int64_t>("seconds").value_or(usual_survey);
  const Nanoseconds time = seconds(static_cast<double>(asked));
  const Topology topology = Topology::this_machine();
  auto checks = session_checks(topology, value_of(line, "output").value_or("."), watched);
  std::ranges::stable_sort(checks, {}, rank_of);
  const bool has_failed = line.has("strict") && std::ranges::any_of(checks, is_serious);
  if (const ListingFormat format = listing_format(line); format != ListingFormat::table) {
    Listing listing = listing_of(checks);
    if (format == ListingFormat::json && time > Nanoseconds{}) {
      const Survey surveyed = survey(topology, time, context);
      listing.facts = survey_facts(surveyed.found, surveyed.scope);
    }
    write_listing(context.out, listing, format);
    return has_failed ? ExitCode::some_failed : ExitCode::ok;
  }
  print(context.out, checks);
  count(context.out, checks);
  context.out.flush();
  if (time > Nanoseconds{}) {
    const Survey surveyed = survey(topology, time, context);
    context.out << "\n";
    print_survey(context.out, surveyed.found, surveyed.scope);
  }
  return has_failed ? ExitCode::some_failed : ExitCode::ok;
}

}  // namespace

CommandInfo doctor_command() {
  CommandInfo command;
  command.name = "doctor";
  command.synopsis = "doctor [--strict] [--output DIR] [--seconds S] [--format FORMAT]";
  command.summary = "Checks machine, session and cores for anything that may distort results. Changes nothing.";
  command.details =
      "Problems are printed first, with their meaning and what to do; then what is in order or not checkable.\nThen "
      "the cores are measured: how often each is shared with other work, its clock, which CPUs really share a\ncore, "
      "the distances between them, and how much longer campaigns will take. json has the same; csv has the checks "
      "only.\n";
  command.options = {{"strict", "", "exit with 1 where there is a problem of level warn, noisy or error"},
                     {"output", {"DIR", ValueKind::directory}, "check the free space for results there; default: here"},
                     {"seconds",
                      {"S", count_value(0, longest_survey)},
                      "time to measure the cores, up to 60; default: 5; 0: not at all"},
                     listing_option(),
                     help_option()};
  command.exits = {ExitCode::some_failed};
  command.examples = {{"assay doctor", "what may distort results here, and what to do about it"},
                      {"assay doctor --seconds 0", "the checks alone, without measuring the cores"},
                      {"assay doctor --strict || echo \"not fit for measuring\"", "the same as a check in a script"}};
  command.run = &run_doctor;
  return command;
}

}  // namespace assay
