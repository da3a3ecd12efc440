// SPDX-License-Identifier: Apache-2.0
// Rows as CSV, JSON and wrapped tables.
#include "app/results/listing.hpp"

#include <algorithm>
#include <ostream>
#include <sstream>
#include <variant>

#include "record/table/table.hpp"
#include "text/csv_text.hpp"
#include "text/printable.hpp"
#include "text/utf8.hpp"

namespace assay {

namespace {

constexpr std::size_t listing_width = 100;  // of lines, also where no terminal says how many it has

// A cell as text: strings without their quotes, and nothing for null.
std::string cell_text(const Json& cell) {
  if (cell.is_null()) return {};
  return cell.is_string() ? cell.string() : to_text(cell);
}

// Names from files are inert where the text goes to a terminal; ends of lines stay what they are.
std::string csv_cell(const Json& cell) {
  if (!cell.is_string()) return cell_text(cell);
  std::istringstream lines(cell.string());
  std::string inert;
  for (std::string line; std::getline(lines, line);) inert += (inert.empty() ? "" : "\n") + printable(line);
  return csv_text(inert);
}

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

void print_wrapped(std::ostream& out, const Listing& listing) {
  TextTable table(listing.columns, {false, false, listing_width});
  for (const auto& row : listing.rows) {
    std::vector<std::string> cells;
    for (const Json& cell : row) cells.push_back(cell_text(cell));
    table.add(std::move(cells));
  }
  table.print(out);
}

}  // namespace assay
