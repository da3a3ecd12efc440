// SPDX-License-Identifier: Apache-2.0
// configs/loggp-selftest.ini through the real program: the parameters of a known channel come back, by piece.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <memory>

#include "support/environment/paths.hpp"
#include "support/programs/program.hpp"

namespace assay::test {
namespace {

using testing::HasSubstr;

/// One run for all tests of this file.
class LogGp : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<Scratch>();
    finished_ =
        run_assay({"run", source_directory() + "/configs/loggp-selftest.ini", "--output", *folder_ / "campaign"});
    if (finished_.exit_code == 0) records_ = campaign_records(*folder_);
  }
  static void TearDownTestSuite() {
    folder_.reset();
    records_.clear();
  }
  void SetUp() override { ASSERT_EQ(finished_.exit_code, 0) << finished_.out << finished_.err; }

  static Derived derived(const std::string& name, std::int64_t piece) {
    for (const DerivedRecord& record : records_of<DerivedRecord>(records_)) {
      const Value* number = record.group.find("piece");
      if (record.series.empty() && record.name == name && number != nullptr && *number == Value(piece))
        return record.derived;
    }
    ADD_FAILURE() << "piece " << piece << " has no " << name;
    return {};
  }
  static void expect_within_5_percent(const std::string& name, std::int64_t piece, double truth) {
    const Derived found = derived(name, piece);
    EXPECT_TRUE(found.valid) << name << ": " << found.reason;
    EXPECT_NEAR(found.value, truth, 0.05 * truth) << name << " of piece " << piece;
  }

  static inline std::unique_ptr<Scratch> folder_;
  static inline Finished finished_;
  static inline std::vector<Record> records_;
};

TEST_F(LogGp, TheEagerPieceReturnsItsParameters) {
  expect_within_5_percent("L", 1, 2000);
  expect_within_5_percent("o_s", 1, 500);
  expect_within_5_percent("o_s/B", 1, 0.05);
  expect_within_5_percent("o_r", 1, 300);
  expect_within_5_percent("o_r/B", 1, 0.05);
  expect_within_5_percent("g", 1, 800);
  expect_within_5_percent("G", 1, 0.1);
  expect_within_5_percent("G[rtt]", 1, 0.1);
  EXPECT_EQ(derived("eager", 1).value, 1);
}

// Each send waits for its receive: the gap is the whole way, and no message is ever ready to be received.
TEST_F(LogGp, TheRendezvousPieceReturnsItsParameters) {
  expect_within_5_percent("o_s", 2, 3000);
  expect_within_5_percent("L+o_r", 2, 2400);
  expect_within_5_percent("g", 2, 3000 + 2000 + 400);
  expect_within_5_percent("G", 2, 0.08);
  EXPECT_EQ(derived("eager", 2).value, 0);
  EXPECT_NEAR(derived("o_s/B", 2).value, 0, 0.004);
  EXPECT_FALSE(derived("o_r", 2).valid);
  EXPECT_THAT(derived("o_r", 2).reason, HasSubstr("no message of the piece is accepted before its receive"));
}

TEST_F(LogGp, TheStepIsBracketedWithinABudgetOf40Sizes) {
  const Derived from = derived("from", 2);
  EXPECT_LE(from.interval.low, 4096);
  EXPECT_GT(from.interval.high, 4096);
  EXPECT_LE(from.interval.high - from.interval.low, 128);
  EXPECT_LE(points_of(records_, "round-trip").size(), 40U);
}

// The second routes to the gap: bursts that settled agree; by round trips it is what the law says, whose overheads grow
// with the size and overlap in a flood.
TEST_F(LogGp, TheSecondRoutesToTheGapAreComparedWithIt) {
  expect_within_5_percent("g[saturated]-to-g", 1, 1);
  expect_within_5_percent("g[saturated]-to-g", 2, 1);
  expect_within_5_percent("g[rtt]-to-g", 1, (0.2 * 4095 + 800.1) / (0.1 * 4096 + 800));
}

TEST_F(LogGp, TheTableIsPrintedExplainedAndExported) {
  EXPECT_THAT(finished_.out, HasSubstr("rendezvous"));
  EXPECT_THAT(finished_.out, HasSubstr("GB/s"));
  const std::string campaign = *folder_ / "campaign";
  EXPECT_EQ(run_assay({"show", campaign}).out, finished_.out);
  EXPECT_THAT(run_assay({"show", campaign, "--explain"}).out,
              HasSubstr("(rtt / 2 - o_s[idle] - o_r[ready] at 0 bytes)"));
  EXPECT_THAT(run_assay({"export", campaign, "--format", "csv-long"}).out, HasSubstr("slope of g[flood] over bytes"));
}

}  // namespace
}  // namespace assay::test
