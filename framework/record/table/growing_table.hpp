// SPDX-License-Identifier: Apache-2.0
// A table that gets its rows one by one.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "record/record.hpp"
#include "text/text_style.hpp"

namespace assay {

/// Rows of finished points while others are still measured: the primary quantity in the regime that most batches were
/// in, what is measured, and how far it can be trusted, in words. What is wider than the lines goes on below.
class GrowingTable {
 public:
  /// The factors that rows of each series name; all of them for a series that is not there.
  GrowingTable(std::map<std::string, std::vector<std::string>> factors, const TextStyle& style)
      : factors_(std::move(factors)), style_(style) {}
  /// The lines for one more point: its row, and the header before the first one. Lines are as wide as said from here
  /// on; 0: as before.
  std::vector<std::string> add(const PointRecord& point, std::size_t width = 0);

 private:
  std::string name_of(const PointRecord& point) const;
  std::vector<std::string> lines_of(const std::string& front, const std::string& name, const std::string& trust,
                                    Paint paint) const;

  std::map<std::string, std::vector<std::string>> factors_;
  std::size_t name_width_ = 0;
  bool has_rows_ = false;
  TextStyle style_;
};

}  // namespace assay
