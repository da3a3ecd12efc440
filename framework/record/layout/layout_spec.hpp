// SPDX-License-Identifier: Apache-2.0
// A layout as its file declares it: values found among points, tables of formulas over them, and what others published
// (doc/layouts.md).
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/layout/formula.hpp"

namespace assay {

/// A text and what it stands for, in the order of the file.
using NamedTexts = std::vector<std::pair<std::string, std::string>>;

/// A system that numbers were published of.
struct PublishedSystem {
  std::string name;
  std::string group;      ///< which of the document's experiments it belongs to; empty where there is one
  NamedTexts attributes;  ///< library, page size and the like, as texts
};

/// A published number. In base units: ns, B, 1/s, B/s.
struct PublishedNumber {
  std::string value;    ///< the layout's name for it: of a value, or TABLE.ITEM of what the document computed
  std::string system;   ///< name of it
  NamedTexts at;        ///< levels of factors
  std::string printed;  ///< the digits of the document, in the unit that the layout shows it in
  double number = 0;    ///< what they say in base units
  std::optional<double> recomputed{};  ///< what the document's own raw data give, where that is another number
  std::string why{};                   ///< the difference explained
};

/// Raw lines of a published experiment: per line a text for each column.
struct PublishedLines {
  std::string value;
  std::string system;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> lines;
};

/// All that was published of one experiment.
struct Reference {
  std::string source;  ///< who, what, where and when, in a line
  std::vector<PublishedSystem> systems;
  std::vector<PublishedNumber> numbers;
  std::vector<PublishedLines> lines;
};

/// Reads a reference file (schema in doc/layouts.md). Throws JsonError, with what is wrong and where in the file's
/// structure, for anything that the schema does not have, unknown members and unknown systems included.
Reference parse_reference(std::string_view text);

/// Which statistic of a quantity.
enum class Statistic : unsigned char {
  median,   ///< with its interval
  mean,     ///< the rule's where it is one, with its interval
  between,  ///< spread between processes: standard deviation of the logs of their medians
  within    ///< spread within processes: interquartile range over the median
};

/// A named value: one quantity of the point of a measurement that has these levels.
struct ValueSpec {
  std::string name;
  std::string quantity;     ///< empty: the primary one
  std::string measurement;  ///< by name
  Statistic statistic = Statistic::median;
  NamedTexts where;  ///< factor and level; `series` stands for the name of the series
};

/// How a number is shown.
enum class Style : unsigned char {
  number,   ///< in the digits that its interval supports
  percent,  ///< of one, times a hundred, with "%"
  more,     ///< "44% more WORDS" or "14% less WORDS", from a ratio less one
  times     ///< "4.0x"
};

/// A row or column: its label and what stands in it.
struct ItemSpec {
  std::string key;
  std::string label;
  FormulaNode formula;
  std::string text;  ///< of the formula, as written
  std::string unit;  ///< in which it is shown; empty: as it comes
  Style style = Style::number;
  std::string words;  ///< behind "more" and "less"
};

/// What the rows or the columns of a table are.
struct AxisSpec {
  enum class Kind : unsigned char {
    none,     ///< items only
    systems,  ///< every system, or with a name: every level of that attribute among them
    factor    ///< every level of a factor among the points
  };
  Kind kind = Kind::none;
  std::string name;                 ///< of the attribute or factor
  std::vector<std::string> levels;  ///< exactly these; empty: those found
};

/// One table. A cell's formula is that of its row's item, else of its column's, else the table's own `cell`.
struct TableSpec {
  std::string key;
  std::string title;
  std::string note;
  std::string group;  ///< of published systems; empty: all
  AxisSpec each;      ///< one table for each of these
  AxisSpec rows;
  AxisSpec columns;
  std::vector<std::string> about;   ///< attributes of the systems that are the rows, a column each
  std::vector<ItemSpec> row_items;  ///< below the rows of the axis
  std::vector<ItemSpec> column_items;
  std::optional<ItemSpec> cell;
  std::string unit;
  bool bars = false;  ///< a bar beside each row
};

/// Raw observations, a line of text each.
struct LinesSpec {
  std::string key;
  std::string title;
  std::string value;  ///< whose point they are of
  std::string text;   ///< with {QUANTITY} or {QUANTITY in UNIT}
};

/// An attribute of measured systems: the first of these sources that there is.
struct AttributeSpec {
  std::string name;
  std::vector<std::string> sources;  ///< facts of the session, or `variant`, `campaign`, `library`
};

/// A whole layout.
struct LayoutSpec {
  std::string name;
  std::string summary;
  std::string note;
  std::string baseline;  ///< name of a published or measured system
  bool letters = false;  ///< measured systems are A, B, C, ... in their order
  std::vector<AttributeSpec> attributes;
  std::vector<ValueSpec> values;
  std::vector<TableSpec> tables;  ///< in the order of the file
  std::vector<LinesSpec> lines;   ///< behind the tables
  Reference reference;
};

/// The text of a file that a layout names, its reference; nothing when there is none of that name.
using TextOf = std::function<std::optional<std::string>(const std::string& name)>;

/// Reads a layout. `file` stands in messages and, without folder and ending, is the layout's name. Throws ConfigError
/// with every problem found: unknown keys, formulas that cannot be read, names of values and tables that do not exist,
/// and a reference that is missing or malformed.
LayoutSpec parse_layout(std::string_view text, const std::string& file, const TextOf& reference);

}  // namespace assay
