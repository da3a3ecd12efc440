// SPDX-License-Identifier: Apache-2.0
// The supervisor with real workers: every failure has its outcome, nothing hangs, and no process is left.
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "base/error.hpp"
#include "platform/process/process.hpp"
#include "platform/process/self.hpp"
#include "platform/thread/guard.hpp"
#include "run/worker/describe_plugins.hpp"
#include "run/worker/supervisor.hpp"
#include "support/environment/paths.hpp"
#include "support/programs/children.hpp"
#include "support/programs/worker_measurements.hpp"

namespace assay {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

const std::string program = test::worker_fixture_path();
constexpr Nanoseconds ample = seconds(60);
constexpr Nanoseconds short_while = milliseconds(100);

class RealWorkersTest : public testing::TestWithParam<std::string> {
 protected:
  RealWorkersTest() {
    SeriesPlan series;
    series.name = "faults";
    series.measurement = testing_support::faulty_description();
    series.measurement.members = at_least(3);
    series.precision.warm_up = {};
    series.precision.deadline = ample;
    plan_.series = {series};
  }
  ~RealWorkersTest() override { EXPECT_THAT(test::children(), testing::IsEmpty()); }

  Precision& precision() { return plan_.series[0].precision; }
  IncarnationKey key(const std::string& fault, const std::string& where, int rank) const {
    IncarnationKey made;
    made.point.set("fault", fault);
    made.point.set("where", where);
    made.point.set("rank", std::int64_t{rank});
    made.point.set("vehicle", GetParam());
    return made;
  }
  /// Opens and visits once; what that throws.
  VisitFailed failure(const IncarnationKey& which, Nanoseconds deadline = ample) {
    Supervisor supervisor(plan_, program);
    try {
      supervisor.open(which);
      supervisor.visit(which, {Reps{2}, 1, 4, 4, false, deadline});
    } catch (const VisitFailed& found) {
      EXPECT_THAT(test::children(), testing::IsEmpty()) << "the failed worker is still there";
      return found;
    }
    return {Outcome::open, "nothing failed"};
  }

  CampaignPlan plan_;
};
INSTANTIATE_TEST_SUITE_P(Both, RealWorkersTest, testing::Values("thread", "process"));

TEST_P(RealWorkersTest, VisitsManyParkedWorkersInTurn) {
  precision().warm_up = microseconds(100);
  Supervisor supervisor(plan_, program);
  IncarnationKey which = key("ok", "run", 0);
  std::vector<int> processes;
  for (which.incarnation = 0; which.incarnation < 4; ++which.incarnation) {
    const Opened opened = supervisor.open(which);
    EXPECT_EQ(opened.stack_padding % 16, 0);
    EXPECT_GT(opened.warm_up_reps, 0);
    processes.push_back(opened.process);
  }
  EXPECT_THAT(test::children(), testing::UnorderedElementsAreArray(processes));
  for (int round = 0; round < 3; ++round)
    for (which.incarnation = 0; which.incarnation < 4; ++which.incarnation)
      EXPECT_EQ(supervisor.visit(which, {Reps{2}, 1, 1, 4, false, ample}).batches.size(), 5U);
  which.incarnation = 2;
  supervisor.close(which);
  EXPECT_EQ(test::children().size(), 3U);
}

TEST_P(RealWorkersTest, EndsSeveralWorkersAndNoOther) {
  Supervisor supervisor(plan_, program);
  std::vector<IncarnationKey> keys(3, key("ok", "run", 0));
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i].incarnation = static_cast<int>(i);
  supervisor.open(keys[0]);
  const Opened other = supervisor.open(keys[1]);
  supervisor.close_all({keys[0], keys[2]});  // the last is not open
  EXPECT_THAT(test::children(), testing::ElementsAre(other.process));
  EXPECT_THROW(supervisor.visit(keys[0], {Reps{2}, 1, 1, 4, false, ample}), std::logic_error);
  EXPECT_EQ(supervisor.visit(keys[1], {Reps{2}, 1, 1, 4, false, ample}).batches.size(), 5U);
}

TEST_P(RealWorkersTest, ExceptionsAreFailures) {
  for (const char* where : {"construct", "enter", "run"})
    for (const int rank : {0, 2}) {
      const VisitFailed found = failure(key("throw", where, rank));
      EXPECT_EQ(found.outcome(), Outcome::failed) << where << rank;
      EXPECT_THAT(found.what(), HasSubstr("on purpose")) << where << rank;
    }
}

TEST_P(RealWorkersTest, UnsupportedKeepsReasonAndCode) {
  const VisitFailed found = failure(key("unsupported", "construct", 0));
  EXPECT_EQ(found.outcome(), Outcome::not_applicable);
  EXPECT_STREQ(found.what(), "cannot be had");
  EXPECT_EQ(found.code(), "N4");
}

TEST_P(RealWorkersTest, CrashesAreFailures) {
  for (const char* where : {"construct", "enter", "run"}) {
    EXPECT_THAT(failure(key("segv", where, 0)).what(), testing::HasSubstr("SIGSEGV")) << where;
    EXPECT_THAT(failure(key("abort", where, 0)).what(), testing::HasSubstr("SIGABRT")) << where;
    EXPECT_STREQ(failure(key("exit", where, 0)).what(), "worker exited 7") << where;
  }
}

