// SPDX-License-Identifier: Apache-2.0
// Escapes as groff_char(7) has them: what is typed can be copied from the page, and no line is taken for a request.
#include "app/shell/roff.hpp"

#include "app/shell/prose.hpp"

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

}  // namespace assay
