// SPDX-License-Identifier: Apache-2.0
// The world around a campaign that is really measured.
#include "app/measuring.hpp"

#include <csignal>
#include <ostream>

#include "app/estimate.hpp"
#include "app/mpi_library.hpp"
#include "app/progress.hpp"
#include "app/results.hpp"
#include "platform/process.hpp"
#include "platform/stop_signals.hpp"
#include "platform/system_clock.hpp"
#include "record/provenance.hpp"
#include "record/table.hpp"
#include "run/campaign.hpp"
#include "run/supervisor.hpp"

namespace assay {

namespace {

SessionRecord session_of(const Measuring& run, int number) {
  SessionRecord session;
  session.session = number;
  session.started = utc_now();
  session.command_line = run.command_line;
  session.facts = session_facts(run.topology);
  session.facts.emplace_back("mpi.library", mpi_library());
  return session;
}

void announce(const Measuring& run) {
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

History history_of(const JournalContent* earlier) {
  History history;
  if (earlier != nullptr)
    for (const Record& record : earlier->records) history.add(record);
  return history;
}

CampaignEnd measure(const Measuring& run, History& history, Collector& collector, Journal& journal,
                    StopSignals& signals) {
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
  world.tick = scheduler_tick();
  world.execute = run_shell;
  world.begin = [&](int session) { return session_of(run, session); };
  const auto end = run_campaign(run.plan, history, world);
  display.clear();
  return end;
}

void summarize(const Measuring& run, const std::vector<Record>& records) {
  print_results(run.terminal.out, records);
  run.terminal.out.flush();
  if (run.quiet) return;
  run.terminal.err << "Results are in " << run.plan.output << "; 'assay show " << run.plan.output
                   << "' prints them again\n";
}

Journal journal_of(const CampaignPlan& plan, const JournalContent* earlier, const Clock& clock) {
  return earlier == nullptr ? Journal(plan.output, clock) : Journal(plan.output, *earlier, clock);
}

// Measures with signals held back; returns the signal that ended it, if one did.
int execute(const Measuring& run, const JournalContent* earlier, int& exit_code) {
  StopSignals signals;
  const MonotonicClock clock;
  Journal journal = journal_of(run.plan, earlier, clock);
  announce(run);
  Collector collector(journal);
  auto history = history_of(earlier);
  if (earlier == nullptr)
    collector.write(CampaignRecord{run.plan.title, run.plan.configuration, run.plan.seed, to_text(run.plan.schedule)});
  else
    collector.remember(earlier->records);
  const auto end = measure(run, history, collector, journal, signals);
  exit_code = end.exit_code();
  summarize(run, collector.records());
  return signals.received();
}

}  // namespace

std::string command_text(const std::string& command, const CommandLine& line) {
  std::string text = "assay " + command;
  for (const std::string& argument : line.arguments) {
    const bool plain = !argument.empty() && argument.find_first_of(" \t\n'\"\\$*?;&|<>()#`!~{}[]") == argument.npos;
    text += plain ? " " + argument : " '";
    if (plain) continue;
    for (const char letter : argument) text += letter == '\'' ? "'\\''" : std::string(1, letter);
    text += "'";
  }
  return text;
}

int measure_campaign(const Measuring& measuring, const JournalContent* earlier) {
  int exit_code = ExitCode::internal;
  const int signal_number = execute(measuring, earlier, exit_code);
  // A shell that sent the interrupt to a whole script learns only so that it was one.
  if (signal_number == SIGINT) end_by_signal(SIGINT);
  return exit_code;
}

}  // namespace assay
