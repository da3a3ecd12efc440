// SPDX-License-Identifier: Apache-2.0
// A check for people, and for other programs.
#include <algorithm>
#include <cmath>
#include <ostream>
#include <set>

#include "app/archive/acceptance.hpp"
#include "app/results/listing.hpp"
#include "base/point.hpp"
#include "base/value.hpp"
#include "record/grouping.hpp"
#include "record/shown_value.hpp"
#include "record/table/table.hpp"
#include "text/json.hpp"
#include "text/printable.hpp"
#include "text/scale.hpp"

namespace assay::history {
namespace {

std::string text_or_dash(const std::string& text) { return text.empty() ? "-" : text; }

bool has_another_day(const CheckReport& report) {
  return std::ranges::any_of(report.points, [](const Judged& judged) { return judged.another_day.from > 0; });
}

// A cell for another day only where there is such a column.
std::vector<std::string> row_of(const Judged& judged, bool has_days) {
  const bool has_number = std::isfinite(judged.known.value);
  const double size = has_number ? judged.known.value : judged.expected;
  const Scale scale = scale_of(size, judged.unit);
  const ShownValue value = shown(judged.known.value, judged.known.interval, scale);
  const bool has_range = judged.range.available();
  const ShownValue expected = shown(judged.expected, judged.range, scale);
  std::string verdict(to_text(judged.acceptance));
  if (!judged.reason.empty()) verdict += ": " + judged.reason;
  std::vector<std::string> row{judged.place.series,
                               judged.place.point,
                               text_or_dash(judged.place.quantity),
                               text_or_dash(judged.place.regime),
                               has_number ? value.value : "-",
                               judged.marks,
                               has_number && judged.known.interval.available() ? value.low + " .. " + value.high : "-",
                               has_range ? expected.low + " .. " + expected.high : "-"};
  if (has_days) {
    const ShownValue day = shown(judged.known.value, judged.another_day.interval, scale);
    row.push_back(judged.another_day.from > 0 ? day.low + " .. " + day.high : "-");
  }
  row.insert(row.end(), {std::isfinite(size) ? scale.name : "-", verdict});
  return row;
}

std::string counts_text(const CheckReport& report) {
  std::string text;
  for (const Acceptance acceptance : all_acceptances)
    text +=
        (text.empty() ? "" : ", ") + std::to_string(report.count(acceptance)) + " " + std::string(to_text(acceptance));
  return text;
}

void write_table(std::ostream& out, const CheckReport& report) {
  out << printable(report.campaign) << "\nagainst " << printable(report.against) << "\n\n";
  const bool has_days = has_another_day(report);
  std::vector<std::string> header{"series", "point", "quantity", "regime", "median", "", "low .. high", "expected"};
  if (has_days) header.emplace_back("another day");
  header.insert(header.end(), {"unit", "verdict"});
  TextTable table(header);
  std::set<char> marks;
  for (const Acceptance acceptance : all_acceptances)
    for (const Judged& judged : report.points)
      if (judged.acceptance == acceptance) {
        table.add(row_of(judged, has_days));
        marks.insert(judged.marks.begin(), judged.marks.end());
      }
  if (table.rows() > 0) table.print(out);
  for (const char mark : all_marks)
    if (marks.contains(mark)) out << mark << "  " << meaning_of(mark) << '\n';
  if (has_days) out << "another day: prediction interval for the median of a further campaign, from earlier ones\n";
  for (const std::string& note : report.notes) out << "note: " << printable(note) << '\n';
  out << '\n'
      << report.points.size() << (report.points.size() == 1 ? " point: " : " points: ") << counts_text(report) << '\n';
}

Json number_json(double number) { return std::isfinite(number) ? Json(number) : Json(); }

Json json_of(const Judged& judged) {
  const Interval& interval = judged.known.interval;
  const bool has_range = judged.range.available();
  const bool has_day = judged.another_day.from > 0;
  return Json::Object{{"series", judged.place.series},
                      {"measurement", judged.place.measurement},
                      {"point", judged.place.point},
                      {"quantity", judged.place.quantity},
                      {"regime", judged.place.regime},
                      {"unit", symbol(judged.unit)},
                      {"value", number_json(judged.known.value)},
                      {"low", interval.available() ? Json(interval.low) : Json()},
                      {"high", interval.available() ? Json(interval.high) : Json()},
                      {"marks", judged.marks},
                      {"state", to_text(judged.state)},
                      {"expected", number_json(judged.expected)},
                      {"expected_low", has_range ? Json(judged.range.low) : Json()},
                      {"expected_high", has_range ? Json(judged.range.high) : Json()},
                      {"another_day_low", has_day ? Json(judged.another_day.interval.low) : Json()},
                      {"another_day_high", has_day ? Json(judged.another_day.interval.high) : Json()},
                      {"another_day_from", static_cast<std::int64_t>(judged.another_day.from)},
                      {"verdict", to_text(judged.acceptance)},
                      {"reason", judged.reason}};
}

void write_json(std::ostream& out, const CheckReport& report) {
  Json::Object counts;
  for (const Acceptance acceptance : all_acceptances)
    counts.emplace_back(to_text(acceptance), static_cast<std::int64_t>(report.count(acceptance)));
  Json::Array points;
  for (const Judged& judged : report.points) points.push_back(json_of(judged));
  const Json whole = Json::Object{{"campaign", report.campaign},
                                  {"against", report.against},
                                  {"notes", Json::Array(report.notes.begin(), report.notes.end())},
                                  {"counts", std::move(counts)},
                                  {"points", std::move(points)}};
  out << assay::to_text(whole) << '\n';
}

void write_csv(std::ostream& out, const CheckReport& report) {
  Listing listing{"check", {}};
  const Json empty = json_of(Judged{});
  for (const auto& [name, cell] : empty.object()) listing.columns.push_back(name);
  for (const Judged& judged : report.points) {
    const Json one = json_of(judged);
    std::vector<Json> row;
    for (const auto& [name, cell] : one.object()) row.push_back(cell);
    listing.add(std::move(row));
  }
  write_listing(out, listing, ListingFormat::csv);
}

// Blanks part words for those who read lines; what stands in a name does not.
std::string word(const std::string& text) {
  std::string made;
  for (const char one : printable(text)) {
    if (one == ' ')
      made += "\\x20";
    else
      made += one;
  }
  return made.empty() ? "-" : made;
}

// SERIES{FACTOR=LEVEL,...} QUANTITY/REGIME VALUE UNIT VERDICT
void write_lines(std::ostream& out, const CheckReport& report) {
  for (const Judged& judged : report.points) {
    std::string levels;
    if (const auto point = parse_point(judged.place.point))
      for (const auto& [factor, level] : point->levels())
        levels += (levels.empty() ? "" : ",") + factor + "=" + word(point->text(factor));
    const double value = judged.known.value;
    out << word(judged.place.series) << '{' << levels << "} " << word(judged.place.quantity) << '/'
        << word(judged.place.regime) << ' ' << (std::isfinite(value) ? assay::to_text(value) : "nan") << ' '
        << symbol(judged.unit) << ' ' << to_text(judged.acceptance) << '\n';
  }
}

}  // namespace

bool write_report(std::ostream& out, const CheckReport& report, std::string_view format) {
  if (format == "table")
    write_table(out, report);
  else if (format == "json")
    write_json(out, report);
  else if (format == "csv")
    write_csv(out, report);
  else if (format == "lines")
    write_lines(out, report);
  else
    return false;
  return true;
}

}  // namespace assay::history
