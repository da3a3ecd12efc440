// SPDX-License-Identifier: Apache-2.0
// `assay show`: the tables of finished or interrupted campaigns, in a layout.
#include <algorithm>
#include <limits>
#include <ostream>
#include <set>

#include "app/commands/commands.hpp"
#include "app/results/comparability.hpp"
#include "app/results/results.hpp"
#include "app/results/screen.hpp"
#include "record/compare/average.hpp"
#include "record/layout/layouts.hpp"
#include "record/table/table.hpp"
#include "text/ini.hpp"
#include "text/printable.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

constexpr const char* assay_show = "assay show";

// The layout that the campaign asked for; nothing where it asked for none that is there.
std::optional<Layout> own_layout(const std::vector<Record>& records) {
  std::optional<Layout> layout;
  for (const Record& record : records)
    if (const auto* campaign = std::get_if<CampaignRecord>(&record))
      for (const IniEntry& entry : parse_ini(campaign->configuration, "configuration").entries)
        if (entry.section == "campaign" && entry.key == "layout") layout = usable_layout(plain_text(entry.value));
  return layout;
}

Layout layout_named(const std::string& wanted) {
  if (auto layout = find_layout(wanted)) return std::move(*layout);
  throw ConfigError(Problem{{assay_show}, "unknown layout " + shown(wanted), {}, suggestion(wanted, layout_names())});
}

std::string title_of(const std::vector<Record>& records) {
  for (const Record& record : records)
    if (const auto* campaign = std::get_if<CampaignRecord>(&record)) return campaign->title;
  return {};
}

// By their titles; by their directories where two have the same.
std::vector<ShownCampaign> named(std::vector<std::vector<Record>> campaigns, const std::vector<std::string>& paths) {
  std::set<std::string> titles;
  for (const auto& records : campaigns) titles.insert(title_of(records));
  const bool are_different = titles.size() == campaigns.size() && !titles.contains("");
  std::vector<ShownCampaign> shown;
  for (std::size_t i = 0; i < campaigns.size(); ++i) {
    std::string title = are_different ? title_of(campaigns[i]) : paths[i];
    shown.push_back({std::move(title), std::move(campaigns[i])});
  }
  return shown;
}

// Columns choose no rows: those of other states and regimes are asked for by --verbose.
TableDetail detail_of(const CommandLine& line) {
  if (line.has("wide")) return TableDetail::wide;
  return line.has("verbose") ? TableDetail::verbose : TableDetail::brief;
}

// Rows, columns and digits that were asked for, for the plain tables only.
TableChoice choice_of(const CommandLine& line) {
  TableChoice choice;
  if (const auto text = value_of(line, "sort")) choice.sort = parse_sort(*text, assay_show);
  if (const auto text = value_of(line, "columns")) choice.columns = parse_columns(*text, assay_show);
  for (const std::string& text : line.values("filter")) choice.filter.push_back(parse_condition(text, assay_show));
  choice.detail = detail_of(line);
  choice.raw = line.has("raw");
  choice.cycles = wants_cycles(line);
  if (line.has("wide") && !choice.columns.empty())
    throw ConfigError(Problem{{assay_show}, "--wide and --columns contradict each other", {}, "leave one out"});
  return choice;
}

// A layout has its own rows and columns, which say together what a part of them would not.
void refuse_choice(const CommandLine& line, const std::string& what) {
  for (const char* option : {"sort", "filter", "columns", "verbose", "wide", "raw", "unit"})
    if (line.has(option))
      throw ConfigError(Problem{{assay_show},
                                "--" + std::string(option) + " is for plain tables",
                                what + " has its own rows and columns",
                                "add --layout plain, or leave the option out"});
}

// Instead of the campaigns their average: its own tables, or one system of a layout that is named.
void print_average(const CommandLine& line, const std::optional<Layout>& layout, AppContext& context) {
  std::vector<std::vector<Record>> campaigns;
  for (const std::string& path : line.operands) campaigns.push_back(results_of(line, path, assay_show, context.err));
  const auto all = named(std::move(campaigns), line.operands);
  for (const std::string& note : require_one_system(all)) context.err << "note: " << printable(note) << "\n";
  Averages averages = average(all);
  const std::string title = "average of " + std::to_string(all.size());
  if (!layout) return print_averages(context.out, averages, all.size());
  const std::vector<ShownCampaign> shown{{title, std::move(averages.records)}};
  layout->print(context.out, shown, line.has("explain") ? Detail::explained : Detail::usual);
}

