// SPDX-License-Identifier: Apache-2.0
// Layouts: named ways to read a whole journal as one table.
#pragma once
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "record/grouping.hpp"
#include "record/record.hpp"

namespace assay {

/// How much a layout tells.
enum class Detail : unsigned char {
  usual,     ///< tables with the legend of what occurs in them
  explained  ///< and for each number where it comes from, and every reason in full
};

/// One layout. A further one is a file that makes one of these, and its line in layouts().
struct Layout {
  std::string name;
  std::string summary;
  /// Computes values over several series: a session of a campaign with this layout keeps them in its journal. Their
  /// `series` is empty, and `group` names the levels that their inputs share. Null: there are none.
  std::vector<DerivedRecord> (*derive)(const std::vector<SeriesGroup>& groups) = nullptr;
  void (*print)(std::ostream& out, const std::vector<Record>& records, Detail detail) = nullptr;
};

/// What is printed where no layout is asked for: every series by itself.
inline constexpr const char* plain_layout = "plain";

/// All layouts, the plain one first.
const std::vector<Layout>& layouts();
/// The layout of that name; nullptr when there is none.
const Layout* find_layout(std::string_view name);
/// The names, in the order of layouts().
std::vector<std::string> layout_names();

/// Each in a file of its own.
Layout logp_layout();
Layout loggp_layout();
Layout desupinski_may_layout();
Layout cluster_layout();

}  // namespace assay
