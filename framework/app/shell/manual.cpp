// SPDX-License-Identifier: Apache-2.0
// The pages of the program, of its sub-commands, and of campaign files, whose keys are those of the option table;
// sections with the usual names (man-pages(7)), in the usual notation.
#include "app/shell/manual.hpp"

#include <algorithm>

#include "app/cli/options.hpp"
#include "app/shell/guide.hpp"
#include "app/shell/prose.hpp"
#include "record/provenance.hpp"
#include "stats/rule/stopping_rule.hpp"
#include "text/utf8.hpp"

namespace assay {
namespace {

constexpr std::size_t source_width = 76;  // with room for what is put before a line

std::string escaped(char c) {
  switch (c) {
    case '\\':
      return "\\e";
    case '-':
      return "\\-";
    case '\'':
      return "\\(aq";
    case '`':
      return "\\(ga";
    case '^':
      return "\\(ha";
    case '~':
      return "\\(ti";
    case '"':
      return "\\(dq";
    default:
      return {c};
  }
}

// A line of text that begins with a dot would be a request.
std::string guarded(const std::string& line) { return line.starts_with('.') ? "\\&" + line : line; }

}  // namespace

std::string roff_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) result += escaped(c);
  return result;
}

std::string roff_bold(std::string_view text) { return "\\fB" + roff_escaped(text) + "\\fR"; }

std::string roff_variable(std::string_view text) { return "\\fI" + roff_escaped(text) + "\\fR"; }

std::string roff_prose(std::string_view text) {
  std::string result;
  for (const Span& span : spans_of(text)) result += span.is_literal ? roff_bold(span.text) : roff_escaped(span.text);
  return result;
}

ManPage::ManPage(const PageHead& head) {
  line(".\\\" Made by 'assay generate' from the tables of the program.");
  line(".TH " + head.title + " " + std::to_string(head.section) + " \"" + head.date + "\" \"" +
       roff_escaped(head.source) + "\" \"" + roff_escaped(head.manual) + "\"");
  line(".nh");
  line(".ad l");
}

void ManPage::section(std::string_view name) { line(".SH " + std::string(name)); }

void ManPage::subsection(std::string_view name) { line(".SS \"" + roff_escaped(name) + "\""); }

void ManPage::paragraph(std::string_view text) {
  // Right below a heading a paragraph begins by itself.
  const auto last = text_.rfind('\n', text_.size() - 2);
  const std::string_view before = std::string_view(text_).substr(last + 1);
  if (!before.starts_with(".SH ") && !before.starts_with(".SS ")) line(".PP");
  prose(text);
}

void ManPage::item(std::string_view tag, std::string_view text) {
  line(".TP");
  line(guarded(std::string(tag)));
  prose(text);
}

void ManPage::lines(const std::vector<std::string>& lines) {
  line(".PP");
  line(".RS 4");
  line(".nf");
  for (const std::string& one : lines) line(guarded(roff_escaped(one)));
  line(".fi");
  line(".RE");
}

void ManPage::line(std::string_view roff) { text_.append(roff) += '\n'; }

void ManPage::prose(std::string_view text) {
  for (const std::string& one : wrapped(roff_prose(text), source_width)) line(guarded(one));
}

PageHead page_head(const std::string& title, int section, const std::string& date) {
  return {title, section, date, program_version(), "Assay Manual"};
}

void add_exits(ManPage& page, const std::vector<ExitMeaning>& exits) {
  page.section("EXIT STATUS");
  for (const ExitMeaning& exit : exits) page.item(roff_bold(std::to_string(static_cast<int>(exit.code))), exit.meaning);
}

void add_environment(ManPage& page, const std::vector<EnvironmentVariable>& variables) {
  if (variables.empty()) return;
  page.section("ENVIRONMENT");
  for (const EnvironmentVariable& variable : variables) page.item(roff_bold(variable.name), ended(variable.meaning));
}

void add_see_also(ManPage& page, const std::vector<std::string>& pages) {
  page.section("SEE ALSO");
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const auto parenthesis = pages[i].find('(');
    page.line(roff_bold(pages[i].substr(0, parenthesis)) + pages[i].substr(parenthesis) +
              (i + 1 < pages.size() ? "," : ""));
  }
}

void add_examples(ManPage& page, const std::vector<Example>& examples) {
  page.section("EXAMPLES");
  for (const Example& example : examples) {
    page.paragraph(as_sentence(example.purpose));
    page.lines({example.command});
  }
}

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

