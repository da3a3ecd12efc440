// SPDX-License-Identifier: Apache-2.0
// OpenMP constructs as measurements: what they claim and refuse, and which threads exist when.
#include <gtest/gtest.h>
#include <omp.h>
#include <sched.h>

#include "catalog.hpp"
#include "omp/timed.hpp"
#include "team/batch_classifier.hpp"
#include "team/team.hpp"
#include "thread/threads.hpp"

namespace assay {
namespace {

using Levels = std::vector<std::pair<std::string, std::int64_t>>;

Registry all() {
  Registry registry;
  register_all(registry);
  return registry;
}

std::unique_ptr<Team> open(const Entry& entry, const Levels& levels, const Placement& placement = {}) {
  TeamRequest request;
  request.vehicle = "thread";
  request.members = 1;
  request.placement = placement;
  for (const auto& [factor, level] : levels) request.point.set(factor, level);
  return open_team(entry, request);
}

int usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  ::sched_getaffinity(0, sizeof set, &set);
  return CPU_COUNT(&set);
}

TEST(OmpMeasurement, EveryConstructClaimsItsTimeAndItsOverhead) {
  const Registry registry = all();
  int constructs = 0;
  for (const Entry& entry : registry.entries()) {
    if (!entry.description.name.starts_with("omp/")) continue;
    SCOPED_TRACE(entry.description.name);
    ++constructs;
    const auto team = open(entry, {{"threads", std::min(2, usable_cpus())}});
    const Batch batch = team->run(Reps{21});
    const double time = observe(batch, entry.description, 0, entry.description.traits).value();
    const double overhead = observe(batch, entry.description, 1, entry.description.traits).value();
    EXPECT_GT(time, 0);
    EXPECT_LT(overhead, time) << "the reference takes time";
  }
  EXPECT_EQ(constructs, 10);
}

// The measured thread is this one.
TEST(OmpMeasurement, TheMemberGetsItsCpusBack) {
  const Registry registry = all();
  const int before = usable_cpus();
  const auto team = open(*registry.find("omp/barrier"), {{"threads", std::min(2, before)}});
  team->run(Reps{5});
  EXPECT_EQ(usable_cpus(), 1) << "each thread of the team has its own CPU";
  team->park();
  EXPECT_EQ(usable_cpus(), before);
}

TEST(OmpMeasurement, ThreadsExistInVisitsOnly) {
  if (usable_cpus() < 2) GTEST_SKIP() << "one CPU is usable";
  const Registry registry = all();
  ASSERT_EQ(omp_pause_resource_all(omp_pause_hard), 0);  // what other tests left
  await_threads(1);
  const std::size_t before = threads_alive();
  const auto team = open(*registry.find("omp/barrier"), {{"threads", 2}});
  team->run(Reps{5});
  EXPECT_EQ(threads_alive(), before + 1);
  team->park();
  EXPECT_EQ(threads_alive(), before) << "a pool that polls would disturb who measures next";
  team->run(Reps{5});
  EXPECT_EQ(threads_alive(), before + 1);
}

std::string refusal(const Levels& levels, const Placement& placement = {}) {
  const Registry registry = all();
  try {
    open(*registry.find("omp/for"), levels, placement);
  } catch (const Unsupported& error) {
    return error.code().empty() ? "unsupported" : error.code();
  }
  return "none";
}

TEST(OmpMeasurement, RefusesWhatCannotBe) {
  EXPECT_EQ(refusal({{"threads", usable_cpus() + 1}}), "N1");
  EXPECT_EQ(refusal({{"threads", 0}}), "unsupported");
  EXPECT_EQ(refusal({{"threads", 1}, {"iterations", 0}}), "unsupported");
  EXPECT_EQ(refusal({{"threads", 1}, {"chunk", -1}}), "unsupported");
  EXPECT_EQ(refusal({{"threads", 1}}), "none");
}

TEST(OmpMeasurement, MoreThreadsThanTheBindingHasAreRefused) {
  cpu_set_t set;
  CPU_ZERO(&set);
  ::sched_getaffinity(0, sizeof set, &set);
  int cpu = 0;
  while (!CPU_ISSET(cpu, &set)) ++cpu;
  EXPECT_EQ(refusal({{"threads", 2}}, {"bound", {cpu}}), "N1");
  EXPECT_EQ(refusal({{"threads", 1}}, {"bound", {cpu}}), "none");
}

TEST(OmpDelay, GrowsWithTheLengthAskedFor) {
  EXPECT_EQ(Delay(Nanoseconds{0}).steps(), 0);
  EXPECT_GE(Delay(Nanoseconds{0.001}).steps(), 1);
  EXPECT_GT(Delay(microseconds(100)).steps(), Delay(Nanoseconds{100}).steps());
}

}  // namespace
}  // namespace assay
