// SPDX-License-Identifier: Apache-2.0
// `assay show`: the tables of a finished or interrupted campaign, in a layout.
#include <ostream>

#include "app/commands/commands.hpp"
#include "app/ini.hpp"
#include "app/results.hpp"
#include "app/suggest.hpp"
#include "record/layout.hpp"

namespace assay {

namespace {

// The layout that the campaign asked for; the plain one where it asked for none that is known here.
const Layout& own_layout(const std::vector<Record>& records) {
  const Layout* layout = nullptr;
  for (const Record& record : records)
    if (const auto* campaign = std::get_if<CampaignRecord>(&record))
      for (const IniEntry& entry : parse_ini(campaign->configuration, "configuration").entries)
        if (entry.section == "campaign" && entry.key == "layout") layout = find_layout(plain_text(entry.value));
  return layout != nullptr ? *layout : layouts().front();
}

const Layout& layout_named(const std::string& name) {
  if (const Layout* layout = find_layout(name)) return *layout;
  throw ConfigError(Problem{{"assay show"}, "unknown layout " + shown(name), {}, suggestion(name, layout_names())});
}

int run(const CommandLine& line, const Registry& /*registry*/, Terminal& terminal) {
  const auto asked = value_of(line, "layout");
  const Layout* named = asked ? &layout_named(*asked) : nullptr;
  const auto records = results_of(line, "assay show", terminal.err);
  const Layout& layout = named != nullptr ? *named : own_layout(records);
  layout.print(terminal.out, records, line.has("explain") ? Detail::explained : Detail::usual);
  return ExitCode::ok;
}

}  // namespace

CommandInfo show_command() {
  CommandInfo command;
  command.name = "show";
  command.synopsis = "show DIR [--layout NAME] [--explain]";
  command.summary = "Prints the results of a campaign as tables.";
  command.least_operands = 1;
  command.most_operands = 1;
  command.options = {{"layout", "NAME", "'assay list layouts' names them; default: the campaign's own"},
                     {"explain", "", "also where each number of the layout comes from, and every reason in full"},
                     anonymous_option(),
                     help_option()};
  command.run = &run;
  return command;
}

}  // namespace assay
