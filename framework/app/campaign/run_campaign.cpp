// SPDX-License-Identifier: Apache-2.0
// The world around a campaign that is really measured.
#include "app/campaign/run_campaign.hpp"

#include <algorithm>
#include <csignal>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <ostream>
#include <utility>

#include "app/campaign/estimate.hpp"
#include "app/campaign/launcher.hpp"
#include "app/campaign/progress.hpp"
#include "app/campaign/scheduler.hpp"
#include "app/cli/mpi.hpp"
#include "app/cluster/cluster_folder.hpp"
#include "app/cluster/measurement_token.hpp"
#include "app/config/plugins.hpp"
#include "app/results/comparing.hpp"
#include "app/results/results.hpp"
#include "app/results/screen.hpp"
#include "platform/clock/interruptions.hpp"
#include "platform/clock/system_clock.hpp"
#include "platform/clock/yardstick.hpp"
#include "platform/file/result_permissions.hpp"
#include "platform/file/shared_object.hpp"
#include "platform/machine/cgroup.hpp"
#include "platform/machine/identity.hpp"
#include "platform/machine/machine.hpp"
#include "platform/process/leftovers.hpp"
#include "platform/process/process.hpp"
#include "platform/process/self.hpp"
#include "platform/process/termination_signals.hpp"
#include "platform/procfs/kernel_observers.hpp"
#include "record/journal/anonymous.hpp"
#include "record/layout/layouts.hpp"
#include "record/table/table.hpp"
#include "run/mpi/rank_host.hpp"
#include "run/series/identity.hpp"
#include "run/session/campaign.hpp"
#include "run/worker/supervisor.hpp"
#include "text/number_format.hpp"
#include "text/printable.hpp"
#include "text/suggest.hpp"

