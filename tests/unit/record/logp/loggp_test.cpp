// SPDX-License-Identifier: Apache-2.0
// LogGP by pieces: marks of what they rest on stay with them, and what cannot be is refused.
#include "record/logp/loggp.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "golden/samples/loggp_samples.hpp"
#include "record/logp/loggp_curves.hpp"

namespace assay::loggp {
namespace {

/// The samples' channel over MPI, whose overheads are changed: pieces from 1 to 4096 bytes and beyond.
struct Fitted {
  explicit Fitted(const std::function<void(PointRecord&)>& change) {
    std::vector<Record> records = test::loggp_records();
    for (Record& record : records)
      if (auto* point = std::get_if<PointRecord>(&record); point != nullptr && point->series == "overheads")
        change(*point);
    groups = group_by_series(records);
    derived = derive(groups);
  }
  const DerivedRecord& at(const std::string& name, std::int64_t piece) const {
    for (const DerivedRecord& record : derived)
      if (record.name == name && record.group.text("channel") == "mpi" &&
          *record.group.find(piece_factor) == Value{piece})
        return record;
    throw std::out_of_range(name);
  }
  std::string marks(const std::string& name, std::int64_t piece) const {
    return marks_of(channels_of(groups), at(name, piece), at(from_name, piece).derived.value,
                    at(to_name, piece).derived.value);
  }

  std::vector<SeriesGroup> groups;
  std::vector<DerivedRecord> derived;
};

void leave_unfinished(PointRecord& point) {
  for (Result& result : point.results)
    if (result.quantity == "o_s[idle]") result.verdict.outcome = Outcome::open;
}

TEST(LogGp, MarksOfWhatItRestsOnStayWithAParameter) {
  const Fitted unfinished(leave_unfinished);
  EXPECT_EQ(unfinished.marks(o_s_name, 1), "!");
  EXPECT_EQ(unfinished.marks(o_s_byte_name, 1), "!");
  EXPECT_EQ(unfinished.marks(latency_name, 1), "!");  // round trip less overheads
  EXPECT_EQ(unfinished.marks(o_r_name, 1), "");
  EXPECT_EQ(unfinished.marks(gap_name, 1), "");
  EXPECT_EQ(unfinished.marks(rtt_name, 1), "");
  EXPECT_EQ(unfinished.marks(o_s_name, 2), "");  // by bursts with pauses: other points
}

void slow_down(PointRecord& point, const std::string& quantity) {
  for (Result& result : point.results)
    if (result.quantity == quantity) {
      Estimate& own = result.headline;
      own = {own.statistic,
             40 * own.value,
             {40 * own.interval.low, 40 * own.interval.high, own.interval.level},
             own.basis};
    }
}

TEST(LogGp, ASendThatTakesLongerThanItsRoundTripIsRefused) {
  const Fitted usual([](PointRecord&) {});
  EXPECT_EQ(usual.at(o_s_name, 1).quantity, "o_s[idle]");
  EXPECT_NEAR(usual.at(o_s_name, 1).derived.value, 500, 5);
  const Fitted slow([](PointRecord& point) { slow_down(point, "o_s[idle]"); });
  EXPECT_EQ(slow.at(o_s_name, 1).quantity, "o_s[prtt]");  // the other route
  EXPECT_NEAR(slow.at(o_s_name, 1).derived.value, 510, 5);
  EXPECT_TRUE(slow.at(latency_name, 1).derived.valid);
}

TEST(LogGp, AReceiveThatTakesLongerThanItsRoundTripIsRefused) {
  const Fitted slow([](PointRecord& point) { slow_down(point, "o_r[ready]"); });
  const Derived& received = slow.at(o_r_name, 1).derived;
  EXPECT_FALSE(received.valid);
  EXPECT_NE(received.reason.find("whole round trip"), std::string::npos) << received.reason;
  EXPECT_TRUE(slow.at(delivery_name, 1).derived.valid);  // L with o_r in it
}

}  // namespace
}  // namespace assay::loggp
