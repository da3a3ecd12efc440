// SPDX-License-Identifier: Apache-2.0
// Tables and exports of a fixed set of records, byte for byte.
#include <gtest/gtest.h>

#include <sstream>

#include "golden/samples/picture_samples.hpp"
#include "golden/samples/record_samples.hpp"
#include "record/export/exports.hpp"
#include "record/journal/codec.hpp"
#include "record/table/growing_table.hpp"
#include "record/table/table.hpp"
#include "support/environment/golden.hpp"

namespace assay {
namespace {

TEST(RecordGolden, Table) {
  std::ostringstream out;
  print_results(out, test::sample_records());
  EXPECT_TRUE(test::matches_golden(out.str(), "records/record_table.txt"));
}

// What is printed when a campaign ends, and the same where lines are short.
TEST(RecordGolden, BriefTable) {
  TableChoice brief;
  brief.detail = TableDetail::brief;
  TableChoice narrow = brief;
  narrow.style.width = 76;
  std::ostringstream out;
  for (const TableChoice& choice : {brief, narrow}) {
    print_results(out, test::sample_records(), choice);
    out << "----\n";
  }
  print_results(out, test::picture_records(), brief);
  EXPECT_TRUE(test::matches_golden(out.str(), "records/record_brief.txt"));
}

// Rows, columns, order and digits by choice: nothing is without its unit and marks.
TEST(RecordGolden, TablesByChoice) {
  TableChoice some;
  some.filter = {parse_condition("channel=f*", "test"), parse_condition("bytes!=8", "test")};
  some.sort = parse_sort("-median,channel", "test");
  some.columns = parse_columns("channel,mean,low,verdict", "test");
  TableChoice raw;
  raw.raw = true;
  raw.detail = TableDetail::wide;
  TableChoice coloured;
  coloured.style = {true, false};
  std::ostringstream out;
  for (const TableChoice& choice : {some, raw, coloured}) {
    print_results(out, test::sample_records(), choice);
    out << "----\n";
  }
  EXPECT_TRUE(test::matches_golden(out.str(), "records/record_choice.txt"));
}

// Marked cells and points are marks, and outside the range; what is missing is a gap.
TEST(RecordGolden, Pictures) {
  std::ostringstream out;
  for (const TextStyle& style : {TextStyle{}, TextStyle{false, true}, TextStyle{true, true}}) {
    TableChoice choice;
    choice.style = style;
    print_results(out, test::picture_records(), choice);
    out << "----\n";
  }
  EXPECT_TRUE(test::matches_golden(out.str(), "records/record_pictures.txt"));
}

TEST(RecordGolden, TableThatGrows) {
  GrowingTable table({{"round-trip", {"channel", "bytes"}}}, {});
  std::string text;
  for (const Record& record : test::sample_records())
    if (const auto* point = std::get_if<PointRecord>(&record))
      for (const std::string& line : table.add(*point)) text += line + '\n';
  text += "--- 60 columns\n";
  TextStyle narrow;
  narrow.width = 60;
  GrowingTable below({}, narrow);
  for (const Record& record : test::sample_records())
    if (const auto* point = std::get_if<PointRecord>(&record))
      for (const std::string& line : below.add(*point)) {
        EXPECT_LE(line.size(), 60U) << line;
        text += line + '\n';
      }
  EXPECT_TRUE(test::matches_golden(text, "records/record_growing.txt"));
}

TEST(RecordGolden, Csv) {
  std::ostringstream out;
  write_csv(out, test::sample_records());
  EXPECT_TRUE(test::matches_golden(out.str(), "records/record_results.csv"));
}

// The form on disk: a change here is a change of the journal's format.
TEST(RecordGolden, JournalMembers) {
  std::string text;
  for (const Record& record : test::sample_records()) text += to_text(encode(record)) + '\n';
  EXPECT_TRUE(test::matches_golden(text, "records/record_members.jsonl"));
}

TEST(RecordGolden, LinesOfTheLog) {
  std::string text;
  for (const Record& record : test::sample_records())
    if (const auto* point = std::get_if<PointRecord>(&record)) text += one_line(*point) + '\n';
  EXPECT_TRUE(test::matches_golden(text, "records/record_log.txt"));
}

}  // namespace
}  // namespace assay
