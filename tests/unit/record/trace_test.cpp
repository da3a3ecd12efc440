// SPDX-License-Identifier: Apache-2.0
// Recorded noise reads back as it was written, and a damaged file is refused.
#include "support/traces/trace.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "support/environment/scratch.hpp"

namespace assay {
namespace {

using ::testing::HasSubstr;

const test::Timings few{"mutex-pair", 64, 10, {350, 1240, 360, 350, 7'000'000'010}, {{"load.start", "0.1 0.2"}}};

const test::Processes runs{{{"a", 10, {{0, 0, 1.25}, {1, 2.5, 1.5}}}, {"b", 1, {{0, 1.25, 70}, {1, 2, 71}}}},
                           {{"date", "today"}}};

class TraceFile : public ::testing::Test {
 protected:
  std::string written(const std::string& text) {
    std::ofstream(scratch_ / "trace.txt", std::ios::binary) << text;
    return scratch_ / "trace.txt";
  }
  std::string refusal(const std::string& text) {
    try {
      test::read_timings(written(text));
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "read";
  }
  test::Scratch scratch_;
};

TEST_F(TraceFile, TimingsReadBack) {
  const test::Timings read = test::read_timings(written(to_text(few)));
  EXPECT_EQ(read.cell, few.cell);
  EXPECT_EQ(read.reps, few.reps);
  EXPECT_EQ(read.step, few.step);
  EXPECT_EQ(read.all, few.all);
  EXPECT_EQ(read.circumstances, few.circumstances);
  EXPECT_DOUBLE_EQ(read.values()[1], 1240.0 / 64);
  EXPECT_DOUBLE_EQ(read.half_step(), 10.0 / 128);
}

TEST_F(TraceFile, TimingsOfManyLinesReadBack) {
  test::Timings many = few;
  for (int i = 0; i < 1000; ++i) many.all.push_back(123 * i);
  EXPECT_EQ(test::read_timings(written(to_text(many))).all, many.all);
}

TEST_F(TraceFile, ProcessesReadBack) {
  const test::Processes read = test::read_processes(written(to_text(runs)));
  ASSERT_EQ(read.cells.size(), 2U);
  EXPECT_EQ(read.cells[1].cell, "b");
  ASSERT_EQ(read.cells[0].runs.size(), 2U);
  EXPECT_EQ(read.cells[0].runs[1].round, 1);
  EXPECT_DOUBLE_EQ(read.cells[0].runs[1].at, 2.5);
  EXPECT_DOUBLE_EQ(read.cells[0].runs[1].median, 1.5);
  EXPECT_DOUBLE_EQ(read.cells[1].runs[0].median, 70);
  EXPECT_EQ(read.circumstances, runs.circumstances);
}

TEST_F(TraceFile, OneOtherByteAnywhereIsRefused) {
  const std::string whole = to_text(few);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = damaged[i] == '7' ? '8' : '7';
    EXPECT_NE(refusal(damaged), "read") << "at byte " << i;
  }
}

TEST_F(TraceFile, AShortenedFileIsRefused) {
  const std::string whole = to_text(few);
  for (std::size_t kept = 0; kept < whole.size(); ++kept) EXPECT_NE(refusal(whole.substr(0, kept)), "read");
}

TEST_F(TraceFile, RefusalsSayWhatIsWrongAndWhatToDo) {
  EXPECT_THAT(refusal("nothing"), HasSubstr("it has no checksum; record it again"));
  EXPECT_THAT(refusal(to_text(runs)), HasSubstr("does not begin with \"assay-trace 1 timings\""));
  EXPECT_THROW(test::read_timings(scratch_ / "missing"), std::runtime_error);
}

TEST(TraceText, AFactOfTwoLinesIsRefused) {
  test::Timings trace = few;
  trace.circumstances.emplace_back("note", "one\ntwo");
  EXPECT_THROW(to_text(trace), std::invalid_argument);
}

}  // namespace
}  // namespace assay
