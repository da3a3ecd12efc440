// SPDX-License-Identifier: Apache-2.0
// configs/thread-context.ini and configs/chat.ini through the real program, cut short: every row is there.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <set>

#include "support/environment/paths.hpp"
#include "support/programs/program.hpp"

namespace assay::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;

/// A campaign of this repository with as little measuring as there can be.
std::vector<Record> run_short(const Scratch& folder, const std::string& config, const std::vector<std::string>& sets) {
  std::vector<std::string> arguments = {"run", source_directory() + "/configs/" + config, "--output",
                                        folder / "campaign"};
  for (const char* set : {"precision.rule=fixed:2", "precision.incarnations=1", "precision.max-incarnations=1",
                          "precision.min-visits=1", "precision.span=0s", "precision.warm-up=0ms"}) {
    arguments.emplace_back("--set");
    arguments.emplace_back(set);
  }
  for (const std::string& set : sets) {
    arguments.emplace_back("--set");
    arguments.push_back(set);
  }
  const Finished finished = run_assay(arguments);
  EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  return campaign_records(folder);
}

/// The levels of a factor in a series, as texts. Every point of it was measured, however much others disturbed that.
std::multiset<std::string> rows(const std::vector<Record>& records, const std::string& series,
                                const std::string& factor) {
  std::multiset<std::string> levels;
  for (const PointRecord& point : points_of(records, series)) {
    for (const Outcome missing : {Outcome::failed, Outcome::timeout, Outcome::unsupported, Outcome::not_applicable})
      EXPECT_NE(point.outcome, missing) << series << ": " << point.reason;
    levels.insert(point.point.text(factor));
  }
  return levels;
}

TEST(ThreadStudy, EveryRowOfThreadContextIsThere) {
  const Scratch folder;
  const auto records =
      run_short(folder, "thread-context.ini",
                {"series.threads.members=2, 5", "series.threads.size=64Ki", "series.processes.members=3, 96",
                 "series.processes.size=64Ki", "series.sizes.members=4", "series.placed.members=2, 8",
                 "series.placed.placement=same-pu", "series.create-join.placement=unbound"});
  EXPECT_THAT(rows(records, "create-join", "placement"), ElementsAre("unbound"));
  EXPECT_THAT(rows(records, "threads", "members"), ElementsAre("2", "5"));
  EXPECT_THAT(rows(records, "processes", "members"), ElementsAre("3", "96"));
  EXPECT_EQ(rows(records, "sizes", "size").size(), 4U);
  EXPECT_THAT(rows(records, "placed", "members"), ElementsAre("2", "8"));
  EXPECT_THAT(rows(records, "overhead-threads", "bystander"), AllOf(testing::SizeIs(4), Each("present")));
  EXPECT_THAT(rows(records, "overhead-processes", "bystander"), AllOf(testing::SizeIs(2), Each("none")));
}

TEST(ThreadStudy, MembersAreRefined) {
  const Scratch folder;
  const auto records =
      run_short(folder, "thread-context.ini",
                {"series.threads.members=2..96 refine 50%", "series.threads.size=0", "series.threads.max-points=7",
                 "series.processes.members=2", "series.processes.size=0", "series.sizes.size=0",
                 "series.placed.members=2", "series.overhead-threads.size=0", "series.overhead-processes.size=0"});
  EXPECT_THAT(rows(records, "threads", "members"),
              testing::UnorderedElementsAre("2", "4", "8", "16", "32", "64", "96"));
}

TEST(ThreadStudy, EveryRowOfTheChatIsThere) {
  const Scratch folder;
  const auto records =
      run_short(folder, "chat.ini",
                {"series.turn.rooms=2", "series.turn.users=3", "series.free.rooms=2", "series.free.users=3",
                 "series.rooms.rooms=1..3 refine 50%", "series.rooms.users=2", "series.rooms.max-points=3",
                 "series.users.users=2, 5", "series.large-room.users=30"});
  EXPECT_THAT(rows(records, "turn", "server"), ElementsAre("epoll", "epoll", "threads", "threads")) << "by placement";
  EXPECT_THAT(rows(records, "free", "server"), ElementsAre("epoll", "epoll", "threads", "threads"));
  EXPECT_THAT(rows(records, "rooms", "rooms"), ElementsAre("1", "2", "3"));
  EXPECT_THAT(rows(records, "users", "users"), ElementsAre("2", "5"));
  EXPECT_THAT(rows(records, "large-room", "pacing"), ElementsAre("free", "free", "turn", "turn"));
  for (const PointRecord& point : points_of(records, "users"))
    for (const Result& result : point.results)
      if (result.quantity == "received" && result.summary.n > 0) {
        const double users = static_cast<double>(std::get<std::int64_t>(point.point.level("users")));
        const double messages = static_cast<double>(std::get<std::int64_t>(point.point.level("messages")));
        EXPECT_EQ(result.summary.median, users * (users - 1) * messages);
      }
}

TEST(ThreadStudy, ARingThatLimitsDoNotAllowIsARowThatSaysSo) {
  const Scratch folder;
  const auto records =
      run_short(folder, "thread-context.ini",
                {"series.threads.members=2", "series.threads.size=0, 4611686018427387904", "series.processes.members=2",
                 "series.processes.size=0", "series.sizes.size=0", "series.placed.members=2",
                 "series.overhead-threads.size=0", "series.overhead-processes.size=0"});
  bool is_told = false;
  for (const PointRecord& point : points_of(records, "threads"))
    is_told = is_told || (point.outcome == Outcome::unsupported && point.reason.find("MiB") != std::string::npos);
  EXPECT_TRUE(is_told);
}

}  // namespace
}  // namespace assay::test
