// SPDX-License-Identifier: Apache-2.0
// `assay cluster`: measures every node by itself and the links between them, and reports which of them deviates.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <ostream>
#include <sstream>

#include "app/campaign/resume_campaign.hpp"
#include "app/campaign/run_campaign.hpp"
#include "app/cluster/cluster_folder.hpp"
#include "app/cluster/cluster_plan.hpp"
#include "app/cluster/link_screening.hpp"
#include "app/cluster/node_launch.hpp"
#include "app/commands/cluster_drain.hpp"
#include "app/commands/commands.hpp"
#include "platform/clock/system_clock.hpp"
#include "platform/file/append_file.hpp"
#include "platform/process/program.hpp"
#include "record/cluster/cluster_verdict.hpp"
#include "record/journal/journal.hpp"
#include "record/layout/layouts.hpp"
#include "run/mpi/mpi_launches.hpp"
#include "text/number_format.hpp"
#include "text/printable.hpp"
#include "text/suggest.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

constexpr std::int64_t usual_launches = 5;
constexpr std::int64_t most_launches = 100;

// One run of the command: what it does in order, and what goes wrong.
class Cluster {
 public:
  Cluster(const CommandLine& line, const CampaignPlan& plan, AppContext& context)
      : line_(line),
        plan_(plan),
        dealt_(cluster_plan(plan)),
        context_(context),
        directory_(std::filesystem::absolute(plan.output).string()),
        folder_(directory_),
        launcher_(launcher_words(
            value_of(line, "launcher").value_or(usual_launcher(std::getenv("SLURM_JOB_ID") != nullptr)))),
        launches_(static_cast<int>(line.value<std::int64_t>("launches").value_or(usual_launches))) {}

  int run(const Topology& topology) {
    TerminationSignals signals;
    folder_.prepare();
    measure_nodes(signals);
    if (!stopped_) measure_links(signals);
    ClusterResults results = folder_.results(launches_);
    take_screenings(results);
    const auto records = cluster_report(plan_, session(topology), results);
    write(records);
    const std::vector one_campaign{ShownCampaign{{}, records}};
    find_layout("cluster")->print(context_.out, one_campaign, Detail::usual);
    tell("Results are in " + printable(plan_.output) + "; 'assay show " + printable(plan_.output) +
         "' prints them again, each node's own are in its folder nodes/NAME");
    return exit_code(results, records);
  }

 private:
  void tell(const std::string& text) {
    if (!line_.has("quiet")) context_.remarks() << text << std::endl;
  }

  // Launchers may start what they start in another folder.
  std::vector<std::string> files() const {
    std::vector<std::string> files;
    for (const std::string& file : line_.operands) files.push_back(std::filesystem::absolute(file).string());
    return files;
  }

  std::vector<std::string> command(const std::string& name) const {
    std::vector<std::string> words{own_program(), name};
    for (const std::string& file : files()) words.push_back(file);
    for (const std::string& value : overrides_of(line_).set) {
      words.emplace_back("--set");
      words.push_back(value);
    }
    return words;
  }

  bool start(const std::string& what, const std::vector<std::string>& words, TerminationSignals& signals) {
    const LaunchEnd launched = launch(launcher_, words, signals);
    said_ = launched.output;
    stopped_ = stopped_ || launched.stopped;
    if (launched.ok) return true;
    failed_ = true;
    context_.err << "assay: error: " << what << " " << launched.ending << "; the launcher was "
                 << shown(launcher_.empty() ? "" : launcher_.front()) << ", and wrote:\n";
    std::istringstream lines(launched.output);
    for (std::string text; std::getline(lines, text);) context_.err << "  " << printable(text) << "\n";
    return false;
  }

  void measure_nodes(TerminationSignals& signals) {
    auto words = command("cluster-node");
    words.insert(words.end(), {"--output", directory_});
    for (const std::string& series : dealt_.node_series) words.insert(words.end(), {"--series", series});
    if (dealt_.node_series.empty()) words.emplace_back("--nothing");
    if (line_.has("one-at-a-time")) words.emplace_back("--one-at-a-time");
    const bool in_turn = line_.has("one-at-a-time");
    tell("Nodes, " + std::string(in_turn ? "one at a time" : "all at once") + ": " +
         std::to_string(dealt_.node_series.size()) + " series each");
    start("the launch on all nodes", words, signals);
  }

  void measure_links(TerminationSignals& signals) {
    const std::size_t nodes = folder_.names().size();
    if (dealt_.link_series.empty()) return;
    if (nodes < 2)
      return tell("Links are not measured: " + std::to_string(nodes) +
                  (nodes == 1 ? " node took part" : " nodes took part"));
    if (screens(nodes)) return screen_links(signals);
    for (int number = 0; number < launches_ && !stopped_; ++number) {
      if (folder_.has_launch(number)) continue;
      tell("Links between " + std::to_string(nodes) + " nodes, launch " + std::to_string(number + 1) + " of " +
           std::to_string(launches_));
      auto words = command("run");
      const auto links = link_arguments(dealt_, nodes);
      words.insert(words.end(), links.begin(), links.end());
      words.insert(words.end(), {"--output", folder_.launch(number), "--quiet"});
      if (!start("launch " + std::to_string(number + 1) + " of the links", words, signals)) return;
    }
  }

