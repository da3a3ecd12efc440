// SPDX-License-Identifier: Apache-2.0
// Markers of visits that began: what can have happened, and what cannot.
#include "record/journal/consistency.hpp"

#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Point at(std::int64_t bytes) {
  Point point;
  point.set("bytes", bytes);
  return point;
}

BeginRecord begin(int visit, std::int64_t bytes = 8) { return {"one", at(bytes), 0, 0, visit}; }

VisitRecord visit(int number, std::int64_t bytes = 8) {
  VisitRecord record;
  record.series = "one";
  record.point = at(bytes);
  record.visit = number;
  return record;
}

PointRecord finished(std::int64_t bytes) {
  PointRecord record;
  record.series = "one";
  record.point = at(bytes);
  return record;
}

BeginMarkers after(const std::vector<Record>& records) {
  BeginMarkers markers;
  for (const Record& record : records) markers.add(record);
  return markers;
}

TEST(BeginMarkers, ThatCameToAnEndAreNotTold) {
  const BeginMarkers markers = after(
      {begin(0), visit(0), begin(1, 16), finished(16), begin(2), EndRecord{}, SessionRecord{}, begin(3), visit(3)});
  EXPECT_THAT(markers.lost(), IsEmpty());
  EXPECT_THAT(markers.found(), IsEmpty());
}

TEST(BeginMarkers, AreLostWithTheirSession) {
  const BeginMarkers markers = after({begin(0), SessionRecord{}, begin(1, 16), visit(1, 16), begin(2, 16)});
  EXPECT_THAT(markers.lost(),
              ElementsAre("visit 0 to point 'bytes=8' of series 'one'", "visit 2 to point 'bytes=16' of series 'one'"));
  EXPECT_THAT(markers.found(), IsEmpty());
}

TEST(BeginMarkers, CannotFollowOneThatDidNotEnd) {
  EXPECT_THAT(after({begin(0), begin(1), visit(1)}).found(),
              ElementsAre(HasSubstr("visit 0 to point 'bytes=8' of series 'one' was begun and never ended")));
  EXPECT_THAT(after({begin(0), finished(16), begin(1), visit(1)}).found(), testing::SizeIs(1)) << "another point's end";
}

TEST(BeginMarkers, StandBeforeEachVisitWhereAnyDo) {
  EXPECT_THAT(after({visit(0), visit(1)}).found(), IsEmpty()) << "as traces have it";
  EXPECT_THAT(after({begin(0), visit(0), visit(1)}).found(),
              ElementsAre("visit 1 to point 'bytes=8' of series 'one' has no 'begin' record"));
}

TEST(Consistency, OfResultsWithTheVisitsBeforeThem) {
  VisitRecord measured = visit(0);
  measured.batches.resize(8);
  PointRecord record = finished(8);
  record.results.emplace_back().summary.n = 9;
  ConsistencyCheck check;
  check.add(measured);
  check.add(record);
  EXPECT_THAT(check.found(), IsEmpty());
  EXPECT_THAT(check.missing(),
              ElementsAre("point 'bytes=8' of series 'one' has a result of 9 observations, and its visits contain 8"));
  EXPECT_EQ(contradictions({measured, record}), check.missing());
}

}  // namespace
}  // namespace assay
