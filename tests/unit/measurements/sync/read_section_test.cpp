// SPDX-License-Identifier: Apache-2.0
// Read sections: nothing is reclaimed while a reader can see it, everything is in the end, and a scheme without
// protection is caught.
#include "sync/read_section.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "support/measurements/channel_pair.hpp"
#include "support/measurements/one_batch.hpp"
#include "support/measurements/point_setup.hpp"

namespace assay {
namespace {

// A reader that is inside, and one thing that is replaced meanwhile.
template <class S>
void expect_kept_until_left() {
  test::PointSetup setup(Point(), 2);
  S scheme(setup);
  ReadThing first;
  ReadThing second;
  std::atomic<ReadThing*> current{&first};
  std::vector<ReadThing*> freed;
  const auto note = [&](ReadThing* thing) { freed.push_back(thing); };
  EXPECT_EQ(scheme.enter(1, current), &first);
  EXPECT_EQ(scheme.replace(current, &second), &first);
  scheme.retire(&first);
  for (int i = 0; i < 10; ++i) scheme.reclaim(note);
  EXPECT_TRUE(freed.empty()) << "a reader is inside";
  EXPECT_EQ(scheme.enter(0, current), &second) << "one that comes later sees the next";
  scheme.leave(1);
  for (int i = 0; i < 10 && freed.empty(); ++i) {
    scheme.leave(0);
    scheme.enter(0, current);
    scheme.reclaim(note);
  }
  EXPECT_EQ(freed, std::vector<ReadThing*>{&first}) << "readers come and go, but none can see it";
  for (int i = 0; i < 10; ++i) scheme.reclaim(note);
  EXPECT_EQ(freed.size(), 1U) << "nothing is reclaimed twice";
}

TEST(ReadSchemes, KeepWhatAReaderCanSeeUntilItHasLeft) {
  expect_kept_until_left<HazardReads>();
  expect_kept_until_left<EpochReads>();
}

TEST(ReadSchemes, AHazardHoldsNothingButWhatItPointsTo) {
  test::PointSetup setup(Point(), 2);
  HazardReads scheme(setup);
  std::array<ReadThing, 3> things;
  std::atomic<ReadThing*> current{things.data()};
  scheme.enter(1, current);
  std::size_t freed = 0;
  scheme.retire(&things[1]);
  scheme.retire(&things[2]);
  scheme.reclaim([&](ReadThing*) { ++freed; });
  EXPECT_EQ(freed, 2U);
}

class ReadTeam : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Team, ReadTeam, testing::Values("thread", "process"),
                         [](const auto& vehicle) { return vehicle.param; });

TEST_P(ReadTeam, ReadersAloneAndBesideAWriter) {
  for (const std::string section : {"hazard", "epoch", "rwlock", "none"}) {
    SCOPED_TRACE(section);
    EXPECT_GT(test::run_named("sync/read_section", {GetParam(), 1}, {{"section", section}}, Reps{5000}).value("time"),
              0);
    if (section == "none" || binding_of_self().size() < 2) continue;
    const test::Levels levels{{"section", section}, {"writer", std::string("reclaims")}};
    const auto one = test::run_named("sync/read_section", {GetParam(), 2}, levels, Reps{200'000});
    EXPECT_GT(one.value("time"), 0);
    EXPECT_GT(one.value("writes"), 0);
    EXPECT_LE(one.value("backlog"), 255);
  }
}

TEST(ReadSection, AWriterNeedsAReaderThatIsProtected) {
  const test::Levels alone{{"writer", std::string("reclaims")}};
  EXPECT_THROW(test::run_named("sync/read_section", {"thread", 1}, alone, Reps{1}), Unsupported);
  const test::Levels bare{{"section", std::string("none")}, {"writer", std::string("reclaims")}};
  EXPECT_THROW(test::run_named("sync/read_section", {"thread", 2}, bare, Reps{1}), Unsupported);
}

TEST(ReadSection, AWriterOnTheReadersCpuIsRefused) {
  Point point;
  point.set("section", std::string("rwlock"));
  point.set("writer", std::string("reclaims"));
  test::PointSetup setup(point, 2);
  EXPECT_NO_THROW(ReadSection<LockedReads>{setup});
  setup.sharing = CpuSharing::certain;
  EXPECT_THROW(ReadSection<LockedReads>{setup}, Unsupported);
}

// As section = none, under another name.
TEST_P(ReadTeam, AReaderThatSeesWhatWasReclaimedIsCaught) {
  if (binding_of_self().size() < 2) GTEST_SKIP() << "reader and writer have to run at once";
  Description description{.members = at_least(2), .traits = ReadSection<UnprotectedReads>::traits()};
  description.factors = {{.name = "section", .standard = std::string("broken")},
                         {.name = "writer", .standard = std::string("reclaims")}};
  // On a busy machine they do not always.
  const auto run_often = [&] {
    for (int i = 0; i < 50; ++i)
      test::run_class<ReadSection<UnprotectedReads>>(description, {GetParam(), 2}, {}, Reps{5'000'000});
  };
  EXPECT_THROW(run_often(), MemberFailed);
}

}  // namespace
}  // namespace assay
