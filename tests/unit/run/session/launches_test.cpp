// SPDX-License-Identifier: Apache-2.0
// What follows from each way in which a launch can end.
#include "run/session/launches.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <deque>

#include "support/records/memory_sink.hpp"

namespace assay::test {
namespace {

Point sized(std::int64_t size) {
  Point point;
  point.set("size", size);
  return point;
}

/// Launches that end as they are told to.
class Scripted final : public Launches {
 public:
  Launched launch(const LaunchOrder&, Sink& sink, const Follow&) override {
    Launched next = script.front();
    script.pop_front();
    if (visits) sink.write(VisitRecord{});
    return next;
  }
  int most_relaunches() const override { return 2; }
  std::deque<Launched> script;
  bool visits = true;
};

Launched ended(int left) { return {true, "complete", left, {}, Outcome::failed, {}, {}}; }
Launched lost_in(std::int64_t size) {
  return {true, "", 0, BeginRecord{"ping", sized(size), 0, 0, 1}, Outcome::timeout, "stood still", {}};
}
Launched lost_early(bool began) { return {began, "", 0, {}, Outcome::failed, "would not", {}}; }

struct Trial {
  explicit Trial(std::deque<Launched> script, bool visits = true) {
    launches.script = std::move(script);
    launches.visits = visits;
  }
  /// Launches until none is due; returns how many there were.
  int run() {
    int count = 0;
    for (; loop.due() && !launches.script.empty(); ++count)
      loop.next({0, count + 1, {}, {}, {}},
                {sink, [](const PointRecord&) {},
                 [&](const std::string&, const Point& point, Outcome outcome, const std::string& why) {
                   given_up.push_back(to_text(point) + " " + to_text(outcome) + ": " + why);
                 },
                 [](const std::string&, int) {}});
    return count;
  }
  Scripted launches;
  LaunchLoop loop{launches};
  MemorySink sink;
  std::vector<std::string> given_up;
};

TEST(LaunchLoop, EndsWhenNothingIsLeft) {
  Trial trial({ended(3), ended(1), ended(0), ended(9)});
  EXPECT_EQ(trial.run(), 3);
  EXPECT_EQ(trial.loop.gave_up(), "");
}

TEST(LaunchLoop, GivesAPointUpThatWasInFlightInTooManyLostLaunches) {
  Trial trial({lost_in(1), ended(2), lost_in(2), lost_in(1), lost_in(1), ended(0)});
  EXPECT_EQ(trial.run(), 6);
  EXPECT_EQ(trial.given_up, std::vector<std::string>{"size=1 timeout: stood still (as in 3 launches)"});
  EXPECT_EQ(trial.sink.all<FailureRecord>().size(), 4U);
}

TEST(LaunchLoop, ALauncherThatNeverStartsAnythingIsNotTriedAgain) {
  Trial trial({lost_early(false), ended(0)});
  EXPECT_EQ(trial.run(), 1);
  EXPECT_FALSE(trial.loop.ever_began());
  EXPECT_EQ(trial.loop.gave_up(), "would not");
}

TEST(LaunchLoop, LaunchesLostBetweenVisitsAreGivenUpInTheEnd) {
  Trial trial({ended(2), lost_early(true), lost_early(false), lost_early(true), ended(0)});
  EXPECT_EQ(trial.run(), 4);
  EXPECT_TRUE(trial.loop.ever_began());
  EXPECT_THAT(trial.loop.gave_up(), testing::HasSubstr("3 launches in a row lost between visits"));
}

TEST(LaunchLoop, LaunchesThatDoNothingAreGivenUp) {
  Trial trial({ended(2), ended(2), ended(2), ended(2)}, false);
  EXPECT_EQ(trial.run(), 3);
  EXPECT_THAT(trial.loop.gave_up(), testing::HasSubstr("without a visit"));
}

}  // namespace
}  // namespace assay::test