namespace assay {

void CheckUp::tell(std::ostream& out) const {
  for (const Check& check : checks_)
    if (is_serious(check)) out << check.id << ": " << to_text(check) << "\n";
}

void CheckUp::add_to(Facts& facts) const {
  for (const Check& check : checks_) facts.emplace_back("check." + check.id, to_text(check));
}

bool CheckUp::is_serious_somewhere() const { return std::ranges::any_of(checks_, is_serious); }

namespace {

// Points in plain tables at most: a campaign of any length ends in the memory that it ran in.
constexpr std::size_t most_points = 2000;

// The nodes of a launch, by rank.
std::string nodes_text(const RankMap& map) {
  std::string text;
  for (const RankInfo& rank : map) text += (text.empty() ? "" : " ") + rank.node;
  return text;
}

RankMap map_of(const RankTeams* ranks) { return ranks == nullptr ? RankMap() : ranks->map(); }

SessionRecord session_of(const CampaignRun& run, Earlier* earlier, int number, const std::string& tag,
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
  std::ranges::move(thread_level_fact(run.plan(), run.context.ranks), std::back_inserter(session.facts));
  session.facts.emplace_back("run.tag", tag);
  if (run.context.ranks != nullptr) session.facts.emplace_back(nodes_fact, nodes_text(run.context.ranks->map()));
  std::ranges::move(plugin_facts(run.plan()), std::back_inserter(session.facts));
  session.facts.insert(session.facts.end(), run.against.begin(), run.against.end());
  check_up.add_to(session.facts);
  return session;
}

void announce(const CampaignRun& run) {
  for (const std::string& warning : plugin_warnings(run.plan()))
    run.context.err << "assay: warning: " << warning << "\n";
  if (run.quiet) return;
  if (is_root() && !drops_privileges())
    run.context.remarks()
        << "note: running as root: what is measured, plugins included, has root's rights; --drop-to USER "
           "takes them away\n";
  for (const auto& [key, value] : run.against)
    if (key.starts_with(against_note_prefix)) run.context.remarks() << "note: " << printable(value) << "\n";
  const auto cost = estimate_cost(run.plan(), run.topology.usable().size());
  const auto series = run.plan().series.size();
  run.context.remarks() << "Campaign " << printable(run.plan().title) << ": " << series << " series, " << to_text(cost)
                        << "\nResults go to " << printable(run.plan().output) << std::endl;
}

// The factors of each series that have several levels, or may get them.
std::map<std::string, std::vector<std::string>> varying_factors(const CampaignPlan& plan) {
  std::map<std::string, std::vector<std::string>> factors;
  for (const SeriesPlan& series : plan.series) {
    auto& names = factors[series.name];
    for (const FactorDomain& factor : series.factors)
      if (varies(factor)) names.push_back(factor.name);
  }
  return factors;
}

Nanoseconds await_turn(MeasurementToken* token, TerminationSignals& signals) {
  if (token == nullptr) return {};
  return token->take_turns([&] { return signals.finish_requested(); });
}

CampaignEnd measure(const CampaignRun& run, Earlier* earlier, Sink& sink, Journal& journal, TerminationSignals& signals,
                    const CheckUp& check_up, bool& is_marked) {
  const MonotonicClock clock;
  const ClockFacts clock_at_start = monotonic_clock_facts();
  const SystemCounters counters(run.topology.usable(), own_cgroups());
  InterruptionWatch interruptions(clock, [&] { return interruptions_of(run.topology.usable()); });
  std::optional<Supervisor> supervisor;
  std::optional<RankHost> ranks;
  if (run.context.ranks != nullptr)
    ranks.emplace(run.plan(), *run.context.ranks);
  else
    supervisor.emplace(run.plan(), worker_program(),
                       Interrupt{signals.descriptor(), [&] { return signals.requested(); }});
  Host& host = ranks ? static_cast<Host&>(*ranks) : *supervisor;
  std::optional<MpiLaunches> launches;
  const LaunchPlace whole_launch;
  if (!ranks)
    if (auto setup = launcher_of(run.plan(), run.topology.usable().size(), run.context, signals, journal))
      launches.emplace(run.plan(), std::move(*setup));
  const std::string tag = supervisor ? supervisor->tag() : new_run_tag();
  for (const std::string& warning : limit_warnings(run.plan())) {
    run.context.remarks() << "assay: warning: " << warning << std::endl;
    sink.write(NoteRecord{warning});
  }
  LiveLine display(run.context.remarks(), line_style(run.context.err_is_terminal), clock);
  const TextStyle style = text_style(ColourChoice::automatic, run.context.err_is_terminal);
  ConsoleSink console(sink, display, run.quiet, GrowingTable(varying_factors(run.plan()), style));
  Surroundings world{clock, host, console, run.topology.usable().size()};
  world.progress = [&](const Progress& progress) {
    journal.sync_if_due();
    if (!run.quiet) display.show([&] { return live_text(progress); });
  };
  world.stop_requested = [&] { return signals.finish_requested(); };
  world.await_turn = [&] { return await_turn(run.context.token, signals); };
  world.tick = scheduler_tick();
  world.interruptions = [&] { return interruptions.latest(); };
  world.execute = run_shell;
  world.begin = [&](int session) { return session_of(run, earlier, session, tag, check_up); };
  world.look = [&](const std::vector<int>& cpus) { return counters.read(cpus); };
  world.observed_by = [] { return to_text(kernel_observers()); };
  world.cycles_per_step = cycles_per_chain_step();
  world.one_thread_per_core = one_thread_per_core();
  world.is_virtual_machine = is_virtual_machine();
  world.nodes = cores_of_nodes(map_of(run.context.ranks));
  world.check_clock = [&] { return clock_change(clock_at_start, monotonic_clock_facts()); };
  if (launches) world.launches = &*launches;
  if (ranks) world.launch = &whole_launch;
  History none(scope_of(run.plan(), run.plan().sessions <= 1));
  const auto end = earlier == nullptr ? run_campaign(run.plan(), none, world)
                                      : run_campaign(run.plan(), earlier->history, world, earlier->continuation);
  display.clear();
  is_marked = is_marked || console.saw_marked();
  return end;
}

Journal journal_of(const CampaignRun& run, const Earlier* earlier, const Clock& clock) {
  const JournalOptions options{run.plan().durability, run.steal_lock};
  if (earlier != nullptr) return {run.plan().output, earlier->end, clock, options};
  return run.begun ? Journal(run.plan().output, *run.begun, clock, options)
                   : Journal(run.plan().output, clock, options);
}

int exit_code_of(const CampaignRun& run, const CampaignEnd& end, bool is_warned) {
  const int code = end.exit_code();
  return run.strict && is_warned && code == ExitCode::ok ? ExitCode::some_failed : code;
}

// The last line of a campaign that was stopped: what is kept, and the command for the rest.
void tell_how_to_go_on(const CampaignRun& run, const CampaignEnd& end) {
  if (run.quiet) return;
  run.context.remarks() << "Stopped (" << end.reason << ") with "
                        << counted(static_cast<std::size_t>(end.points), "point")
                        << " finished in this session; 'assay resume " << printable(run.plan().output)
                        << "' measures the rest" << std::endl;
}

// Measures with signals held back; returns the signal that ended it, if one did.
int execute(const CampaignRun& run, Earlier* earlier, int& exit_code) {
  TerminationSignals signals;
  const MonotonicClock clock;
  Journal journal = journal_of(run, earlier, clock);
  announce(run);
  const CheckUp check_up(run.topology, run.plan().output);
  if (!run.quiet) check_up.tell(run.context.remarks());
  if (run.share) share_directory(run.plan().output);
  AnonymousSink anonymous(journal, own_names());
  Sink& sink = run.anonymous ? static_cast<Sink&>(anonymous) : journal;
  if (earlier == nullptr) {
    sink.write(CampaignRecord{run.plan().title, run.plan().configuration, run.plan().seed, to_text(run.plan().schedule),
                              id_of(meaning_of(run.plan()))});
  } else {
    for (const std::string& note : earlier->notes) sink.write(NoteRecord{note});
  }
  bool is_marked = earlier != nullptr && earlier->is_marked;
  const auto end = measure(run, earlier, sink, journal, signals, check_up, is_marked);
  const bool is_warned = end.warnings > 0 || check_up.is_serious_somewhere() || is_marked;
  exit_code = exit_code_of(run, end, is_warned);
  if (run.share) share_directory(run.plan().output);  // what was added meanwhile
  exit_code = conclude(run, exit_code);
  if (exit_code == ExitCode::stopped) tell_how_to_go_on(run, end);
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
  const std::string program = worker_program();
  facts.emplace_back(program_path_fact, program);
  try {
    facts.emplace_back(program_build_fact, file_build(program));
  } catch (const PlatformError& error) {
    facts.emplace_back(program_build_fact, std::string("not available: ") + error.what());
  }
  return facts;
}

void summarize(const CampaignRun& run) {
  // What other layouts make of some points is not what they make of all.
  const auto own = usable_layout(run.plan().layout);
  const Layout layout = own ? *own : *find_layout(plain_layout);
  const bool is_plain = layout.name == plain_layout;
  Tabled tabled = read_tabled(run.plan().output, is_plain ? most_points : std::numeric_limits<std::size_t>::max());
  const ShownCampaign campaign{run.plan().title, std::move(tabled.records)};
  TableChoice choice;
  choice.detail = run.verbose ? TableDetail::verbose : TableDetail::brief;
  choice.style = text_style(ColourChoice::automatic, run.context.out_is_terminal);
  choice.cycles = run.cycles;
  if (is_plain)
    print_results(run.context.out, campaign.records, choice);
  else
    layout.print(run.context.out, {&campaign, 1}, Detail::usual);
  if (tabled.left_out > 0)
    run.context.out << "The tables have " << most_points << " points, " << tabled.left_out
                    << " more are left out; 'assay show " << printable(run.plan().output) << "' prints all of them\n";
  run.context.out.flush();
  if (run.quiet) return;
  run.context.remarks() << "Results are in " << printable(run.plan().output) << "; 'assay show "
                        << printable(run.plan().output) << "' prints them again\n";
}

int conclude(const CampaignRun& run, int code) {
  summarize(run);
  const bool is_complete = code == ExitCode::ok || code == ExitCode::some_failed;
  if (variant_against(run.plan()) == nullptr || (!is_complete && code != ExitCode::stopped)) return code;
  const ComparisonReport report = report_against("assay run", run.plan().output, run.context.err);
  // Of an incomplete one the sides have not been measured to their ends: it is shown, and not judged.
  run.context.out << '\n';
  if (!is_complete) run.context.out << "So far, and not judged before all points are finished:\n";
  print_comparison(run.context.out, report);
  if (!is_complete) return code;
  if (count_of(report, Change::slower) > 0) return ExitCode::regression;
  return report.results.empty() && code == ExitCode::ok ? ExitCode::refused : code;
}

void take_options(CampaignRun& measuring, const CommandLine& line) {
  measuring.share = line.has("share");
  measuring.steal_lock = line.has("steal-lock");
  measuring.strict = line.has("strict");
  measuring.verbose = line.has("verbose");
  measuring.anonymous = line.has("anonymous");
}

namespace {

// Results of two builds are no sample of one.
void require_builds(const CampaignPlan& plan) {
  for (const Variant& variant : plan.variants) {
    if (variant.build.empty()) continue;
    std::string found;
    try {
      found = file_build(variant.program);
    } catch (const PlatformError& error) {
      found = error.what();
    }
    if (found != variant.build)
      throw ResultError("variant " + variant.name + ": " + shown_path(variant.program) +
                        " is not the program that the campaign asks for: build " + variant.build + " there, " + found +
                        " here; put that build back, or run a new campaign");
  }
}

// What is refined goes on from finished points, and a launch that was not started from outside has to finish them
// itself.
void one_launch(CampaignPlan& plan) {
  for (SeriesPlan& series : plan.series)
    if (is_refined(series)) series.precision.incarnations = series.precision.rule.max_incarnations = 1;
}

}  // namespace

int measure_campaign(const CampaignRun& measuring, Earlier* earlier) {
  int exit_code = ExitCode::internal;
  require_builds(measuring.plan());
  CampaignPlan plan = measuring.plan();
  limit_to_job(plan, measuring.context, measuring.quiet);
  if (measuring.context.ranks != nullptr) one_launch(plan);
  const int signal_number = execute(measuring.by(plan), earlier, exit_code);
  // A shell that sent the interrupt to a whole script learns only so that it was one.
  if (signal_number == SIGINT) end_by_signal(SIGINT);
  return exit_code;
}

}  // namespace assay
