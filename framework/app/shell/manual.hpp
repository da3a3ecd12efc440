// SPDX-License-Identifier: Apache-2.0
// Room: manual pages, reference and completions, out of the table of options.
// The pages of the manual, and what several of them have.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/shell/guide.hpp"

namespace assay {

/// What stands in the corners of a page.
struct PageHead {
  std::string title;  ///< "ASSAY-RUN"
  int section = 1;
  std::string date;  ///< "2026-11-23"
  std::string source;
  std::string manual;
};

/// Text that stays what it is whatever it begins with and contains.
std::string roff_escaped(std::string_view text);
/// The same in bold, or as a variable.
std::string roff_bold(std::string_view text);
std::string roff_variable(std::string_view text);
/// Prose, what is literal in it in bold (app/shell/prose.hpp).
std::string roff_prose(std::string_view text);

/// Writes a page from top to bottom.
class ManPage {
 public:
  explicit ManPage(const PageHead& head);
  void section(std::string_view name);
  void subsection(std::string_view name);
  void paragraph(std::string_view prose);
  /// One item of a list: a tag in roff's notation, and prose beside or below it.
  void item(std::string_view tag, std::string_view prose);
  /// Lines as they are.
  void lines(const std::vector<std::string>& lines);
  /// A line in roff's notation.
  void line(std::string_view roff);
  const std::string& text() const { return text_; }

 private:
  void prose(std::string_view text);
  std::string text_;
};

/// The corners of a page; `date` as "2026-11-23".
PageHead page_head(const std::string& title, int section, const std::string& date);
void add_exits(ManPage& page, const std::vector<ExitMeaning>& exits);
/// Nothing where there are none.
void add_environment(ManPage& page, const std::vector<EnvironmentVariable>& variables);
void add_examples(ManPage& page, const std::vector<Example>& examples);
/// Pages as "assay-run(1)".
void add_see_also(ManPage& page, const std::vector<std::string>& pages);

/// One page, as it is to be installed.
struct Page {
  std::string name;  ///< "assay-run"
  int section = 1;
  std::string text;
  /// "man1/assay-run.1"
  std::string file() const {
    const auto number = std::to_string(section);
    return "man" + number + "/" + name + "." + number;
  }
};

/// assay(1), a page for each sub-command that is for people, assay-campaign(5); dated as given, "2026-11-23".
std::vector<Page> manual(const std::string& date);

/// assay-campaign(5): the files that `assay run` measures.
Page campaign_page(const std::string& date);

}  // namespace assay
