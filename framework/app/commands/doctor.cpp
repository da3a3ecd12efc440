// SPDX-License-Identifier: Apache-2.0
// `assay doctor`: what about this machine and session may spoil a campaign's numbers.
#include <algorithm>
#include <array>
#include <ostream>

#include "app/commands/commands.hpp"
#include "record/provenance.hpp"
#include "record/table.hpp"

namespace assay {

namespace {

constexpr Nanoseconds watched = milliseconds(500);

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
  TextTable table({"check", "verdict", "found"});
  for (const Check& check : checks) table.add({check.id, verdict_of(check), check.found});
  table.print(out);
  out << "\n";
  for (const Check& check : checks)
    if (check.status == CheckStatus::problem)
      out << check.id << ": " << check.meaning << "\n    what to do: " << check.remedy << "\n";
}

void count(std::ostream& out, const std::vector<Check>& checks) {
  const auto of = [&](CheckStatus status) { return std::ranges::count(checks, status, &Check::status); };
  const auto serious = std::ranges::count_if(checks, is_serious);
  out << serious << " serious, " << of(CheckStatus::problem) - serious << " for information, " << of(CheckStatus::ok)
      << " ok, " << of(CheckStatus::unknown) << " could not be checked\n";
}

int run_doctor(const CommandLine& line, const Registry& /*registry*/, Terminal& terminal) {
  auto checks = session_checks(Topology::this_machine(), value_of(line, "output").value_or("."), watched);
  std::ranges::stable_sort(checks, {}, rank_of);
  print(terminal.out, checks);
  count(terminal.out, checks);
  return line.has("strict") && std::ranges::any_of(checks, is_serious) ? ExitCode::some_failed : ExitCode::ok;
}

}  // namespace

CommandInfo doctor_command() {
  CommandInfo command;
  command.name = "doctor";
  command.synopsis = "doctor [--strict] [--output DIR]";
  command.summary = "Checks machine and session for what may spoil a campaign's numbers. Changes nothing.";
  command.details =
      "Problems stand first, with what they mean and what to do; then what is well, and what could not be checked.\n";
  command.options = {
      {"strict", "", "exit with 1 where there is a problem of level warn, noisy or error"},
      {"output", {"DIR", ValueKind::directory}, "look at the room on the disk for results there; default: here"},
      help_option()};
  command.exits = {ExitCode::some_failed};
  command.examples = {{"assay doctor", "what may spoil numbers here, and what to do about it"},
                      {"assay doctor --strict || echo \"not fit for measuring\"", "the same as a check in a script"}};
  command.run = &run_doctor;
  return command;
}

}  // namespace assay
