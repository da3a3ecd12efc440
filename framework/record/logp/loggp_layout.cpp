// SPDX-License-Identifier: Apache-2.0
// Layout `loggp`: for each channel a table of LogGP parameters with a row per piece of its message sizes.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <utility>

#include "record/layout/layouts.hpp"
#include "record/logp/loggp.hpp"
#include "record/logp/loggp_curves.hpp"
#include "record/logp/logp_lines.hpp"
#include "record/na_code.hpp"
#include "record/shown_value.hpp"
#include "record/table/block_table.hpp"
#include "record/table/results_table.hpp"
#include "text/printable.hpp"

namespace assay {

namespace loggp {

namespace {

// The records of one piece by name; those of the channel are borrowed.
using PieceRow = std::map<std::string, const DerivedRecord*>;

// A channel with its pieces in order.
struct Table {
  PointRecord key;
  Regime regime;
  std::vector<PieceRow> rows{};
};

const DerivedRecord* find(const PieceRow& row, const char* name) {
  const auto found = row.find(name);
  return found == row.end() ? nullptr : found->second;
}

// An earlier session may have had more pieces: those beyond the channel's count are no longer true.
std::vector<Table> tables_of(const std::vector<DerivedRecord>& records) {
  std::vector<Table> tables;
  for (const DerivedRecord& record : records) {
    if (record.name != pieces_name) continue;
    Table& table = tables.emplace_back(Table{{}, record.regime});
    table.key.point = record.group;
    table.rows.resize(static_cast<std::size_t>(record.derived.value));
    for (const DerivedRecord& other : records) {
      const Value* number = other.group.find(piece_factor);
      if (number == nullptr || other.regime != record.regime || !(other.group.without(piece_factor) == record.group))
        continue;
      const auto piece = static_cast<std::size_t>(number_of(*number).value_or(0));
      if (piece >= 1 && piece <= table.rows.size()) table.rows[piece - 1][other.name] = &other;
    }
  }
  return tables;
}

// "2000 ±12": in a common number of digits.
std::string with_width(const Derived& derived) {
  const ShownValue text = shown(derived.value, derived.interval, Scale{1, ""});
  const double half = half_width(derived.value, derived.interval);
  const int decimals = decimals_for(derived.value, half);
  return text.value + (std::isfinite(half) ? " ±" + fixed_text(half, decimals) : "");
}

std::string parameter_text(const DerivedRecord* record) {
  if (record == nullptr) return "-";
  const Derived& derived = record->derived;
  if (derived.valid) return with_width(derived) + (record->name == delivery_name ? "+" : "");
  if (std::string code = code_in(derived.reason); !code.empty()) return code;
  if (derived.interval.available() && derived.interval.contains(0))
    return "<" + short_text({"bound", derived.interval.high, {}, ""}, Unit::nanoseconds);
  return "n/a";
}

std::string size_of(const PieceRow& row, const char* name) {
  const DerivedRecord* record = find(row, name);
  return record == nullptr ? "-" : fixed_text(record->derived.value, 0);
}

std::string protocol_text(const PieceRow& row) {
  const DerivedRecord* eager = find(row, eager_name);
  if (eager == nullptr) return "-";
  if (eager->derived.value == 1) return "eager";
  return eager->derived.value == 0 ? "rendezvous" : "both";
}

std::string change_text(const PieceRow& row) {
  const DerivedRecord* from = find(row, from_name);
  if (from == nullptr || from->derived.interval.level == 1) return "-";
  return fixed_text(from->derived.interval.low, 0) + " .. " + fixed_text(from->derived.interval.high, 0);
}

// 1 byte per ns is 1 GB/s.
std::string bandwidth_text(const PieceRow& row) {
  const DerivedRecord* gap = find(row, gap_byte_name);
  if (gap == nullptr || !gap->derived.valid || gap->derived.interval.low <= 0) return "-";
  const Derived& per_byte = gap->derived;
  return with_width(
      {1 / per_byte.value, {1 / per_byte.interval.high, 1 / per_byte.interval.low, per_byte.interval.level}, true, {}});
}

double size_at(const PieceRow& row, const char* name) {
  const DerivedRecord* record = find(row, name);
  return record == nullptr ? 0 : record->derived.value;
}

// What the numbers of all tables rest on: marks that all have are said once.
class TableMarks {
 public:
  TableMarks(const std::vector<SeriesGroup>& groups, const std::vector<Table>& tables)
      : channels_(channels_of(groups)) {
    bool any = false;
    common_ = all_marks;
    for (const Table& table : tables)
      for (const PieceRow& row : table.rows)
        for (const char* name : {rtt_name, o_s_name, o_r_name, gap_name, latency_name, delivery_name}) {
          const DerivedRecord* record = find(row, name);
          if (record == nullptr || !record->derived.valid) continue;
          any = true;
          const std::string marks = all_of(row, *record);
          std::erase_if(common_, [&](char mark) { return marks.find(mark) == std::string::npos; });
        }
    if (!any) common_.clear();
  }

