// SPDX-License-Identifier: Apache-2.0
// Room: LogP and LogGP parameters out of results.
// Lines of the LogP layout with what was derived for them, and their cells as text.
#pragma once
#include <iosfwd>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "record/logp/logp_lines.hpp"
#include "record/table/block_table.hpp"

namespace assay::logp {

/// What the layout shows. Borrows the groups that it was made from.
class View {
 public:
  /// Takes what a journal keeps of the derived values; computes them where it has none.
  explicit View(const std::vector<SeriesGroup>& groups);
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  const std::vector<Line>& lines() const { return lines_; }
  /// The derived value of that name for a line; nullptr when it has none.
  const DerivedRecord* find(const Line& line, std::string_view name) const;
  /// What a line is about: its channel, and the further levels that differ between lines.
  std::string label(const Line& line) const;
  /// The levels that all lines share, as " factor=level", without those of blocks.
  const std::string& shared() const { return shared_; }
  /// Marks that stand behind every single value: they are printed once.
  const std::string& common_marks() const { return common_marks_; }
  /// The text of a number, without the marks that all have.
  MarkedText cell(const Line& line, Parameter parameter) const;

 private:
  void sort_factors();
  void attach_latencies();
  void find_common_marks();

  std::vector<DerivedRecord> derived_;
  std::unordered_map<std::string, const DerivedRecord*> derived_by_line_;
  std::vector<Line> lines_;
  std::vector<std::string> varying_;  ///< factors of lines that differ between them, without those of blocks
  std::string shared_;
  std::string common_marks_;
};

/// The name of a number as the paper and the tables have it: "o_s[idle]".
std::string_view name_of(Parameter parameter);

/// Every number with its interval, regime, verdict and origin; how L was computed, and each reason in full.
void explain(std::ostream& out, const View& view);

}  // namespace assay::logp
