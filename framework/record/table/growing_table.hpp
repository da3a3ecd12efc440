// SPDX-License-Identifier: Apache-2.0
// A table that gets its rows one by one.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "record/record.hpp"
#include "text/text_style.hpp"

namespace assay {

/// Rows of finished points while others are still measured: the primary quantity in the regime that most batches were
/// in. Columns are as wide as the widest cell of a series so far.
class GrowingTable {
 public:
  /// The factors that rows of each series name; all of them for a series that is not there.
  GrowingTable(std::map<std::string, std::vector<std::string>> factors, const TextStyle& style)
      : factors_(std::move(factors)), style_(style) {}
  /// The lines for one more point: its row, and the header of its series before it where the row above is of another.
  std::vector<std::string> add(const PointRecord& point);

 private:
  const std::vector<std::string>& factors_of(const PointRecord& point);

  std::map<std::string, std::vector<std::string>> factors_;
  std::map<std::string, std::vector<std::size_t>> widths_;  ///< of factors, by series
  std::string series_;                                      ///< of the row above
  bool has_rows_ = false;
  TextStyle style_;
};

}  // namespace assay