  const std::string& common() const { return common_; }
  // Of a number in the table; of one that is not there none.
  std::string of(const PieceRow& row, const DerivedRecord* record) const {
    if (record == nullptr || !record->derived.valid) return {};
    std::string marks = all_of(row, *record);
    std::erase_if(marks, [&](char mark) { return common_.find(mark) != std::string::npos; });
    return marks;
  }

 private:
  std::string all_of(const PieceRow& row, const DerivedRecord& record) const {
    return marks_of(channels_, record, size_at(row, from_name), size_at(row, to_name));
  }

  std::vector<Channel> channels_;
  std::string common_;
};

class PieceColumns {
 public:
  PieceColumns(const std::vector<PieceRow>& rows, const TableMarks& marks, std::set<std::string>& used)
      : rows_(rows), marks_(marks), used_(used) {
    add("sizes", "bytes", [](const PieceRow& row) { return size_of(row, from_name) + " .. " + size_of(row, to_name); });
  }
  template <class Text>
  void add(const char* upper, const char* lower, Text text) {
    add_marked(upper, lower, [text](const PieceRow& row) { return MarkedText{text(row)}; });
  }
  /// Parameters, each by the first of the names that the row has a record of.
  void add(const char* upper, const char* lower, std::initializer_list<const char*> names) {
    add_marked(upper, lower, [this, names = std::vector<const char*>(names)](const PieceRow& row) {
      const DerivedRecord* record = nullptr;
      for (const char* name : names)
        if (record == nullptr) record = find(row, name);
      return MarkedText{parameter_text(record), marks_.of(row, record)};
    });
  }
  bool is_blank() const {
    return std::all_of(columns_.begin() + 1, columns_.end(), [](const auto& column) { return column.is_blank(); });
  }
  void print(std::ostream& out) const { print_columns(out, columns_); }

 private:
  template <class Cell>
  void add_marked(const char* upper, const char* lower, Cell cell) {
    MarkedColumn& column = columns_.emplace_back(upper, lower, !columns_.empty());
    for (const PieceRow& row : rows_) {
      const MarkedText text = cell(row);
      used_.insert(text.text);
      for (const char mark : text.marks) used_.insert(std::string(1, mark));
      column.add(text);
    }
  }

