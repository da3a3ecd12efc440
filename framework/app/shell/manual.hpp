// SPDX-License-Identifier: Apache-2.0
// Room: manual pages, reference and completions, out of the table of options.
// The pages of the manual.
#pragma once
#include <string>
#include <vector>

namespace assay {

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
