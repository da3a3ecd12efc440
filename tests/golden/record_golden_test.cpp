// SPDX-License-Identifier: Apache-2.0
// Tables and exports of a fixed set of records, byte for byte.
#include <gtest/gtest.h>

#include <sstream>

#include "golden/record_samples.hpp"
#include "record/codec.hpp"
#include "record/csv.hpp"
#include "record/table.hpp"
#include "support/golden.hpp"

namespace assay {
namespace {

TEST(RecordGolden, Table) {
  std::ostringstream out;
  print_results(out, test::sample_records());
  EXPECT_TRUE(test::matches_golden(out.str(), "record_table.txt"));
}

TEST(RecordGolden, Csv) {
  std::ostringstream out;
  write_csv(out, test::sample_records());
  EXPECT_TRUE(test::matches_golden(out.str(), "record_results.csv"));
}

// The form on disk: a change here is a change of the journal's format.
TEST(RecordGolden, JournalMembers) {
  std::string text;
  for (const Record& record : test::sample_records()) text += to_text(encode(record)) + '\n';
  EXPECT_TRUE(test::matches_golden(text, "record_members.jsonl"));
}

TEST(RecordGolden, LinesOfTheLog) {
  std::string text;
  for (const Record& record : test::sample_records())
    if (const auto* point = std::get_if<PointRecord>(&record)) text += one_line(*point) + '\n';
  EXPECT_TRUE(test::matches_golden(text, "record_log.txt"));
}

}  // namespace
}  // namespace assay
