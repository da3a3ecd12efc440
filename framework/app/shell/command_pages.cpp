// SPDX-License-Identifier: Apache-2.0
// The pages of the program and of its sub-commands.
#include <algorithm>

#include "app/shell/guide.hpp"
#include "app/shell/manual.hpp"
#include "app/shell/page_parts.hpp"
#include "app/shell/prose.hpp"

namespace assay {

namespace {

std::string roff_synopsis(const std::string& synopsis) {
  std::string line = roff_bold("assay") + " ";
  for (const Token& token : tokens_of(synopsis)) {
    if (token.kind == Token::Kind::word) line += roff_bold(token.text);
    if (token.kind == Token::Kind::variable) line += roff_variable(token.text);
    if (token.kind == Token::Kind::sign) line += roff_escaped(token.text);
  }
  return line;
}

std::string tag_of(const CommandOption& option) {
  std::string tag = option.letter == 0 ? "" : roff_bold(std::string("-") + option.letter) + ", ";
  tag += roff_bold("--" + option.name);
  return option.argument.name.empty() ? tag : tag + " " + roff_variable(option.argument.name);
}

std::string text_of(const CommandOption& option) {
  const bool says_so = !option.repeatable || option.help.find("repeated") != option.help.npos;
  return ended(option.help + (says_so ? "" : "; may be repeated"));
}

bool reads_campaigns(const CommandInfo& command) {
  return std::ranges::any_of(command.operands,
                             [](const Argument& operand) { return operand.kind == ValueKind::campaign; });
}

Page page_of(const CommandInfo& command, const std::string& date) {
  const std::string name = "assay-" + command.name;
  std::string title = name;
  std::ranges::transform(title, title.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  ManPage page(page_head(title, 1, date));
  page.section("NAME");
  auto summary = command.summary;
  while (summary.ends_with('.')) summary.pop_back();
  page.line(roff_escaped(name) + " \\- " + roff_escaped(summary));
  page.section("SYNOPSIS");
  const auto ways = ways_to_call(command);
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (i > 0) page.line(".br");
    page.line(roff_synopsis(ways[i]));
  }
  page.section("DESCRIPTION");
  page.paragraph(command.summary);
  if (!command.details.empty()) page.paragraph(on_one_line(command.details));
  page.section("OPTIONS");
  for (const CommandOption& option : command.options) page.item(tag_of(option), text_of(option));
  add_exits(page, exit_meanings(command));
  add_environment(page, environment_variables(command.name));
  add_examples(page, command.examples);
  add_see_also(page, reads_campaigns(command) ? std::vector<std::string>{"assay(1)", "assay-campaign(5)"}
                                              : std::vector<std::string>{"assay(1)"});
  return {name, 1, page.text()};
}

void add_files(ManPage& page) {
  page.section("FILES");
  page.item(roff_variable("DIR") + "/journal.jsonl",
            "The results of a campaign: one record per line, append-only. Everything else is derived from it.");
  page.item("~/.local/share/assay/history.sqlite", "The history of campaigns, which can be regenerated from journals.");
  page.item(roff_variable("PREFIX") + "/share/assay/configs", "Campaign files, each for one question.");
}

Page program_page(const std::string& date) {
  ManPage page(page_head("ASSAY", 1, date));
  page.section("NAME");
  page.line("assay \\- measures the cost of synchronization, communication and system services");
  page.section("SYNOPSIS");
  page.line(roff_synopsis("COMMAND [ARGUMENTS]"));
  page.line(".br");
  page.line(roff_synopsis("help [COMMAND]"));
  page.line(".br");
  page.line(roff_synopsis("--version"));
  page.section("DESCRIPTION");
  page.paragraph(on_one_line(program_purpose()));
  page.paragraph(
      "A campaign file defines what is measured; 'assay run' measures it and keeps results in a directory, from which "
      "all "
      "other commands read. Every number comes with a confidence interval and the reason why the measurement stopped.");
  page.section("COMMANDS");
  const auto all = shown_commands();
  for (const CommandInfo& command : all)
    page.item(roff_bold("assay-" + command.name) + "(1)", as_sentence(command.summary));
  page.paragraph("Any other COMMAND runs the program assay-COMMAND, where there is one on the path.");
  add_exits(page, exit_meanings());
  add_environment(page, environment_variables());
  add_files(page);
  std::vector<Example> examples;
  for (const char* name : {"run", "show", "doctor"})
    examples.push_back(std::ranges::find(all, name, &CommandInfo::name)->examples.front());
  add_examples(page, examples);
  std::vector<std::string> others;
  for (const CommandInfo& command : all) others.push_back("assay-" + command.name + "(1)");
  for (const char* other : {"assay-report(1)", "assay-campaign(5)"}) others.emplace_back(other);
  add_see_also(page, others);
  return {"assay", 1, page.text()};
}

}  // namespace

std::vector<Page> manual(const std::string& date) {
  std::vector<Page> pages{program_page(date)};
  for (const CommandInfo& command : shown_commands()) pages.push_back(page_of(command, date));
  pages.push_back(campaign_page(date));
  return pages;
}

}  // namespace assay
