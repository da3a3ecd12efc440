// SPDX-License-Identifier: Apache-2.0
// Two CPUs' counters compared, with a skew put in.
#include "platform/clock/counter_pair.hpp"

#include <gtest/gtest.h>

#include <ctime>

#include "platform/clock/system_clock.hpp"
#include "platform/thread/guard.hpp"

namespace assay {
namespace {

std::int64_t monotonic() { return MonotonicClock().now().ns; }

TEST(Faults, F33_skewed_stamps_are_refused_whichever_side_is_behind) {
  std::vector<std::int64_t> stamps;
  for (int i = 0; i < 20; ++i) stamps.push_back(1000 + 100 * i);
  EXPECT_EQ(pair_objection(stamps, 1), "");
  for (const std::size_t side : {0U, 1U}) {
    auto skewed = stamps;
    for (std::size_t i = side; i < skewed.size(); i += 2) skewed[i] += 350;
    EXPECT_EQ(pair_objection(skewed, 1), "one is 250 ns and more behind the other");
    EXPECT_EQ(pair_objection(skewed, 0.5), "one is 125 ns and more behind the other");
  }
  stamps.resize(9);
  EXPECT_NE(pair_objection(stamps, 1).find("did not answer"), std::string::npos);
}

TEST(Faults, F33_injected_skew_between_two_cpus_is_found) {
  const auto cpus = binding_of_self();
  const int other = cpus.size() > 1 ? cpus[1] : cpus[0];
  constexpr int turns = 200;
  const auto straight = stamps_in_turns(cpus[0], other, turns, [](int) { return monotonic(); });
  EXPECT_EQ(straight.size(), std::size_t{turns});
  EXPECT_EQ(pair_objection(straight, 1), "");
  const auto skewed =
      stamps_in_turns(cpus[0], other, turns, [](int side) { return monotonic() - side * 5'000'000'000; });
  EXPECT_NE(pair_objection(skewed, 1).find("behind the other"), std::string::npos);
  EXPECT_EQ(binding_of_self(), cpus);
}

TEST(CounterPair, ACpuThatIsNotThereIsAnError) {
  EXPECT_THROW(stamps_in_turns(0, 99999, 4, [](int) { return monotonic(); }), std::exception);
  EXPECT_NE(counter_pair_objection(0, 99999, 1, [](int) { return monotonic(); }).find("could not be compared"),
            std::string::npos);
}

TEST(CounterPair, OneClockHasNoObjectionFromAChildProcess) {
  const auto cpus = binding_of_self();
  if (cpus.size() < 2) GTEST_SKIP() << "one CPU";
  EXPECT_EQ(counter_pair_objection(cpus[0], cpus[1], 1, [](int) { return monotonic(); }), "");
}

}  // namespace
}  // namespace assay
