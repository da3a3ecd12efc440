// SPDX-License-Identifier: Apache-2.0
// Two members on one CPU, under both vehicles: turns by yielding and by preemption.
#include <gtest/gtest.h>
#include <sched.h>

#include "catalog.hpp"
#include "team/batch_classifier.hpp"
#include "team/team.hpp"
#include "thread/time_slice.hpp"
#include "thread/yield.hpp"

namespace assay {
namespace {

using Levels = std::vector<std::pair<std::string, Value>>;

// Two members on the CPU that this thread is on: the first that it may use.
struct OnOneCpu {
  explicit OnOneCpu(const std::string& name, const std::string& vehicle, const Levels& levels) {
    register_all(registry);
    const Entry& entry = *registry.find(name);
    request.vehicle = vehicle;
    request.members = 2;
    cpu_set_t set;
    CPU_ZERO(&set);
    ::sched_getaffinity(0, sizeof set, &set);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &set)) ++cpu;
    request.placement = {"same-pu", {cpu, cpu}};
    for (const auto& [factor, level] : levels) request.point.set(factor, level);
    description = entry.description;
    team = open_team(entry, request);
  }
  std::optional<double> value(const Batch& batch, std::size_t quantity) const {
    return observe(batch, description, quantity, traits_at(description, request.point));
  }
  Judgement judgement(const Batch& batch) const {
    return judge(batch, traits_at(description, request.point), description, request.placement);
  }

  Registry registry;
  TeamRequest request;
  Description description;
  std::unique_ptr<Team> team;
};

class TeamOnOneCpu : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Team, TeamOnOneCpu, testing::Values("thread", "process"),
                         [](const auto& vehicle) { return vehicle.param; });

TEST_P(TeamOnOneCpu, YieldsAreCountedOnceAndSwitchesDoNotDisturb) {
  for (const char* proxy : {"off", "on"}) {
    SCOPED_TRACE(proxy);
    OnOneCpu yield("thread/yield", GetParam(), {{"proxy", std::string(proxy)}});
    for (int i = 0; i < 3; ++i) {
      const Batch batch = yield.team->run(Reps{400});
      EXPECT_GT(yield.value(batch, Yield::time).value(), 0);
      EXPECT_GE(yield.value(batch, Yield::alternation).value(), 0);
      EXPECT_LE(yield.value(batch, Yield::alternation).value(), 1);
      EXPECT_GE(yield.value(batch, Yield::switches).value(), 0);
      EXPECT_FALSE(yield.judgement(batch).disturbed.test(static_cast<std::size_t>(Disturbance::switched)));
      if (const auto each = yield.value(batch, Yield::switch_time)) {
        const double per_yield = *each * yield.value(batch, Yield::switches).value();
        EXPECT_NEAR(per_yield / yield.value(batch, Yield::time).value(), 1, 1e-9) << "three views of one window";
      }
    }
  }
}

TEST_P(TeamOnOneCpu, TurnsEndWhenThePartnerRan) {
  OnOneCpu slices("thread/time_slice", GetParam(), {{"turns", std::int64_t{4}}});
  const Batch batch = slices.team->run(Reps{1});
  const double median = slices.value(batch, TimeSlice::median).value();
  EXPECT_GT(slices.value(batch, TimeSlice::shortest).value(), 0);
  EXPECT_LE(slices.value(batch, TimeSlice::shortest).value(), median);
  EXPECT_LE(median, slices.value(batch, TimeSlice::longest).value());
  EXPECT_GE(slices.value(batch, TimeSlice::foreign).value(), 0);
  EXPECT_LE(4 * slices.value(batch, TimeSlice::shortest).value(), batch.members[0].wall.count) << "of four turns";
}

TEST_P(TeamOnOneCpu, ThePapersFlagIsHandedOverAndGivenBack) {
  OnOneCpu paper("thread/time_slice_paper", GetParam(), {{"turns", std::int64_t{3}}});
  for (int i = 0; i < 2; ++i) {
    const Batch batch = paper.team->run(Reps{1});
    EXPECT_GT(paper.value(batch, 0).value(), 0);
    EXPECT_GT(paper.value(batch, TimeSlicePaper::cpu).value(), 0);
    EXPECT_LE(batch.members[0].claims[TimeSlicePaper::cpu] * 6, batch.members[0].cpu.count) << "of six slices";
  }
}

TEST(TeamTimeSlice, IsRefusedWhereMembersDoNotShareOneCpu) {
  Registry registry;
  register_all(registry);
  cpu_set_t set;
  CPU_ZERO(&set);
  ::sched_getaffinity(0, sizeof set, &set);
  if (CPU_COUNT(&set) < 2) GTEST_SKIP() << "unbound members share the only CPU here";
  for (const char* name : {"thread/time_slice", "thread/time_slice_paper"}) {
    TeamRequest request;
    request.vehicle = "thread";
    request.members = 2;
    EXPECT_THROW(open_team(*registry.find(name), request), Unsupported) << name;
  }
}

}  // namespace
}  // namespace assay
