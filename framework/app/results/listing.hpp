// SPDX-License-Identifier: Apache-2.0
// What exists or is planned, as rows that people, spreadsheets and programs read.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "app/cli/options.hpp"
#include "text/json.hpp"

namespace assay {

/// Rows of one kind. doc/exports.md has the schema of each.
struct Listing {
  std::string kind;  ///< "measurements", "points", ...
  std::vector<std::string> columns;
  std::vector<std::vector<Json>> rows{};  ///< as many cells as columns; null: there is none
  Json::Object facts{};                   ///< about all of them
  void add(std::vector<Json> row) { rows.push_back(std::move(row)); }
};

/// How a command writes what it lists.
enum class ListingFormat : std::uint8_t { table, csv, json };

/// --format table|csv|json, and what was asked for.
CommandOption listing_option();
ListingFormat listing_format(const CommandLine& line);

/// As CSV (RFC 4180: a header, then the rows), or as one JSON object: `format` (assay-listing), `version` (1), `kind`,
/// the facts, and `rows`, objects by column. Tables are a command's own.
void write_listing(std::ostream& out, const Listing& listing, ListingFormat format);

/// The rows as a table with lines of at most 100 characters: long cells are broken at blanks, and never cut.
void print_wrapped(std::ostream& out, const Listing& listing);

}  // namespace assay
