// SPDX-License-Identifier: Apache-2.0
// Mass creation: exact shares, never more threads than asked for, none left, and refusals that name their limit.
#include "thread/mass_create.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "catalog.hpp"
#include "support/measurements/one_batch.hpp"
#include "support/measurements/point_setup.hpp"
#include "support/programs/own_process.hpp"
#include "support/programs/workers.hpp"

namespace assay {
namespace {

using test::Levels;
using testing::AllOf;
using testing::HasSubstr;

const Description& description_of(std::string_view name) {
  static const Registry registry = [] {
    Registry filled;
    register_all(filled);
    return filled;
  }();
  return registry.find(name)->description;
}

Point mass_point(const Levels& levels) {
  Point point;
  for (const Factor& factor : description_of("thread/mass_create").factors) point.set(factor.name, factor.standard);
  for (const auto& [factor, level] : levels) point.set(factor, level);
  return point;
}

Value mass_number(std::int64_t value) { return value; }

struct OneCreator {
  std::atomic<std::int64_t> beats{0};
  Member member{0, 1, Stopwatch(), beats};
};

/// What a measurement says when it refuses, from its construction to the end of a batch; empty when it does not.
std::string mass_refusal(const Levels& levels, CreateThread create = pthread_create, std::int64_t reps = 100) {
  OneCreator one;
  try {
    test::PointSetup setup(mass_point(levels), 1);
    MassCreate measurement(setup, create);
    measurement.enter(one.member);
    measurement.run(one.member, Reps{reps});
  } catch (const Unsupported& refusal) {
    return refusal.what();
  }
  return {};
}

TEST(MassCreation, SharesAreWholeAndAddUp) {
  EXPECT_EQ(shares_of({10, 3}, 3), (std::vector<CreatorShare>{{3, 1}, {3, 1}, {4, 1}}));
  for (const std::int64_t creators : {1, 7, 20}) {
    CreatorShare sum;
    for (const CreatorShare& share : shares_of({100'000, 10 * creators}, creators)) {
      EXPECT_EQ(share.slots, 10);
      EXPECT_LE(std::abs(share.creations - 100'000 / creators), 1);
      sum.creations += share.creations;
      sum.slots += share.slots;
    }
    EXPECT_EQ(sum, (CreatorShare{100'000, 10 * creators}));
  }
}

TEST(MassCreation, CreatesExactlySoManyAndNeverMoreAtATimeThanAskedFor) {
  const std::size_t before = threads_alive();
  OneCreator one;
  for (const char* state : {"joinable", "detached"})
    for (const std::int64_t children : {1, 3}) {
      SCOPED_TRACE(state);
      const Levels levels{
          {"detachstate", std::string(state)}, {"toplevel", mass_number(4)}, {"children", mass_number(children)}};
      test::PointSetup setup(mass_point(levels), 1);
      MassRun run(setup);
      run.enter();
      for (const std::int64_t creations : {0, 1, 6, 101}) {
        EXPECT_GT(run.run(one.member, creations).count, 0) << "throws unless there were as many";
        EXPECT_LE(run.most_alive(), children);
        EXPECT_TRUE(test::comes_true([&] { return threads_alive() == before; }));
      }
      EXPECT_EQ(run.most_alive(), children) << "of 101 threads so many were there at a time";
    }
}

TEST(MassCreation, ARepetitionIsACreationOrARun) {
  OneCreator one;
  test::PointSetup adapting(mass_point({{"creations", mass_number(0)}}), 1);
  MassCreate by_creation(adapting);
  by_creation.enter(one.member);
  EXPECT_FALSE(by_creation.run(one.member, Reps{20}).has(MassCreate::whole_run));
  test::PointSetup fixed(mass_point({{"creations", mass_number(50)}, {"toplevel", mass_number(3)}}), 1);
  MassCreate by_run(fixed);
  by_run.enter(one.member);
  const Claims claims = by_run.run(one.member, Reps{2});
  EXPECT_DOUBLE_EQ(claims[MassCreate::time] * 50, claims[MassCreate::whole_run]);
  EXPECT_GE(claims[MassCreate::switches], 0);
}

TEST(MassCreation, RepetitionsAreBoundedByWhatTheyAre) {
  const Description& description = description_of("thread/mass_create");
  EXPECT_GE(traits_at(description, mass_point({{"creations", mass_number(0)}})).reps.least.count, 20 * 10);
  const RepsBounds runs = traits_at(description, mass_point({{"creations", mass_number(100'000)}})).reps;
  EXPECT_EQ(runs.least.count, 1);
  EXPECT_EQ(runs.most.count, 1);
}

TEST(MassCreation, ThreadsWorkAndSleep) {
  for (const std::int64_t work : {0, 50, 100})
    EXPECT_EQ(mass_refusal({{"work-rounds", mass_number(2)}, {"work", mass_number(work)}, {"children", mass_number(4)}},
                           pthread_create, 8),
              "");
}

TEST(MassCreation, LevelsThatMakeNoSenseAreRefused) {
  EXPECT_THAT(mass_refusal({{"toplevel", mass_number(0)}}), HasSubstr("'toplevel'"));
  EXPECT_THAT(mass_refusal({{"children", mass_number(0)}}), HasSubstr("'children'"));
  EXPECT_THAT(mass_refusal({{"work", mass_number(101)}}), AllOf(HasSubstr("'work'"), HasSubstr("101")));
  EXPECT_THAT(mass_refusal({{"creations", mass_number(-1)}}), HasSubstr("'creations'"));
  EXPECT_THAT(mass_refusal({{"stack", mass_number(1)}}), HasSubstr("stack"));
}

// As a system that has room for some threads only: refuses the first creators' last ones, then all.
int refuse_after_30(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument) {
  static std::atomic<int> calls{0};
  return ++calls > 30 ? EAGAIN : pthread_create(thread, attributes, body, argument);
}
int refuse_all(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) { return EAGAIN; }

TEST(MassCreation, ARefusedThreadEndsTheRunAndLeavesNone) {
  const std::size_t before = threads_alive();
  for (const char* state : {"joinable", "detached"}) {
    const Levels levels{
        {"detachstate", std::string(state)}, {"toplevel", mass_number(3)}, {"children", mass_number(4)}};
    EXPECT_THAT(mass_refusal(levels, refuse_after_30), HasSubstr("refused"));
    EXPECT_THAT(mass_refusal(levels, refuse_all), HasSubstr("pthread_create"));
    EXPECT_TRUE(test::comes_true([&] { return threads_alive() == before; }));
  }
}

TEST(MassCreation, AStackThatNoAddressSpaceHasIsTold) {
  EXPECT_THAT(mass_refusal({{"stack", mass_number(std::int64_t{1} << 46)}}), HasSubstr("stack"));
}

TEST(MassCreation, TooLittleAddressSpaceIsToldWithItsLimit) {
  if (ASSAY_SANITIZED) GTEST_SKIP() << "the sanitizer itself needs more than this limit allows";
  EXPECT_EQ(test::in_own_process([] {
              test::limit(RLIMIT_AS, address_usage().used + (rlim_t{300} << 20U));
              const std::size_t before = threads_alive();
              EXPECT_THAT(mass_refusal({{"stack", mass_number(std::int64_t{64} << 20)}, {"children", mass_number(10)}}),
                          AllOf(HasSubstr("address"), HasSubstr("64")));
              EXPECT_TRUE(test::comes_true([&] { return threads_alive() == before; }));
            }),
            0);
}

TEST(MassCreation, ALimitOfTheUserIsToldWithItsNumber) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs the superuser: a user of its own is to be limited";
  constexpr int nobody_else = 64'322;
  EXPECT_EQ(test::in_own_process([] {
              ASSERT_EQ(::setgid(nobody_else) + ::setuid(nobody_else), 0);
              // A process that has changed its user is hidden from procfs until it is a new program.
              ASSERT_EQ(::prctl(PR_SET_DUMPABLE, 1), 0);
              test::limit(RLIMIT_NPROC, 6);
              const Levels that_stay{{"children", mass_number(10)}, {"work-rounds", mass_number(20)}};
              EXPECT_THAT(mass_refusal(that_stay), AllOf(HasSubstr("6"), HasSubstr("-u")));
            }),
            0);
}

TEST(ThreadRefusal, NamesTheLimitThatIsMet) {
  const Refusal refusal{.error = EAGAIN, .alive = 37, .stack = std::size_t{8} << 20U, .creator = 2};
  constexpr std::size_t gib = std::size_t{1} << 30U;
  EXPECT_THAT(refusal_text(refusal, {.user = {40, 40}}), AllOf(HasSubstr("37"), HasSubstr("40"), HasSubstr("-u")));
  EXPECT_THAT(refusal_text(refusal, {.user = {40, 40}, .group = {30, 30}}),
              AllOf(HasSubstr("30"), HasSubstr("pids.max")));
  EXPECT_THAT(refusal_text(refusal, {.address = {gib, gib - 1}}),
              AllOf(HasSubstr("1024"), HasSubstr("1023"), HasSubstr("-v")));
  EXPECT_THAT(refusal_text(refusal, {.user = {40, 12}, .group = {30, 29}}), HasSubstr("kernel.threads-max"))
      << "neither is met";
  EXPECT_THAT(refusal_text({.error = EPERM}, {}), HasSubstr("scheduling"));
}

TEST(LifeOfAThread, HasSystemCallsOrTheReasonWhyNot) {
  try {
    const auto one = test::run_named(
        "thread/life_calls", {},
        {{"toplevel", mass_number(2)}, {"children", mass_number(3)}, {"creations", mass_number(60)}}, Reps{1});
    EXPECT_GE(one.value("system_calls"), 2) << "one creates a thread, one ends it";
    EXPECT_LT(one.value("system_calls"), 100);
  } catch (const Unsupported& refusal) {
    EXPECT_THAT(refusal.what(), HasSubstr("calls"));
  }
}

}  // namespace
}  // namespace assay
