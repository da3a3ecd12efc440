// SPDX-License-Identifier: Apache-2.0
// The page of campaign files, whose keys are those of the option table.
#include "app/cli/options.hpp"
#include "app/shell/manual.hpp"
#include "app/shell/page_parts.hpp"
#include "app/shell/prose.hpp"
#include "stats/rule/stopping_rule.hpp"

namespace assay {

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
