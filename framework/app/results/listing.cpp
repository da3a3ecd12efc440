// SPDX-License-Identifier: Apache-2.0
// Rows as CSV, JSON and wrapped tables.
#include "app/results/listing.hpp"

#include <algorithm>
#include <ostream>
#include <variant>

#include "record/table/table.hpp"
#include "text/csv_text.hpp"
#include "text/utf8.hpp"

namespace assay {

namespace {

constexpr std::size_t least_width = 16;  // of a column that is made narrower

// A cell as text: strings without their quotes, and nothing for null.
std::string cell_text(const Json& cell) {
  if (cell.is_null()) return {};
  return cell.is_string() ? cell.string() : to_text(cell);
}

std::string csv_cell(const Json& cell) { return cell.is_string() ? csv_text(cell.string()) : cell_text(cell); }

void write_csv_line(std::ostream& out, const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) out << (i == 0 ? "" : ",") << cells[i];
  out << "\r\n";
}

void write_rows(std::ostream& out, const Listing& listing) {
  write_csv_line(out, listing.columns);
  for (const auto& row : listing.rows) {
    std::vector<std::string> cells;
    for (const Json& cell : row) cells.push_back(csv_cell(cell));
    write_csv_line(out, cells);
  }
}

void write_object(std::ostream& out, const Listing& listing) {
  Json::Object object{{"format", "assay-listing"}, {"version", 1}, {"kind", listing.kind}};
  object.insert(object.end(), listing.facts.begin(), listing.facts.end());
  Json::Array rows;
  for (const auto& row : listing.rows) {
    Json::Object one;
    for (std::size_t i = 0; i < row.size(); ++i) one.emplace_back(listing.columns[i], row[i]);
    rows.emplace_back(std::move(one));
  }
  object.emplace_back("rows", std::move(rows));
  out << to_text(Json(std::move(object))) << "\n";
}

// The widest columns become narrower until the table fits.
std::vector<std::size_t> widths_of(const std::vector<std::string>& header,
                                   const std::vector<std::vector<std::string>>& rows, std::size_t width) {
  std::vector<std::size_t> widths;
  std::size_t total = 0;
  for (std::size_t i = 0; i < header.size(); ++i) {
    std::size_t widest = character_count(header[i]);
    for (const auto& row : rows) widest = std::max(widest, character_count(row[i]));
    widths.push_back(widest);
    total += widest + (i == 0 ? 0 : 2);
  }
  for (; total > width; --total) {
    const auto widest = std::ranges::max_element(widths);
    if (widest == widths.end() || *widest <= least_width) break;
    --*widest;
  }
  return widths;
}

}  // namespace

CommandOption listing_option() {
  return {"format",
          {"FORMAT", word_value({"table", "csv", "json"})},
          "table (the default), csv or json, for other programs"};
}

ListingFormat listing_format(const CommandLine& line) {
  const auto word = line.value<std::string>("format");
  if (word == "csv") return ListingFormat::csv;
  return word == "json" ? ListingFormat::json : ListingFormat::table;
}

void write_listing(std::ostream& out, const Listing& listing, ListingFormat format) {
  if (format == ListingFormat::csv) write_rows(out, listing);
  if (format == ListingFormat::json) write_object(out, listing);
}

void print_wrapped(std::ostream& out, const std::vector<std::string>& header,
                   const std::vector<std::vector<std::string>>& rows, std::size_t width) {
  const auto widths = widths_of(header, rows, width);
  TextTable table(header);
  for (const auto& row : rows) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t i = 0; i < row.size(); ++i) {
      cells.push_back(wrapped(row[i], widths[i]));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t at = 0; at < height; ++at) {
      std::vector<std::string> part;
      for (const auto& cell : cells) part.push_back(at < cell.size() ? cell[at] : "");
      table.add(std::move(part));
    }
  }
  table.print(out);
}

void print_wrapped(std::ostream& out, const Listing& listing) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : listing.rows) {
    std::vector<std::string> cells;
    for (const Json& cell : row) cells.push_back(cell_text(cell));
    rows.push_back(std::move(cells));
  }
  print_wrapped(out, listing.columns, rows);
}

}  // namespace assay
