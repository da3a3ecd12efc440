// SPDX-License-Identifier: Apache-2.0
// A table of words for people, aligned or in Markdown.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

namespace assay::bench {

/// Rows of as many cells as there are headings.
struct TextTable {
  std::string title;
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;
};

/// The first column is aligned to the left, the others to the right. Ends with a blank line.
void print(std::ostream& out, const TextTable& table, bool markdown);

/// Digits after the point; "-" for a number that is not finite.
std::string decimal(double number, int digits);
/// A share in whole per cent, "97"; "-" for a share of nothing.
std::string hundredths(double share);

}  // namespace assay::bench
