// SPDX-License-Identifier: Apache-2.0
// What is requested of tables: which rows, which columns, in which order.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/grouping.hpp"
#include "text/text_style.hpp"

namespace assay {

/// The factor that a name means: what follows "factor:", or the name itself. A column of the same name goes first.
std::string factor_named(const std::string& name);

/// A column to sort by.
struct SortKey {
  std::string column;
  bool descending = false;
};

/// "name=pattern,pattern" or "name!=pattern,pattern": what a name is, or is not. The name is one of series,
/// measurement, quantity, regime and verdict, or a factor; in patterns `*` stands for any text and `?` for any
/// character.
struct RowCondition {
  std::string name;
  bool is_negated = false;
  std::vector<std::string> patterns;
};

/// How much tables contain.
enum class TableDetail : std::uint8_t {
  brief,    ///< of each result in the state of the cores that was asked for: value, precision, and trust in words
  verbose,  ///< intervals, states, counts, verdicts and marks; what was not of one steady thing
  wide      ///< every column and row there is
};

/// Rows, columns and digits of tables.
struct TableChoice {
  std::vector<std::string> columns{};  ///< in their order; none: the usual ones
  std::vector<SortKey> sort{};
  std::vector<RowCondition> filter{};  ///< all of them hold
  TableDetail detail = TableDetail::verbose;
  bool raw = false;  ///< all digits, in the units that are kept
  TextStyle style{};
  bool cycles = false;  ///< core cycles beside times
  /// Left to a sentence below the tables where all values are short-term.
  bool says_term = true;
};

/// "a,-b" as keys, descending where a minus stands before; "a,b" as names. `where` is the position of errors. Throws
/// ConfigError for an empty name.
std::vector<SortKey> parse_sort(const std::string& text, const std::string& where);
std::vector<std::string> parse_columns(const std::string& text, const std::string& where);
/// Reads a condition. Throws ConfigError for what is none.
RowCondition parse_condition(const std::string& text, const std::string& where);

/// Whether a text is what a pattern with `*` and `?` says.
bool matches(std::string_view text, std::string_view pattern);

/// Every problem of a choice at once: names of columns and factors that no series has, and levels that no point has,
/// with the nearest ones that exist. Throws ConfigError, at `where`.
void require_known(const TableChoice& choice, std::span<const SeriesGroup> groups, const std::string& where);

/// The results for which all conditions hold; points without any, and series without points, are left out. Derived
/// values are of more than that, and are left out where there is a condition.
std::vector<SeriesGroup> filtered(std::vector<SeriesGroup> groups, const std::vector<RowCondition>& conditions);

}  // namespace assay