TEST_P(RealWorkersTest, CrashesOfOtherMembersAreFailures) {
  for (const char* fault : {"segv", "abort", "exit"})
    for (const char* where : {"enter", "run"}) {
      const VisitFailed found = failure(key(fault, where, 2));
      EXPECT_EQ(found.outcome(), Outcome::failed) << fault << where;
      EXPECT_THAT(found.what(), AnyOf(StartsWith("worker "), StartsWith("member 2: "))) << fault << where;
    }
}

TEST_P(RealWorkersTest, HangsInAVisitAreTimeouts) {
  for (const int rank : {0, 2}) {
    const VisitFailed found = failure(key("hang", "run", rank), short_while);
    EXPECT_EQ(found.outcome(), Outcome::timeout) << rank;
    EXPECT_THAT(found.what(), testing::HasSubstr("0.1"));
    EXPECT_GE(found.evidence().threads.size(), 3U);
  }
}

TEST_P(RealWorkersTest, HangsBeforeTheFirstBatchAreTimeouts) {
  precision().deadline = short_while;
  EXPECT_EQ(failure(key("hang", "construct", 0)).outcome(), Outcome::timeout);
  EXPECT_EQ(failure(key("hang", "enter", 0)).outcome(), Outcome::timeout);
  EXPECT_EQ(failure(key("hang", "enter", 1)).outcome(), Outcome::timeout);
  precision().warm_up = microseconds(1);
  EXPECT_EQ(failure(key("hang", "run", 1)).outcome(), Outcome::timeout);
}

TEST_P(RealWorkersTest, HangsAtTheEndCostNothing) {
  for (const char* where : {"leave", "destroy"}) {
    Supervisor supervisor(plan_, program);
    const IncarnationKey which = key("hang", where, 1);
    supervisor.open(which);
    EXPECT_EQ(supervisor.visit(which, {Reps{2}, 0, 0, 3, false, ample}).batches.size(), 3U);
    supervisor.close(which);
    EXPECT_THAT(test::children(), testing::IsEmpty()) << where;
  }
}

TEST_P(RealWorkersTest, GarbageOnTheSocketIsAProtocolError) {
  const VisitFailed found = failure(key("garbage", "run", 1));
  EXPECT_EQ(found.outcome(), Outcome::failed);
  EXPECT_THAT(found.what(), StartsWith("protocol"));
}

TEST_P(RealWorkersTest, AFailureLeavesTheOthersAlone) {
  Supervisor supervisor(plan_, program);
  const IncarnationKey good = key("ok", "run", 0);
  const IncarnationKey bad = key("throw", "run", 1);
  const Opened opened = supervisor.open(good);
  supervisor.open(bad);
  EXPECT_THROW(supervisor.visit(bad, {Reps{2}, 1, 4, 4, false, ample}), VisitFailed);
  EXPECT_THAT(test::children(), testing::ElementsAre(opened.process));
  EXPECT_EQ(supervisor.visit(good, {Reps{2}, 1, 1, 4, false, ample}).batches.size(), 5U);
  EXPECT_NO_THROW(supervisor.open(bad)) << "it can be tried again";
}

TEST_P(RealWorkersTest, MembersSayWhereTheyWereLookedAtUnlessTheyAreBound) {
  const std::vector<int> usable = binding_of_self();
  plan_.series[0].placements.push_back({"here", std::vector<int>(3, usable.front())});
  Supervisor supervisor(plan_, program);
  const IncarnationKey free = key("ok", "run", 0);
  supervisor.open(free);
  const VisitYield seen = supervisor.visit(free, look_order(ample));
  EXPECT_EQ(seen.apart.size(), 3U);
  EXPECT_THAT(seen.apart_cpus, testing::SizeIs(3));
  for (const int cpu : seen.apart_cpus)
    EXPECT_TRUE(cpu == -1 || std::ranges::find(usable, cpu) != usable.end()) << cpu << ", moved meanwhile";
  IncarnationKey bound = free;
  bound.point.set("placement", "here");
  supervisor.open(bound);
  const VisitYield known = supervisor.visit(bound, look_order(ample));
  EXPECT_EQ(known.apart.size(), 3U);
  EXPECT_THAT(known.apart_cpus, testing::IsEmpty());
}

TEST(DescribePluginsTest, TellsWhatEachAdds) {
  const auto reports = describe_plugins(program, {"adds:x/one", "adds:x/two"});
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].measurements.at(0).name, "x/one");
  EXPECT_EQ(reports[1].measurements.at(0).name, "x/two");
  EXPECT_THAT(test::children(), testing::IsEmpty());
}

TEST(DescribePluginsTest, TellsHowEachFails) {
  const auto reports = describe_plugins(program, {"throw", "exit", "adds:x/one", "segv", "hang"}, milliseconds(300));
  const auto why = [&](std::size_t i) { return reports.at(i).problem ? reports[i].problem->why : "none"; };
  EXPECT_EQ(why(0), "it did not survive loading: worker exited 3: on purpose");
  EXPECT_EQ(why(1), "it did not survive loading: worker exited 7");
  EXPECT_EQ(why(2), "none");
  EXPECT_THAT(why(3), testing::HasSubstr("SIGSEGV"));
  EXPECT_THAT(why(4), HasSubstr("0.3"));
  EXPECT_THAT(test::children(), testing::IsEmpty());
}

}  // namespace
}  // namespace assay
