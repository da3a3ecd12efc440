// SPDX-License-Identifier: Apache-2.0
// The life of threads, measured on real ones: what is promised of them whatever the time they take.
#include <gtest/gtest.h>

#include "catalog.hpp"
#include "support/measurements/one_batch.hpp"
#include "support/measurements/point_setup.hpp"
#include "support/programs/workers.hpp"
#include "thread/cancel.hpp"
#include "thread/create_chain.hpp"
#include "thread/create_join.hpp"
#include "work/counted.hpp"

namespace assay {
namespace {

using ThreadLevels = std::vector<std::pair<std::string, Value>>;

Value word(const char* text) { return std::string(text); }
Value number(std::int64_t value) { return value; }

// The point with the standard levels of the rest.
Point point_of(const std::string& name, const ThreadLevels& levels) {
  Registry registry;
  register_all(registry);
  Point point;
  for (const Factor& factor : registry.find(name)->description.factors) point.set(factor.name, factor.standard);
  for (const auto& [factor, level] : levels) point.set(factor, level);
  return point;
}

// A measurement of one member, without a team.
template <class M>
struct Alone {
  Alone(const std::string& name, const ThreadLevels& levels) : setup(point_of(name, levels), 1), measurement(setup) {
    measurement.enter(member);
  }
  Claims run(std::int64_t reps) { return measurement.run(member, Reps{reps}); }

  test::PointSetup setup;
  std::atomic<std::int64_t> beats{0};
  Member member{0, 1, Stopwatch(), beats};
  M measurement;
};

std::string code_of(const std::string& name, const ThreadLevels& levels) {
  try {
    Alone<CreateChain>(name, levels).run(1);
  } catch (const Unsupported& error) {
    return error.code();
  }
  return "none";
}

TEST(ThreadCreateChain, CreatesAsManyThreadsAsAskedForAndLeavesNone) {
  const std::size_t before = threads_alive();
  ASSERT_GE(before, 1U);
  for (const char* state : {"joinable", "detached"})
    for (const std::int64_t length : {1, 2, 50}) {
      Alone<CreateChain> chain("thread/create_chain", {{"detachstate", word(state)}, {"chain", number(length)}});
      EXPECT_GT(chain.run(3)[0], 0);
      EXPECT_EQ(chain.measurement.count(), static_cast<std::size_t>(length));
      EXPECT_TRUE(test::comes_true([&] { return threads_alive() == before; })) << state;
    }
}

TEST(ThreadCreateChain, TakesEveryAttributeAndClaimsOneCreation) {
  Alone<CreateChain> chain("thread/create_chain", {{"chain", number(20)},
                                                   {"stack", number(65536)},
                                                   {"scheduling", word("explicit")},
                                                   {"detachstate", word("detached")}});
  const auto from = chain.member.stopwatch().start();
  const Claims claims = chain.run(2);
  const Nanoseconds all = chain.member.stopwatch().between(from, chain.member.stopwatch().stop());
  EXPECT_GT(claims[0], 0);
  EXPECT_LT(claims[0] * 20, all.count) << "a claim is a twentieth of what the chains took";
}

TEST(ThreadCreateChain, ProcessScopeIsWhatTheLibrarySaysOfIt) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  const bool has_it = pthread_attr_setscope(&attributes, PTHREAD_SCOPE_PROCESS) == 0;
  pthread_attr_destroy(&attributes);
  EXPECT_EQ(code_of("thread/create_chain", {{"scope", word("process")}}), has_it ? "none" : "N10");
  EXPECT_EQ(code_of("thread/create_chain", {{"chain", number(2)}}), "none");
}

TEST(ThreadCreateChain, RefusesWhatCannotBe) {
  EXPECT_EQ(code_of("thread/create_chain", {{"chain", number(0)}}), "");
  EXPECT_EQ(code_of("thread/create_chain", {{"stack", number(1)}}), "");
}

// No thread can have so large a stack, which the library reports only when one is created.
TEST(ThreadCreateChain, AFailureIsToldAndNotWaitedFor) {
  Alone<CreateChain> chain("thread/create_chain", {{"stack", number(std::int64_t{1} << 46)}, {"chain", number(3)}});
  EXPECT_THROW(chain.run(1), Unsupported);
}

TEST(ThreadCreate, LeavesNoThreadBehind) {
  const std::size_t before = threads_alive();
  for (const char* state : {"joinable", "detached"}) {
    Alone<Create> create("thread/create", {{"detachstate", word(state)}});
    EXPECT_GT(create.run(20)[0], 0);
    EXPECT_TRUE(test::comes_true([&] { return threads_alive() == before; })) << state;
  }
}

TEST(ThreadCreateJoin, HasBothKindsOfThreads) {
  using Batch = Alone<Batches<CreateJoin>>;
  EXPECT_GT(Batch("thread/create_join", {{"api", word("std")}}).run(5)[0], 0);
  EXPECT_THROW(Batch("thread/create_join", {{"api", word("std")}, {"stack", number(65536)}}), Unsupported);
}

// Whose CPU is one cannot have its threads elsewhere.
TEST(ThreadCreateJoin, TellsWhichThreadsRanElsewhere) {
  cpu_set_t before;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  const double unbound = test::run_named("thread/create_join", {}, {}, Reps{50}).value("elsewhere");
  EXPECT_GE(unbound, 0);
  EXPECT_LE(unbound, 1);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(::sched_getcpu(), &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  for (const char* api : {"pthread", "std"})
    EXPECT_EQ(test::run_named("thread/create_join", {}, {{"api", word(api)}}, Reps{50}).value("elsewhere"), 0);
  ::sched_setaffinity(0, sizeof before, &before);
}

// The target's own checks throw: it must end by cancellation, through its handler.
void expect_cancelled(const char* target) {
  SCOPED_TRACE(target);
  Alone<Cancel> cancel("thread/cancel", {{"target", word(target)}});
  const Claims claims = cancel.run(10);
  EXPECT_GT(claims[Cancel::handler], 0);
  EXPECT_GT(claims[Cancel::join], claims[Cancel::handler]);
  EXPECT_GT(claims[Cancel::join], claims[Cancel::call]);
}

TEST(ThreadCancel, EveryTargetEndsThroughItsHandlerBeforeItIsJoined) {
  for (const char* target : {"deferred", "read", "condvar"}) expect_cancelled(target);
}

TEST(ThreadCancel, ASpinnerEndsThroughItsHandlerWhereverItIs) { expect_cancelled("spinner"); }

TEST(ThreadCancel, TheHandlerOfAConditionWaitReleasesTheMutex) {
  CancelTarget target(CancelPlace::condvar, 1);
  for (int i = 0; i < 3; ++i) {
    const pthread_t thread = target.start(Stopwatch());
    EXPECT_TRUE(target.is_released()) << "a blocked waiter does not hold it";
    pthread_cancel(thread);
    target.join(thread);
    ASSERT_TRUE(target.is_released());
  }
}

TEST(ThreadCancel, ADistanceOfNoneIsRefused) {
  EXPECT_THROW(Alone<Cancel>("thread/cancel", {{"every", number(0)}}), Unsupported);
}

}  // namespace
}  // namespace assay