  // Rounds of all pairs follow each other: up to 35 nodes they are no more than those of a screening.
  bool screens(std::size_t nodes) const {
    const auto pairs = value_of(line_, "pairs");
    return pairs ? *pairs == "screen" : !all_pairs_cost_no_more(nodes);
  }

  NamedFabric fabric_of(const std::vector<std::string>& nodes) const {
    constexpr std::size_t longest = 64U << 20U;
    const auto topology = value_of(line_, "topology");
    if (!topology || *topology == "none") return unknown_fabric(nodes);
    if (*topology == "names") return fabric_from_names(nodes);
    return fabric_from_text(*topology, read_file(*topology, longest), nodes);
  }

  void screen_links(TerminationSignals& signals) {
    const NamedFabric fabric = fabric_of(folder_.names_by_rank());
    for (std::size_t i = 0; i < dealt_.link_series.size() && !stopped_; ++i) {
      ScreeningOptions options;
      options.seed = plan_.seed;
      LinkScreening& screening = screenings_.emplace_back(fabric, dealt_.link_series[i], options);
      for (const std::string& name : folder_.lost(i)) screening.lose(name);
      while (!screening.is_done() && !stopped_)
        if (!measure_phase(i, screening, signals)) return;
    }
  }

  bool measure_phase(std::size_t series, LinkScreening& screening, TerminationSignals& signals) {
    const std::string folder = folder_.screening(series, screening.phase());
    while (!folder_.has_launch(folder)) {
      if (start_phase(series, screening, signals)) break;
      if (stopped_ || !leave_out_lost(series, screening)) return false;
    }
    if (const auto launch = folder_.launch_in(folder); launch && !stopped_) screening.add(*launch);
    return !stopped_;
  }

  bool start_phase(std::size_t series, const LinkScreening& screening, TerminationSignals& signals) {
    const std::size_t rounds = screening.rounds().size();
    const std::string pairs = folder_.pairs(series, screening.phase());
    note_pairs(pairs, screening.pairs());
    tell("Screening of the links between " + std::to_string(folder_.names().size()) + " nodes, launch " +
         std::to_string(screening.phase() + 1) + ": " + counted(rounds, "round") + " of pairs");
    auto words = command("run");
    const auto links = screening_arguments(dealt_.link_series[series], folder_.names().size(), rounds, pairs);
    words.insert(words.end(), links.begin(), links.end());
    words.insert(words.end(), {"--output", folder_.screening(series, screening.phase()), "--quiet"});
    return start("launch " + std::to_string(screening.phase() + 1) + " of the screening", words, signals);
  }

  // Nodes that the launcher says were lost are left out when the launch is repeated. Where it names none, or many, it
  // is no node's fault.
  bool leave_out_lost(std::size_t series, LinkScreening& screening) {
    constexpr std::size_t one_in = 10;
    const auto nodes = folder_.names_by_rank();
    auto lost = lost_nodes(said_, nodes);
    const auto before = folder_.lost(series);
    std::erase_if(lost, [&](const auto& name) { return std::ranges::find(before, name) != before.end(); });
    if (lost.empty() || lost.size() + before.size() > std::max<std::size_t>(1, nodes.size() / one_in)) return false;
    folder_.note_lost(series, screening.phase(), lost);
    for (const std::string& name : lost) screening.lose(name);
    context_.err << "assay: lost in that launch, and left out from now on: " << printable(joined(lost)) << "\n";
    return true;
  }

