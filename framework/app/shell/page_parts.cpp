// SPDX-License-Identifier: Apache-2.0
// Sections with the usual names (man-pages(7)), in the usual notation.
#include "app/shell/page_parts.hpp"

#include "app/shell/prose.hpp"
#include "record/provenance.hpp"

namespace assay {

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

}  // namespace assay
