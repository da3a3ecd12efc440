// SPDX-License-Identifier: Apache-2.0
// Sessions that contradict each other, and those that do not.
#include "record/table/contradictions.hpp"

#include <gtest/gtest.h>

#include "unit/record/results.hpp"

namespace assay::test {
namespace {

SessionEstimate session(int number, double value) {
  return {number, value, {0.99 * value, 1.01 * value, 0.95}, 100, 0};
}

/// What is said of a result with these sessions, the last of which is its own.
std::vector<std::string> said_of(std::vector<SessionEstimate> sessions, Outcome outcome = Outcome::converged,
                                 const Interval& another_day = {}) {
  Result result = plain_result(sessions.back().value, 0.01);
  result.verdict.outcome = outcome;
  result.another_day.interval = another_day;
  result.sessions = std::move(sessions);
  const PointRecord point = finished_point("lock", point_of({{"lock", std::string("mutex")}}), result);
  const std::vector<Record> records{SessionRecord{0, "2026-11-12T08:00:00Z", {}, {}},
                                    SessionRecord{2, "2026-11-25T09:00:00Z", {}, {}}, point};
  return contradictions(records, group_by_series(records));
}

TEST(Contradictions, NameBothValuesAndTheDays) {
  const auto said = said_of({session(0, 5120), session(1, 5660), session(2, 5670)});
  ASSERT_EQ(said.size(), 1U);
  for (const char* part : {"lock=mutex", "5.670 us", "session 3 of 2026-11-25", "5.120 us", "session 1 of 2026-11-12"})
    EXPECT_NE(said[0].find(part), std::string::npos) << part << ": " << said[0];
}

TEST(Contradictions, AreOfTheFarthestSession) {
  const auto said = said_of({session(0, 5300), session(1, 4000), session(2, 5670)});
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].find("session 2"), std::string::npos) << "its day is not known: " << said[0];
  EXPECT_EQ(said[0].find("2026-11-12"), std::string::npos) << said[0];
}

TEST(Contradictions, NeedAGapBeyondTheMargin) {
  EXPECT_TRUE(said_of({session(0, 100), session(2, 101.5)}).empty()) << "the intervals overlap";
  EXPECT_TRUE(said_of({session(0, 100), session(2, 103.5)}).empty()) << "1.5 % apart, which does not matter";
  EXPECT_EQ(said_of({session(0, 100), session(2, 105)}).size(), 1U);
  EXPECT_EQ(said_of({session(0, 105), session(2, 100)}).size(), 1U) << "whichever is higher";
  EXPECT_TRUE(said_of({session(2, 100)}).empty()) << "nothing to compare with";
}

TEST(Contradictions, AreNoneWithinTheIntervalForAnotherDay) {
  EXPECT_TRUE(said_of({session(0, 100), session(2, 120)}, Outcome::converged, {95, 150, 0.95}).empty());
  EXPECT_EQ(said_of({session(0, 100), session(2, 120)}, Outcome::converged, {110, 130, 0.95}).size(), 1U);
}

TEST(Contradictions, AreOfConvergedResultsOnly) {
  EXPECT_TRUE(said_of({session(0, 100), session(2, 120)}, Outcome::max_time).empty());
}

}  // namespace
}  // namespace assay::test
