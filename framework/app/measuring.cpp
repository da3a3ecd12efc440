// SPDX-License-Identifier: Apache-2.0
// The world around a campaign that is really measured.
#include "app/measuring.hpp"

#include <algorithm>
#include <csignal>
#include <iterator>
#include <ostream>
#include <utility>

#include "app/estimate.hpp"
#include "app/mpi.hpp"
#include "app/plugins.hpp"
#include "app/progress.hpp"
#include "app/results.hpp"
#include "app/scheduler.hpp"
#include "platform/cgroup.hpp"
#include "platform/identity.hpp"
#include "platform/privileges.hpp"
#include "platform/process.hpp"
#include "platform/sharing.hpp"
#include "platform/stop_signals.hpp"
#include "platform/system_clock.hpp"
#include "record/anonymous.hpp"
#include "record/layout.hpp"
#include "record/printable.hpp"
#include "record/provenance.hpp"
#include "record/table.hpp"
#include "run/campaign.hpp"
#include "run/identity.hpp"
#include "run/limit_warnings.hpp"
#include "run/supervisor.hpp"

namespace assay {

namespace {

// What the checks of machine and session found: kept in the session's facts, told once.
class CheckUp {
 public:
  explicit CheckUp(const Measuring& run) : checks_(session_checks(run.topology, run.plan.output)) {}
  void tell(std::ostream& out) const {
    for (const Check& check : checks_)
      if (is_serious(check)) out << check.id << ": " << to_text(check) << "\n";
  }
  void add_to(Facts& facts) const {
    for (const Check& check : checks_) facts.emplace_back("check." + check.id, to_text(check));
  }
  bool is_serious_somewhere() const { return std::ranges::any_of(checks_, is_serious); }

