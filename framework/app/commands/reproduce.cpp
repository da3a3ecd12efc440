// SPDX-License-Identifier: Apache-2.0
// `assay reproduce`: runs the campaign of a crate on this machine, and compares.
#include <ostream>

#include "app/campaign/resume_campaign.hpp"
#include "app/campaign/run_campaign.hpp"
#include "app/cluster/cluster_folder.hpp"
#include "app/commands/commands.hpp"
#include "app/reproduce/reproduction.hpp"
#include "app/results/results.hpp"
#include "text/printable.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

constexpr const char* assay_reproduce = "assay reproduce";

// The options of `run` that have settings of their own are settings here.
Overrides overrides_for(const CommandLine& line) {
  Overrides overrides{line.values("set"), line.values("series"), value_of(line, "output"), false, line.has("quick")};
  if (const auto limit = value_of(line, "time-limit")) overrides.set.push_back("campaign.time-limit=" + *limit);
  return overrides;
}

void require_something(const ReadCrate& crate, const CratePlan& planned) {
  if (!planned.plan.series.empty()) return;
  std::string text = shown_path(crate.folder) + ": nothing of its campaign can be run on this machine";
  for (const NotRun& one : planned.not_run) text += "\n  " + printable(one.series) + ": " + printable(one.why);
  throw ResultError(text);
}

// Whether the campaign is there to its end, so that it can be compared.
bool is_measured(int code) { return code == ExitCode::ok || code == ExitCode::some_failed; }

int exit_code_of(const Reproduction& reproduction, int measured) {
  if (reproduction.comparison.results.empty()) return ExitCode::refused;
  return reproduction.count(Sameness::different) > 0 ? static_cast<int>(ExitCode::regression) : measured;
}

Reproduction comparison_asked(const CommandLine& line) {
  Reproduction reproduction;
  reproduction.comparison.margin = line.value<double>("margin").value_or(usual_margin);
  reproduction.comparison.q = line.value<double>("q").value_or(usual_q);
  return reproduction;
}

void refuse_ranks(const AppContext& context) {
  if (context.ranks != nullptr)
    throw ConfigError(Problem{{assay_reproduce},
                              "not possible in a launch of ranks",
                              "all ranks of a launch measure one campaign, and none of them compares",
                              "start it by itself: it starts the launches that the campaign asks for"});
}

int run_reproduce(const CommandLine& line, const Registry& registry, AppContext& context) {
  refuse_ranks(context);
  apply_rights(assay_reproduce, line);
  const ReadCrate crate = read_crate(assay_reproduce, line.operands.front());
  // What is damaged is reported before anything is measured.
  const auto then = read_results(assay_reproduce, crate.folder, context.err);
  const auto topology = Topology::this_machine();
  const Catalogue catalogue = catalogue_of(registry);
  CratePlan planned = plan_of_crate(assay_reproduce, crate, overrides_for(line), catalogue, topology);
  require_something(crate, planned);
  for (const NotRun& one : planned.not_run)
    context.err << "note: not run here: " << printable(one.series) << ": " << printable(one.why) << '\n';
  CampaignPlan& plan = planned.plan;
  name_builds(plan, registry);
  refuse_cluster(assay_reproduce, plan.output);
  // Where programs read the comparison, the tables of the campaign go where its progress goes.
  const ListingFormat format = listing_format(line);
  AppContext beside{context.err, context.err, context.err_is_terminal, context.err_is_terminal, context.nonblocking};
  beside.token = context.token;
  CampaignRun measuring{&plan, topology, command_text("reproduce", line), line.has("quiet"),
                        format == ListingFormat::table ? context : beside};
  take_options(measuring, line);
  const int measured = begin_or_continue(measuring, registry, catalogue, false, {});
  if (!is_measured(measured)) return measured;
  Reproduction reproduction = comparison_asked(line);
  reproduction.comparison.a = crate.folder;
  reproduction.comparison.b = plan.output;
  reproduction.not_run = std::move(planned.not_run);
  const PairingRequest request{std::nullopt, line.has("all"), line.has("accept-marked"), {}};
  compare_with_crate(reproduction, then, read_results(assay_reproduce, plan.output, context.err), request);
  if (format == ListingFormat::table) context.out << '\n';
  write_reproduction(context.out, reproduction, format);
  return exit_code_of(reproduction, measured);
}

}  // namespace

CommandInfo reproduce_command() {
  CommandInfo command;
  command.name = "reproduce";
  command.synopsis = "reproduce CRATE [options]";
  command.summary = "Runs the campaign of an RO-Crate on this machine, and reports what is the same and what is not.";
  command.details =
      "CRATE is a folder that 'assay export DIR --format ro-crate --output CRATE' wrote. Its campaign is run with its\n"
      "seed and settings into a new directory; the same command again continues it. Each result is then the same,\n"
      "different or unclear, as 'assay compare' decides, and what differs between the machines is listed. What cannot\n"
      "be run here, for want of a placement or a plugin, is listed with the reason. Exit code 6: a result is "
      "different;\n5: nothing can be run or compared, or the crate is damaged.\n";
  command.least_operands = 1;
  command.most_operands = 1;
  command.options = {
      {"output", {"DIR", ValueKind::directory}, "directory for the results; an existing campaign is continued"},
      {"set",
       {"SECTION.KEY=VALUE", ValueKind::setting},
       "replace a setting: precision.max-time=1s in all series, series.NAME.incarnations=10 in one",
       true},
      {"series", {"NAME", ValueKind::series}, "only this series; may be repeated", true},
      {"quick", "", "a quick estimate: 10 %, 300 ms and three processes per point at most; --set takes precedence"},
      {"time-limit", "T", "stop in good order after 30s, 10min, 2h; the same command continues"},
      {"margin", {"SHARE", share_value(Ends::zero)}, "relative difference that is negligible; default: 2%"},
      {"q", {"SHARE", share_value(Ends::none)}, "false discovery rate among the differences; default: 0.1"},
      {"all", "", "compare every quantity, and regimes of few batches too"},
      {"accept-marked", "", "compare what ended as bimodal, drift, as-found and the like too"},
      listing_option(),
      strict_option(),
      anonymous_option(),
      quiet_option(),
      verbose_option(),
      help_option()};
  for (CommandOption& option : rights_options()) command.options.insert(command.options.end() - 5, std::move(option));
  command.operands = {{"CRATE", ValueKind::results}};
  command.exits = {ExitCode::some_failed, ExitCode::environment, ExitCode::storage,
                   ExitCode::refused,     ExitCode::regression,  ExitCode::stopped};
  command.examples = {
      {"assay reproduce assay-first-crate --output assay-again || [ $? = 6 ]",
       "run the campaign of a crate again, and compare", false},
      {"assay reproduce assay-first-crate --quick --series clock", "a quick look at one of its series", false}};
  command.run = &run_reproduce;
  return command;
}

}  // namespace assay