// The results of all directories, with the batches of some measurements.
std::vector<std::vector<Record>> campaigns_of(const CommandLine& line, std::ostream& err,
                                              const std::vector<std::string>& raw_of) {
  std::vector<std::vector<Record>> campaigns;
  for (const std::string& path : line.operands) campaigns.push_back(results_of(line, path, assay_show, err, raw_of));
  return campaigns;
}

int run_show(const CommandLine& line, const Registry& /*registry*/, AppContext& context) {
  const auto asked = value_of(line, "layout");
  auto layout = asked ? std::optional(layout_named(*asked)) : std::nullopt;
  const TableChoice asked_for = choice_of(line);
  const ColourChoice colour = colour_choice(line);
  if (line.has("average")) {
    refuse_choice(line, "an average");
    print_average(line, layout, context);
    return ExitCode::ok;
  }
  std::vector<std::vector<Record>> campaigns;
  if (!layout) campaigns = campaigns_of(line, context.err, {});
  if (!layout) layout = own_layout(campaigns.front());
  if (!layout) layout = find_layout(plain_layout);
  if (layout->name != plain_layout) refuse_choice(line, "layout " + shown(layout->name));
  const auto raw_of = line.has("explain") ? layout->raw_of : std::vector<std::string>();
  if (campaigns.empty() || !raw_of.empty()) campaigns = campaigns_of(line, context.err, raw_of);
  const auto shown_campaigns = named(std::move(campaigns), line.operands);
  if (layout->name == plain_layout) {
    TableChoice choice = asked_for;
    choice.style = text_style(colour, context.out_is_terminal);
    print_results(context.out, shown_campaigns, choice, assay_show);
    return ExitCode::ok;
  }
  layout->print(context.out, shown_campaigns, line.has("explain") ? Detail::explained : Detail::usual);
  return ExitCode::ok;
}

}  // namespace

CommandInfo show_command() {
  CommandInfo command;
  command.name = "show";
  command.synopsis = "show DIR... [--layout NAME|FILE] [--average] [--explain] [options]";
  command.summary =
      "Prints the results of campaigns as tables: several as columns or rows of one where the layout can.";
  command.least_operands = 1;
  command.most_operands = std::numeric_limits<std::size_t>::max();
  command.options = {
      {"layout",
       {"NAME", ValueKind::layout},
       "'assay list layouts' names them, or a layout file; default: the campaign's own"},
      {"average", "", "one average over all of them, which have to be of one system, with the spread between them"},
      {"explain", "", "also the source of each number of the layout, and every reason in full"},
      {"sort",
       {"COLUMNS", ValueKind::column},
       "of plain tables: rows by these columns or factors, as median or placement,-median; '-': down"},
      {"filter",
       {"NAME=LEVELS", ValueKind::filter},
       "of plain tables: only these rows; a factor, series, measurement, quantity, regime or verdict, = or !=, and "
       "levels separated by commas, with * and ? as patterns; of several all hold",
       true},
      {"columns",
       {"COLUMNS", ValueKind::column},
       "of plain tables: these columns and factors in this order; of the same rows as without it"},
      verbose_option(),
      {"wide", "", "of plain tables: all columns, and the rows of every regime"},
      {"raw", "", "of plain tables: all digits, in the units of the journal"},
      unit_option(),
      colour_option(),
      state_option(),
      anonymous_option(),
      help_option()};
  command.operands = {{"DIR", ValueKind::results}};
  command.exits = {ExitCode::refused};
  command.examples = {{"assay show assay-first", "print the tables again"},
                      {"assay show assay-first --layout desupinski-may", "as a published table has them"},
                      {"assay show assay-first --filter 'series=handoff' --filter 'channel=futex,pipe' --sort=-median",
                       "some rows of the plain tables, the slowest first"}};
  command.run = &run_show;
  return command;
}

}  // namespace assay