  // A launch that was begun goes on with its own pairs.
  void note_pairs(const std::string& file, const std::string& pairs) const {
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored) && read_file(file, pairs.size() + 1) != pairs)
      throw ResultError(
          shown_path(file) +
          " lists other pairs than would be tested now: nodes, topology or seed are not those of before; name "
          "another directory");
    write_file(file, pairs);
  }

  void take_screenings(ClusterResults& results) const {
    for (std::size_t i = 0; i < screenings_.size(); ++i) {
      for (std::size_t phase = 0; phase < screenings_[i].phase(); ++phase)
        if (auto launch = folder_.launch_in(folder_.screening(i, phase)))
          results.launches.push_back(std::move(*launch));
      for (std::string& text : screenings_[i].notes()) results.screenings.push_back(std::move(text));
      std::ranges::move(screenings_[i].findings(), std::back_inserter(results.screened));
    }
  }

  SessionRecord session(const Topology& topology) const {
    SessionRecord session;
    session.started = utc_now();
    session.command_line = command_text("cluster", line_);
    session.facts = facts_now(topology);
    return session;
  }

  // The whole report at once: it can be made again of what nodes and launches left.
  void write(const std::vector<Record>& records) const {
    const std::string name = journal_file(directory_);
    const std::string fresh = (std::filesystem::path(directory_) / "report.new").string();
    std::error_code error;
    std::filesystem::remove(fresh, error);
    const MonotonicClock clock;
    {
      Journal journal(AppendFile::create(fresh), 0, clock, {plan_.durability});
      for (const Record& record : records) journal.write(record);
      journal.sync();
    }
    std::filesystem::rename(fresh, std::filesystem::path(directory_) / journal_name, error);
    if (error) throw StorageError("renaming '" + fresh + "' to '" + name + "'", error.value());
  }

  int exit_code(const ClusterResults& results, const std::vector<Record>& records) const {
    if (stopped_) return ExitCode::stopped;
    const bool has_deviating = std::ranges::any_of(screenings_, &LinkScreening::has_deviating);
    if (has_deviating || cluster::verdicts_of(records).has_deviating()) return ExitCode::deviating;
    const bool has_problem = std::ranges::any_of(results.nodes, [](const auto& node) { return !node.problem.empty(); });
    return failed_ || has_problem || results.nodes.empty() ? ExitCode::some_failed : ExitCode::ok;
  }

  const CommandLine& line_;
  const CampaignPlan& plan_;
  ClusterPlan dealt_;
  AppContext& context_;
  std::string directory_;
  ClusterFolder folder_;
  std::vector<std::string> launcher_;
  int launches_;
  std::vector<LinkScreening> screenings_;  ///< by series of links
  std::string said_;                       ///< by the last launcher
  bool stopped_ = false;
  bool failed_ = false;
};

int run_cluster(const CommandLine& line, const Registry& registry, AppContext& context) {
  if (line.has("drain")) return run_drain(line, context);
  refuse_without_drain(line);
  const auto topology = Topology::this_machine();
  Overrides overrides = overrides_of(line);
  overrides.set.emplace_back("campaign.layout=cluster");
  const CampaignPlan plan = load_plan(sources_of(line, registry), overrides, catalogue_of(registry), topology);
  if (std::filesystem::exists(plan.output) && !ClusterFolder(plan.output).exists())
    throw ResultError(shown(plan.output) +
                      " exists already, and contains no cluster's results; name another directory");
  return Cluster(line, plan, context).run(topology);
}

}  // namespace

CommandInfo cluster_command() {
  CommandInfo command;
  command.name = "cluster";
  command.synopsis = "cluster FILE... [options] | cluster --drain DIR [--yes]";
  command.summary = "Measures all nodes of a job and the links between them, and reports those that deviate.";
  command.details =
      "Series of threads and processes are measured on each node by itself, those of mpi/links between all nodes. "
      "The\nlauncher has to start one rank on each node; the results' directory has to be visible to all nodes.\nExit "
      "code 7: a node or a link is slow, or lacks results that the others have.\n--drain measures nothing: it prints "
      "the commands that drain the slow and lacking nodes of a finished report in Slurm;\nwith --yes it runs them. "
      "Links drain no node.\n";
  command.least_operands = 1;
  command.unless_given = "drain";
  command.most_operands = std::numeric_limits<std::size_t>::max();
  command.options = {
      {"output", {"DIR", ValueKind::directory}, "directory for the results; an existing campaign is continued"},
      {"launcher",
       {"WORDS", ValueKind::program},
       "starts one rank on each node; default: by srun within Slurm, else by mpirun"},
      {"one-at-a-time", "", "nodes measure one after the other; default: all at once"},
      {"launches", {"N", count_value(1, most_launches)}, "incarnations of the links; default: 5"},
      {"pairs",
       {"all|screen", word_value({"all", "screen"})},
       "links of all pairs of nodes, or a screening by few of them; default: all up to 35 nodes"},
      {"topology",
       {"FILE|names", ValueKind::file},
       "switches between nodes, for a screening: a topology.conf of Slurm's, or names: by host names"},
      {"set",
       {"SECTION.KEY=VALUE", ValueKind::setting},
       "override a setting: precision.eps=5%, series.NAME.bytes=64; bytes=64 in all series that set it",
       true},
      {"series", {"NAME", ValueKind::series}, "only this series; may be repeated", true},
      {"drain", {"DIR", ValueKind::directory}, "print how to drain the deviating nodes of these results in Slurm"},
      {"yes", "", "of --drain: run these commands"},
      {"most",
       {"N", count_value(0)},
       "of --drain --yes: drain up to N nodes; default: one in ten of those compared, one at least"},
      quiet_option(),
      help_option()};
  command.operands = {{"FILE", ValueKind::campaign}};
  command.exits = {ExitCode::some_failed, ExitCode::environment, ExitCode::storage,
                   ExitCode::refused,     ExitCode::deviating,   ExitCode::stopped};
  command.examples = {{"assay cluster configs/node.ini --output assay-nodes",
                       "in a job of several nodes: which of them differ from the others", false},
                      {"assay cluster --drain assay-nodes", "what to say to Slurm of those that do", false}};
  command.run = &run_cluster;
  return command;
}

}  // namespace assay