  const std::vector<PieceRow>& rows_;
  const TableMarks& marks_;
  std::set<std::string>& used_;
  std::vector<MarkedColumn> columns_;
};

void print_parameters(std::ostream& out, const Table& table, const TableMarks& marks, std::set<std::string>& used) {
  PieceColumns columns(table.rows, marks, used);
  columns.add("protocol", "", protocol_text);
  columns.add("L", "ns", {latency_name, delivery_name});
  columns.add("o_s", "ns", {o_s_name});
  columns.add("per byte", "ns", {o_s_byte_name});
  columns.add("o_r", "ns", {o_r_name});
  columns.add("per byte", "ns", {o_r_byte_name});
  columns.add("g", "ns", {gap_name});
  columns.add("G", "ns/B", {gap_byte_name});
  columns.add("1/G", "GB/s", bandwidth_text);
  columns.print(out);
}

void print_quality(std::ostream& out, const Table& table, const TableMarks& marks, std::set<std::string>& used) {
  PieceColumns columns(table.rows, marks, used);
  columns.add("the law changes", "between", change_text);
  columns.add("RTT", "ns", {rtt_name});
  columns.add("per byte", "ns", {rtt_byte_name});
  columns.add("G[rtt]", "ns/B", {gap_byte_by_rtt_name});
  columns.add("g by RTT", "to g", [](const PieceRow& row) { return ratio_text(find(row, gap_by_rtt_name)); });
  columns.add("g saturated", "to g", [](const PieceRow& row) { return ratio_text(find(row, saturation_name)); });
  if (columns.is_blank()) return;
  out << "\nquality, and further numbers\n";
  columns.print(out);
}

bool is_usual(const std::string& factor, const std::string& level) {
  return (factor == "policy" && level == "inherited") || (factor == "variant" && level == "plain");
}

// Where and by whom, then the levels that distinguish channels.
std::string heading_of(const Table& table, const std::vector<PointRecord>& keys) {
  std::string text;
  const auto& blocks = logp::block_factors();
  for (const std::string& factor : factors_of(keys)) {
    const bool is_block = std::ranges::find(blocks, factor) != blocks.end();
    if (table.key.point.find(factor) == nullptr || (!is_block && factor != "channel" && !varies(factor, keys)))
      continue;
    const std::string level = shown_level(table.key.point, factor);
    if (!is_usual(factor, level)) text += (text.empty() ? "" : ", ") + factor + " " + level;
  }
  return text + (text.empty() ? "" : ", ") + to_text(table.regime);
}

std::string shared_levels(const std::vector<PointRecord>& keys) {
  std::string text;
  const auto& blocks = logp::block_factors();
  for (const std::string& factor : factors_of(keys))
    if (std::ranges::find(blocks, factor) == blocks.end() && factor != "channel" && !varies(factor, keys))
      text += " " + factor + "=" + shown_level(keys.front().point, factor);
  return text;
}

void print_marks(std::ostream& out, const TableMarks& marks, const std::set<std::string>& used) {
  std::string single;
  for (const char mark : all_marks)
    if (used.contains(std::string(1, mark))) single += mark;
  assay::print_legend(out, single);
  for (const char mark : marks.common()) out << "all values: " << meaning_of(mark) << '\n';
}

void print_legend(std::ostream& out, const std::set<std::string>& used) {
  const auto any = [&](auto is_such) { return std::ranges::any_of(used, is_such); };
  if (used.contains("eager") || used.contains("rendezvous") || used.contains("both"))
    out << "eager: messages are accepted without a receiver; rendezvous: a send waits for its receiver; both: some "
           "are\n";
  if (used.contains("rendezvous"))
    out << "o_s of a rendezvous is that of sends with pauses between them, with a waiting receiver (o_s[prtt])\n";
  if (any([](const auto& text) { return text.ends_with('+'); }))
    out << "x+  includes o_r, which has no separate value there\n";
  if (any([](const auto& text) { return text.starts_with('<'); }))
    out << "<x  not significantly above 0: x is the upper end of the interval\n";
  if (used.contains("n/a")) out << "n/a the reason is in 'assay show DIR --explain'\n";
  for (const std::string& code : all_codes())
    if (used.contains(code)) out << code << (code.size() < 3 ? "  " : " ") << meaning_of_code(code) << '\n';
}

std::string value_text(const DerivedRecord& record) {
  const Derived& derived = record.derived;
  if (!derived.valid) return "n/a: " + printable(derived.reason);
  const ShownValue text = shown(derived.value, derived.interval, Scale{1, ""});
  const bool is_exact = derived.interval.level == 1;
  return text.value + (is_exact ? "" : " [" + text.low + " .. " + text.high + "]") +
         (record.unit == symbol(Unit::ratio) ? "" : " " + printable(record.unit));
}

void explain(std::ostream& out, const std::vector<Table>& tables, const std::vector<PointRecord>& keys) {
  out << "\nSources of the numbers. A piece is a range of sizes over which every quantity is linear in "
         "the\n"
         "size: weighted least squares, each size by its interval. Parameters are the lines' values at 0 bytes and\n"
         "their slopes; L is RTT / 2 less the overheads.\n";
  for (const Table& table : tables) {
    out << '\n' << heading_of(table, keys) << '\n';
    for (const PieceRow& row : table.rows) {
      out << "  " << size_of(row, from_name) << " .. " << size_of(row, to_name) << " bytes\n";
      for (const auto& [name, record] : row)
        out << "    " << name << " = " << value_text(*record) << " (" << printable(record->formula) << ")\n";
    }
  }
}

const std::vector<DerivedRecord>* kept_pieces(const std::vector<SeriesGroup>& groups) {
  const auto has_pieces = [](const SeriesGroup& group) {
    return group.series.series.empty() &&
           std::ranges::find(group.derived, pieces_name, &DerivedRecord::name) != group.derived.end();
  };
  const auto found = std::ranges::find_if(groups, has_pieces);
  return found == groups.end() ? nullptr : &found->derived;
}

/// Series with numbers that pieces are fitted to.
std::set<std::string> fitted_series(const std::vector<SeriesGroup>& groups) {
  using logp::Parameter;
  std::set<std::string> names;
  for (const logp::Line& line : logp::lines_of(groups))
    for (const Parameter parameter :
         {Parameter::rtt, Parameter::o_s_idle, Parameter::o_r_ready, Parameter::g_flood, Parameter::prtt})
      if (const SeriesGroup* series = line[parameter].series; series != nullptr) names.insert(series->series.series);
  return names;
}

void print(std::ostream& out, const std::vector<Record>& records, Detail detail) {
  const auto groups = group_by_series(records);
  const auto derived = kept_pieces(groups) != nullptr ? *kept_pieces(groups) : derive(groups);
  const auto tables = tables_of(derived);
  std::vector<PointRecord> keys;
  for (const Table& table : tables) keys.push_back(table.key);
  print_title(out, records);
  out << "LogGP parameters by pieces of the message sizes";
  if (!keys.empty() && !shared_levels(keys).empty()) out << ", at" << shared_levels(keys);
  out << "\n\n";
  if (tables.empty()) out << "no channel has round trips, overheads or gaps at three sizes or more\n\n";
  std::set<std::string> used;
  const TableMarks marks(groups, tables);
  for (const Table& table : tables) {
    out << heading_of(table, keys) << '\n';
    print_parameters(out, table, marks, used);
    print_quality(out, table, marks, used);
    out << '\n';
  }
  print_legend(out, used);
  print_marks(out, marks, used);
  if (detail == Detail::explained) explain(out, tables, keys);
  out << '\n';
  print_unshown(out, groups, tables.empty() ? std::set<std::string>() : fitted_series(groups));
  print_close(out, records, groups);
}

}  // namespace

}  // namespace loggp

Layout loggp_layout() {
  return {"loggp", "LogGP parameters of each channel by pieces of its message sizes, with the breakpoints",
          [](const auto& groups, const auto&) { return loggp::derive(groups); }, one_by_one(&loggp::print)};
}

}  // namespace assay
