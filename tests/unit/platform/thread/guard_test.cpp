// SPDX-License-Identifier: Apache-2.0
// Counters of the calling thread, and bindings that are proved or refused.
#include "platform/thread/guard.hpp"

#include <gmock/gmock-matchers.h>
#include <unistd.h>

#include <thread>

#include "base/error.hpp"
#include "unit/platform/support.hpp"

namespace assay {
namespace {

TEST(Guards, DifferencesAreStored) {
  const GuardReading before{1, 2, 3, 1000, 5000, 4};
  const GuardReading after{11, 22, 33, 1400, 6000, 5};
  MemberReport report;
  report.beats = 7;
  store_guards(before, after, report);
  EXPECT_EQ(report.voluntary, 10);
  EXPECT_EQ(report.involuntary, 20);
  EXPECT_EQ(report.major_faults, 30);
  EXPECT_EQ(report.cpu_before, 4);
  EXPECT_EQ(report.cpu_after, 5);
  EXPECT_DOUBLE_EQ(report.cpu.count, 400);
  EXPECT_DOUBLE_EQ(report.wall.count, 1000);
  EXPECT_EQ(report.beats, 7);
}

TEST(Guards, ReadingsNeverDecrease) {
  const GuardReading before = read_guards(false);
  const GuardReading after = read_guards(true);
  EXPECT_LE(before.voluntary, after.voluntary);
  EXPECT_LE(before.involuntary, after.involuntary);
  EXPECT_LE(before.cpu_ns, after.cpu_ns);
  EXPECT_LE(before.wall_ns, after.wall_ns);
  EXPECT_GT(before.cpu_ns, 0);
}

TEST(Guards, CpuIsOneOfTheBinding) {
  const auto binding = binding_of_self();
  EXPECT_THAT(binding, testing::Contains(read_guards(false).cpu));
}

TEST(Guards, BlockingIsCountedAsVoluntary) {
  const int waiting = test::thread_id();
  const GuardReading before = read_guards(false);
  const int status = test::in_child([&] {
    test::await_sleep(::getppid(), waiting);
    return 0;
  });
  const GuardReading after = read_guards(true);
  EXPECT_EQ(status, 0);
  EXPECT_GT(after.voluntary, before.voluntary);
}

TEST(Guards, AreThoseOfTheThreadAlone) {
  const int waiting = test::thread_id();
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(test::in_child([&] {
                test::await_sleep(::getppid(), waiting);
                return 0;
              }),
              0);
  }
  GuardReading fresh;
  std::thread([&] { fresh = read_guards(false); }).join();
  EXPECT_LT(fresh.voluntary, read_guards(true).voluntary);
}

TEST(Binding, IsReadBack) {
  EXPECT_EQ(test::exit_of_child([] {
              const int last = binding_of_self().back();
              bind_self({last, last});
              if (binding_of_self() != std::vector<int>{last}) return 1;
              return read_guards(false).cpu == last ? 0 : 2;
            }),
            0);
}

TEST(Binding, CanBeWidenedAgain) {
  EXPECT_EQ(test::exit_of_child([] {
              const auto all = binding_of_self();
              bind_self({all.front()});
              bind_self(all);
              return binding_of_self() == all ? 0 : 1;
            }),
            0);
}

TEST(Binding, CpuThatIsNotThereIsRefused) {
  try {
    bind_self({100'000});
    FAIL() << "bound to a CPU that does not exist";
  } catch (const PlatformError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("100000"));
  }
}

TEST(Binding, SetIsNeverCutSilently) {
  EXPECT_EQ(test::exit_of_child([] {
              try {
                bind_self({binding_of_self().front(), 8000});
              } catch (const PlatformError& error) {
                return std::string(error.what()).find("in effect are only") != std::string::npos ? 0 : 1;
              }
              return 2;
            }),
            0);
}

TEST(Binding, NonsenseIsRefused) {
  EXPECT_THROW(bind_self({}), PlatformError);
  EXPECT_THROW(bind_self({-1}), PlatformError);
  EXPECT_THROW(bind_self({2'000'000'000}), PlatformError);
}

}  // namespace
}  // namespace assay
