// SPDX-License-Identifier: Apache-2.0
// `assay run`: measures a campaign and keeps its results.
#include <csignal>
#include <limits>
#include <ostream>

#include "app/commands/commands.hpp"
#include "app/estimate.hpp"
#include "app/mpi_library.hpp"
#include "app/progress.hpp"
#include "app/results.hpp"
#include "app/suggest.hpp"
#include "base/typed.hpp"
#include "platform/process.hpp"
#include "platform/stop_signals.hpp"
#include "platform/system_clock.hpp"
#include "record/provenance.hpp"
#include "record/table.hpp"
#include "run/campaign.hpp"
#include "run/supervisor.hpp"

namespace assay {

namespace {

// What one campaign is run with.
struct Run {
  const CampaignPlan& plan;
  const Topology& topology;
  std::string command_line;
  bool quiet = false;
  Terminal& terminal;
};

// The command as a shell would take it.
std::string command_text(const CommandLine& line) {
  std::string text = "assay run";
  for (const std::string& argument : line.arguments) {
    const bool plain = !argument.empty() && argument.find_first_of(" \t\n'\"\\$*?;&|<>()#`!~{}[]") == argument.npos;
    text += plain ? " " + argument : " '";
    if (plain) continue;
    for (const char letter : argument) text += letter == '\'' ? "'\\''" : std::string(1, letter);
    text += "'";
  }
  return text;
}

SessionRecord session_of(const Run& run) {
  SessionRecord session;
  session.started = utc_now();
  session.command_line = run.command_line;
  session.facts = session_facts(run.topology);
  session.facts.emplace_back("mpi.library", mpi_library());
  return session;
}

void announce(const Run& run) {
  if (run.quiet) return;
  const auto cost = estimate_cost(run.plan, planned_points(run.plan), run.topology.usable().size());
  const auto series = run.plan.series.size();
  run.terminal.err << "Campaign " << run.plan.title << ": " << series << " series, " << to_text(cost)
                   << "\nResults go to " << run.plan.output << std::endl;
}

// Hands records on, and tells each finished point once it is kept.
class Teller final : public Sink {
 public:
  Teller(Sink& next, ProgressDisplay& display, bool quiet) : next_(next), display_(display), quiet_(quiet) {}
  void write(const Record& record) override {
    next_.write(record);
    const auto* point = std::get_if<PointRecord>(&record);
    if (point != nullptr && !quiet_) display_.log(one_line(*point));
  }

 private:
  Sink& next_;
  ProgressDisplay& display_;
  bool quiet_;
};

CampaignEnd measure(const Run& run, Collector& collector, Journal& journal, StopSignals& signals) {
  collector.write(CampaignRecord{run.plan.title, run.plan.configuration, run.plan.seed, "interleaved"});
  collector.write(session_of(run));
  const MonotonicClock clock;
  Supervisor supervisor(run.plan, own_program());
  ProgressDisplay display(run.terminal.err, progress_style(run.terminal.err_is_terminal), clock);
  Teller teller(collector, display, run.quiet);
  Surroundings world{clock, supervisor, teller, run.topology.usable().size()};
  world.progress = [&](const Progress& progress) {
    journal.sync_if_due();
    if (!run.quiet) display.show(progress);
  };
  world.stop_requested = [&] { return signals.requested(); };
  const auto end = run_campaign(run.plan, world);
  display.clear();
  return end;
}

void summarize(const Run& run, const std::vector<Record>& records) {
  print_results(run.terminal.out, records);
  run.terminal.out.flush();
  if (run.quiet) return;
  run.terminal.err << "Results are in " << run.plan.output << "; 'assay show " << run.plan.output
                   << "' prints them again\n";
}

// Measures with signals held back; returns the signal that ended it, if one did.
int execute(const Run& run, int& exit_code) {
  StopSignals signals;
  const MonotonicClock clock;
  Journal journal(run.plan.output, clock);
  announce(run);
  Collector collector(journal);
  const auto end = measure(run, collector, journal, signals);
  exit_code = end.exit_code();
  summarize(run, collector.records());
  return signals.received();
}

int run(const CommandLine& line, const Registry& registry, Terminal& terminal) {
  const auto topology = Topology::this_machine();
  const auto plan = load_plan(line.operands, overrides_of(line), catalogue_of(registry), topology);
  const Run campaign{plan, topology, command_text(line), line.has("quiet"), terminal};
  int exit_code = ExitCode::internal;
  const int signal_number = execute(campaign, exit_code);
  // A shell that sent the interrupt to a whole script learns only so that it was one.
  if (signal_number == SIGINT) end_by_signal(SIGINT);
  return exit_code;
}

}  // namespace

CommandInfo run_command() {
  CommandInfo command;
  command.name = "run";
  command.synopsis = "run FILE... [options]";
  command.summary = "Measures what the files ask for, and keeps the results in a new directory.";
  command.details =
      "Ctrl-C or SIGTERM end a campaign in good order, with all results so far (exit code 75, or by the signal).\n";
  command.least_operands = 1;
  command.most_operands = std::numeric_limits<std::size_t>::max();
  command.options = override_options();
  command.options.insert(command.options.begin(), {"output", "DIR", "directory to create for the results"});
  command.options.push_back({"quiet", "", "no progress, no remarks: tables and errors only"});
  command.options.push_back(help_option());
  command.run = &run;
  return command;
}

}  // namespace assay
