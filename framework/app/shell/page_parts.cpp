// SPDX-License-Identifier: Apache-2.0
// Sections with the usual names (man-pages(7)), in the usual notation.
#include "app/shell/page_parts.hpp"

#include "app/shell/prose.hpp"
#include "record/provenance.hpp"
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

}  // namespace assay