 private:
  std::vector<Check> checks_;
};

// A result that does not keep what was asked for, or was disturbed too often.
bool is_marked(const Record& record) {
  const auto* point = std::get_if<PointRecord>(&record);
  if (point == nullptr) return false;
  const bool is_short = point->outcome == Outcome::max_time || point->outcome == Outcome::max_timings ||
                        point->outcome == Outcome::too_noisy;
  return is_short || std::ranges::any_of(point->results, &Result::noisy);
}

SessionRecord session_of(const Measuring& run, Earlier* earlier, int number, const std::string& tag,
                         const CheckUp& check_up) {
  SessionRecord session;
  if (earlier != nullptr) {
    // Of the first of these sessions only.
    session.new_machine = std::exchange(earlier->new_machine, false);
    session.configuration = std::exchange(earlier->configuration, {});
  }
  session.session = number;
  session.started = utc_now();
  session.command_line = run.command_line;
  session.facts = facts_now(run.topology);
  session.facts.emplace_back("run.tag", tag);
  std::ranges::move(plugin_facts(run.plan), std::back_inserter(session.facts));
  check_up.add_to(session.facts);
  return session;
}

void announce(const Measuring& run) {
  for (const std::string& warning : plugin_warnings(run.plan))
    run.terminal.err << "assay: warning: " << warning << "\n";
  if (run.quiet) return;
  if (is_root() && !drops_privileges())
    run.terminal.remarks()
        << "note: running as root: what is measured, plugins included, has root's rights; --drop-to USER "
           "takes them away\n";
  const auto cost = estimate_cost(run.plan, planned_points(run.plan), run.topology.usable().size());
  const auto series = run.plan.series.size();
  run.terminal.remarks() << "Campaign " << printable(run.plan.title) << ": " << series << " series, " << to_text(cost)
                         << "\nResults go to " << printable(run.plan.output) << std::endl;
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

CampaignEnd measure(const Measuring& run, Earlier* earlier, Sink& sink, Journal& journal, StopSignals& signals,
                    const CheckUp& check_up) {
  const MonotonicClock clock;
  const ClockFacts clock_at_start = monotonic_clock_facts();
  const SystemCounters counters(run.topology.usable(), own_cgroups());
  Supervisor supervisor(run.plan, worker_program(), {signals.descriptor(), [&] { return signals.requested(); }});
  for (const std::string& warning : limit_warnings(run.plan)) {
    run.terminal.remarks() << "assay: warning: " << warning << std::endl;
    sink.write(NoteRecord{warning});
  }
  ProgressDisplay display(run.terminal.remarks(), progress_style(run.terminal.err_is_terminal), clock);
  Teller teller(sink, display, run.quiet);
  Surroundings world{clock, supervisor, teller, run.topology.usable().size()};
  world.progress = [&](const Progress& progress) {
    journal.sync_if_due();
    if (!run.quiet) display.show(progress);
  };
  world.stop_requested = [&] { return signals.finish_requested(); };
  world.tick = scheduler_tick();
  world.execute = run_shell;
  world.begin = [&](int session) { return session_of(run, earlier, session, supervisor.tag(), check_up); };
  world.look = [&](const std::vector<int>& cpus) { return counters.read(cpus); };
  world.check_clock = [&] { return clock_change(clock_at_start, monotonic_clock_facts()); };
  History none;
  const auto end = earlier == nullptr ? run_campaign(run.plan, none, world)
                                      : run_campaign(run.plan, earlier->history, world, earlier->continuation);
  display.clear();
  return end;
}

Journal journal_of(const Measuring& run, const Earlier* earlier, const Clock& clock) {
  const JournalOptions options{run.plan.durability, run.steal_lock};
  if (earlier != nullptr) return {run.plan.output, earlier->end, clock, options};
  return run.begun ? Journal(run.plan.output, *run.begun, clock, options) : Journal(run.plan.output, clock, options);
}

// Measures with signals held back; returns the signal that ended it, if one did.
int execute(const Measuring& run, Earlier* earlier, int& exit_code) {
  StopSignals signals;
  const MonotonicClock clock;
  Journal journal = journal_of(run, earlier, clock);
  announce(run);
  const CheckUp check_up(run);
  if (!run.quiet) check_up.tell(run.terminal.remarks());
  if (run.share) share_directory(run.plan.output);
  Collector collector(journal);
  AnonymousSink anonymous(collector, own_names());
  Sink& sink = run.anonymous ? static_cast<Sink&>(anonymous) : collector;
  if (earlier == nullptr) {
    sink.write(CampaignRecord{run.plan.title, run.plan.configuration, run.plan.seed, to_text(run.plan.schedule),
                              id_of(meaning_of(run.plan))});
  } else {
    collector.remember(earlier->tabled);
    for (const std::string& note : earlier->notes) sink.write(NoteRecord{note});
  }
  const auto end = measure(run, earlier, sink, journal, signals, check_up);
  exit_code = end.exit_code();
  if (run.share) share_directory(run.plan.output);  // what was added meanwhile
  const bool is_warned =
      end.warnings > 0 || check_up.is_serious_somewhere() || std::ranges::any_of(collector.records(), is_marked);
  if (run.strict && is_warned && exit_code == ExitCode::ok) exit_code = ExitCode::some_failed;
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

Facts facts_now(const Topology& topology) {
  Facts facts = session_facts(topology);
  facts.emplace_back("mpi.library", mpi_library());
  return facts;
}

void summarize(const Measuring& run, const std::vector<Record>& records) {
  find_layout(run.plan.layout)->print(run.terminal.out, records, Detail::usual);
  run.terminal.out.flush();
  if (run.quiet) return;
  run.terminal.remarks() << "Results are in " << printable(run.plan.output) << "; 'assay show "
                         << printable(run.plan.output) << "' prints them again\n";
}

void take_options(Measuring& measuring, const CommandLine& line) {
  measuring.share = line.has("share");
  measuring.steal_lock = line.has("steal-lock");
  measuring.strict = line.has("strict");
  measuring.anonymous = line.has("anonymous");
}

int measure_campaign(const Measuring& measuring, Earlier* earlier) {
  int exit_code = ExitCode::internal;
  CampaignPlan plan = measuring.plan;
  limit_to_job(plan, measuring.terminal, measuring.quiet);
  const int signal_number = execute(measuring.by(plan), earlier, exit_code);
  // A shell that sent the interrupt to a whole script learns only so that it was one.
  if (signal_number == SIGINT) end_by_signal(SIGINT);
  return exit_code;
}

}  // namespace assay
