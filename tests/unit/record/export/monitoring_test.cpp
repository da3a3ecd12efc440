// SPDX-License-Identifier: Apache-2.0
// Lines for monitors: states, texts, performance data that their parsers accept.
#include "record/export/monitoring.hpp"

#include <gmock/gmock-matchers.h>
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include "golden/samples/cluster_samples.hpp"
#include "record/cluster/screened_unit.hpp"
#include "record/utc_time.hpp"
#include "unit/record/results.hpp"

namespace assay {
namespace {

using test::finished_point;
using test::plain_result;
using test::point_of;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* day = "2026-11-25T12:00:00Z";

MonitorLine line_of(const std::vector<Record>& records, MonitorOptions options = {}) {
  if (options.now.empty()) options.now = "2026-11-25T13:00:00Z";
  return monitor_line(records, options);
}

std::vector<Record> campaign(Outcome outcome, const std::string& ended = "complete") {
  std::vector<Record> records{SessionRecord{0, day, "assay run", {}},
                              SeriesRecord{"lock", "sync/lock", {{.name = "time"}}, "median-ci"}};
  Result result = plain_result(1500, 0.01);
  result.verdict.outcome = outcome;
  PointRecord point = finished_point("lock", point_of({{"lock", std::string("mu|t'ex")}}), result);
  if (outcome == Outcome::failed) {
    point.results.clear();
    point.reason = "killed\nby | SIGSEGV";
  }
  records.emplace_back(point);
  if (!ended.empty()) records.emplace_back(EndRecord{0, ended, 1, 0, {}});
  return records;
}

/// A slow node and a failed link make the sample critical.
TEST(Monitoring, ASlowNodeIsCriticalWithItsValueAndCause) {
  auto records = test::cluster_records();
  const MonitorLine line = line_of(records);
  EXPECT_EQ(line.state, ServiceState::critical);
  EXPECT_THAT(line.text, StartsWith("ASSAY CRITICAL - 6 nodes compared; 2 slow: n2 (copy, 0.622 times the others; its "
                                    "cores were shared 75 % of the time, the others' 2 %), n3 (trip, 2 times"));
  EXPECT_THAT(line.text, HasSubstr("; 2 slow in the network: n0 - n1, n1 - n4"));
  EXPECT_THAT(line.text, EndsWith(" | 'nodes'=6;;;0 'slow'=2;;0;0;6 'lacking'=0;;0;0;6 'unclear'=0;;;0;6 "
                                  "'slow in the network'=2;0;;0"));
}

std::vector<Record> screened(const std::vector<cluster::ScreenedUnit>& units, const std::string& ended = "complete") {
  std::vector<Record> records{SessionRecord{0, day, "assay cluster", {}}};
  for (const char* name : {"n0", "n1", "n2"}) records.emplace_back(NodeRecord{name, {}});
  for (const auto& unit : units) records.emplace_back(cluster::record_of(unit));
  if (!ended.empty()) records.emplace_back(EndRecord{0, ended, 0, 0, {}});
  return records;
}

TEST(Monitoring, StatesOfAClusterFollowItsWorst) {
  using cluster::Screened;
  EXPECT_EQ(line_of(screened({})).state, ServiceState::ok);
  EXPECT_EQ(line_of(screened({{"links", Screened::unclear, "n1", "", "", 1.1, {}, ""}})).state, ServiceState::ok);
  EXPECT_EQ(line_of(screened({{"links", Screened::slow, "n0", "n1", "", 2, {}, ""}})).state, ServiceState::warning);
  EXPECT_EQ(line_of(screened({{"links", Screened::slow, "", "", "switch s1", 2, {}, ""}})).state,
            ServiceState::warning);
  EXPECT_EQ(line_of(screened({{"links", Screened::slow, "n0", "", "", 2, {}, ""}})).state, ServiceState::critical);
  EXPECT_EQ(line_of(screened({{"links", Screened::lacking, "n0", "", "", 1, {}, ""}})).state, ServiceState::critical);
  const MonitorLine missing = line_of(screened({}, "nodes are missing"));
  EXPECT_EQ(missing.state, ServiceState::unknown);
  EXPECT_THAT(missing.text, HasSubstr("not whole: nodes are missing"));
  EXPECT_EQ(line_of(screened({{"links", Screened::slow, "n0", "", "", 2, {}, ""}}, "")).state, ServiceState::critical);
}

TEST(Monitoring, StatesOfACampaign) {
  EXPECT_EQ(line_of(campaign(Outcome::converged)).state, ServiceState::ok);
  EXPECT_EQ(line_of(campaign(Outcome::max_time)).state, ServiceState::ok);
  EXPECT_EQ(line_of(campaign(Outcome::max_time), {{}, {}, true}).state, ServiceState::warning);
  EXPECT_EQ(line_of(campaign(Outcome::failed)).state, ServiceState::critical);
  EXPECT_EQ(line_of(campaign(Outcome::converged, "")).state, ServiceState::unknown);
  EXPECT_EQ(line_of(campaign(Outcome::converged, "time-limit")).state, ServiceState::unknown);
  EXPECT_EQ(line_of({}).state, ServiceState::unknown);
}

TEST(Monitoring, ALineHasOneBarAndNoLineEnd) {
  const MonitorLine line = line_of(campaign(Outcome::converged));
  EXPECT_EQ(line.text, "ASSAY OK - 1 point | 'lock lock:mu/t_ex'=1.5e-06s 'age'=3600s;;;0");
  const MonitorLine failed = line_of(campaign(Outcome::failed));
  EXPECT_THAT(failed.text, HasSubstr("failed: lock lock=mu/t'ex (killed by / SIGSEGV) |"));
  EXPECT_EQ(failed.text.find('\n'), std::string::npos);
}

TEST(Monitoring, OldResultsAreNoAnswer) {
  EXPECT_EQ(line_of(campaign(Outcome::converged), {{}, seconds(3601)}).state, ServiceState::ok);
  const MonitorLine old = line_of(campaign(Outcome::converged), {{}, seconds(3599)});
  EXPECT_EQ(old.state, ServiceState::unknown);
  EXPECT_THAT(old.text, HasSubstr("the results are of 2026-11-25T12:00:00Z, and older than asked for"));
  auto undated = campaign(Outcome::converged);
  undated.erase(undated.begin());
  EXPECT_EQ(line_of(undated, {{}, seconds(1e9)}).state, ServiceState::unknown) << "of no known time";
}

TEST(Monitoring, LongListsAreCutToWhatMonitorsRead) {
  auto records = campaign(Outcome::converged);
  for (std::int64_t i = 0; i < 2000; ++i)
    records.emplace_back(finished_point("lock", point_of({{"level", i}}), plain_result(100, 0.01)));
  records.emplace_back(EndRecord{0, "complete", 1, 0, {}});
  const MonitorLine line = line_of(records);
  EXPECT_LT(line.text.size(), longest_monitor_line + 100);
  EXPECT_THAT(line.text, EndsWith("'age'=3600s;;;0"));
}

TEST(Monitoring, TroubleIsUnknown) {
  const MonitorLine line = monitor_trouble("assay: error: 'x|y' is no\ncampaign\n");
  EXPECT_EQ(line.state, ServiceState::unknown);
  EXPECT_THAT(line.text, StartsWith("ASSAY UNKNOWN - assay: error: 'x/y' is no campaign"));
}

TEST(Monitoring, TimesAreReadAsTheyAreWritten) {
  EXPECT_EQ(seconds_of_utc("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(seconds_of_utc("2026-11-25T12:00:00Z"), 1795608000);
  for (const char* text : {"", "now", "2026-13-25T12:00:00Z", "2026-02-30T12:00:00Z", "2026-11-25 12:00:00Z"})
    EXPECT_FALSE(seconds_of_utc(text)) << text;
}

}  // namespace
}  // namespace assay