namespace {

void add_keys(ManPage& page, const std::string& section) {
  for (const OptionInfo& option : options_of(section)) {
    auto text = ended(option.help);
    if (!option.standard.empty()) text += " Default: '" + option.standard + "'.";
    page.item(roff_bold(option.name) + " = " + roff_variable(option.type.name), text);
  }
}

void add_notation(ManPage& page) {
  page.paragraph(
      "A campaign file says what 'assay run' measures. It is UTF-8 text of at most 1 MiB: sections '[NAME]', lines "
      "'key = value', and comments, which begin with '#' at the beginning of a line or after white space. Text in "
      "double "
      "quotes is taken literally, a backslash escapes in it. Nothing is expanded, and no file includes another; "
      "several files on the command line are read as one.");
  page.paragraph(
      "A setting is taken from the command line (--set), else from the environment, else from the file; else its "
      "default "
      "holds. All errors of a file are reported at once, each with its position, and nothing is created then.");
}

void add_sections(ManPage& page) {
  page.section("SECTIONS");
  page.subsection("[campaign]");
  add_keys(page, "campaign");
  page.subsection("[precision]");
  page.paragraph("Each of these keys can be set in a series too, where it takes precedence over [precision].");
  add_keys(page, "precision");
  page.subsection("[series.NAME]");
  page.paragraph(
      "The factors of its measurement, as 'assay describe MEASUREMENT' has them, are keys of a series as well; what "
      "they "
      "are set to is a domain.");
  add_keys(page, "series");
  page.item(
      roff_bold("derive.") + roff_variable("NAME") + " = " + roff_variable("text"),
      "A value that is computed over the points of the series: 'difference FACTOR A B', 'ratio FACTOR A B', 'slope "
      "FACTOR', 'plateaus FACTOR' or 'tail P ...', with 'of QUANTITY' behind it where it is not the primary one.");
  page.subsection("[variant.NAME]");
  page.paragraph("The environment of the points whose level of the factor 'variant' is NAME.");
  page.item(roff_bold("env.") + roff_variable("NAME") + " = " + roff_variable("text"),
            "An environment variable of the variant's workers.");
  add_keys(page, "variant");
}

void add_values(ManPage& page) {
  page.section("VALUES");
  page.item(roff_variable("number") + ", " + roff_variable("count"),
            "As '0.5', '4Ki', '10k', '2M'; the decimal point is a point, whatever the locale.");
  page.item(roff_variable("share"), "As '0.02' or '2%'.");
  page.item(roff_variable("duration"), "As '250ms', '30s', '10min', '2h'; 'ns' and 'us' too.");
  page.item(
      roff_variable("domain"),
      "Levels: 'a, b, c'; 'a..b +STEP' and 'a..b *FACTOR', the end being a level in any case; 'a..b refine 5%': both "
      "ends, and levels where the curve needs them. It may be followed by 'of QUANTITY' and 'multipleof M'.");
  page.item(
      roff_variable("rule"),
      "The name of a stopping rule, with parameters in parentheses where they differ from the keys of the section. "
      "'assay describe RULE' has formulas and defaults.");
  page.section("STOPPING RULES");
  for (const std::string& rule : rule_names()) page.item(roff_bold(rule), ended(rule_help(rule).summary));
}

}  // namespace

Page campaign_page(const std::string& date) {
  ManPage page(page_head("ASSAY-CAMPAIGN", 5, date));
  page.section("NAME");
  page.line("assay\\-campaign \\- campaign files of assay");
  page.section("DESCRIPTION");
  add_notation(page);
  add_sections(page);
  add_values(page);
  add_environment(page, environment_variables("plan"));
  page.section("EXAMPLES");
  page.paragraph("The cost of an uncontended mutex, and of a message between two CPUs by its size:");
  page.lines({"[campaign]", "title = mutex and message", "", "[precision]", "eps = 5%", "", "[series.mutex]",
              "measurement = sync/lock", "", "[series.handoff]", "measurement = logp/round_trip", "channel = pipe",
              "bytes = 1..64Ki *16"});
  add_see_also(page, {"assay(1)", "assay-run(1)", "assay-plan(1)", "assay-describe(1)"});
  return {"assay-campaign", 5, page.text()};
}

}  // namespace assay
