// SPDX-License-Identifier: Apache-2.0
// Layouts: named ways to read whole journals as tables.
#pragma once
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "record/grouping.hpp"
#include "record/record.hpp"

namespace assay {

/// The detail of a layout.
enum class Detail : unsigned char {
  usual,     ///< tables with the legend of what occurs in them
  explained  ///< and for each number where it comes from, and every reason in full
};

/// The results of one campaign, with a name to distinguish it from others.
struct ShownCampaign {
  std::string name;
  std::vector<Record> records;
};

/// One layout. A further one is a declaration in a file (doc/layouts.md); what formulas over points cannot say is a
/// source that makes one of these, and its line in layouts.cpp.
struct Layout {
  std::string name;
  std::string summary;
  /// Computes values over several series: a session of a campaign with this layout keeps them in its journal. Their
  /// `series` is empty, and `group` names the levels that their inputs share. `configuration` is the campaign's, as
  /// its record has it: the order of variants is taken from there. Null: there are none.
  std::function<std::vector<DerivedRecord>(const std::vector<SeriesGroup>& groups, const std::string& configuration)>
      derive{};
  /// Prints one campaign, or several as columns or rows of the same tables where it can, else one after another.
  std::function<void(std::ostream& out, std::span<const ShownCampaign> campaigns, Detail detail)> print{};
  std::vector<std::string> raw_of{};  ///< measurements whose visits it needs with their batches
};

/// A layout that prints one campaign at a time.
using OnePrinter = void (*)(std::ostream& out, const std::vector<Record>& records, Detail detail);
/// Its `print`: several stand one after another under their names.
std::function<void(std::ostream&, std::span<const ShownCampaign>, Detail)> one_by_one(OnePrinter print);

}  // namespace assay
