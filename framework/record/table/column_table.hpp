// SPDX-License-Identifier: Apache-2.0
// The columns that a table of results can have, beside factors.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "record/table/result_row.hpp"

namespace assay {

/// How the cells of a column are written.
enum class ColumnKind : std::uint8_t {
  value,     ///< in the unit of the quantity, with the digits that its accuracy supports
  interval,  ///< both ends of one
  share,     ///< in per cent; as a share among raw numbers
  cycles,    ///< of the core; "-" where the result has no clock
  cycles_interval,
  count,
  word
};

/// One column. Functions are called for rows with a result only.
struct ColumnInfo {
  std::string_view name;
  std::string_view title;
  ColumnKind kind = ColumnKind::word;
  /// What the column sorts by, in the units of the journal; null for words.
  double (*number)(const Result& result) = nullptr;
  /// Half of the width within which a value is known.
  double (*accuracy)(const Result& result) = nullptr;
  /// What stands in the cell of a count, a share or a word.
  std::string (*text)(const ResultRow& row) = nullptr;
  /// What an interval's cell is about; with the digits of the headline that it supports.
  const Interval& (*interval)(const Result& result) = nullptr;
};

/// All of them, in the order of wide tables.
std::span<const ColumnInfo> all_columns();
/// By name or title; null when there is none.
const ColumnInfo* find_column(std::string_view name);

}  // namespace assay
