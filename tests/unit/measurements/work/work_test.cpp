// SPDX-License-Identifier: Apache-2.0
// The work mechanism: the work asked for is what the timed loop is given, and sizes that mean nothing are refused.
#include "work/work.hpp"

#include <gtest/gtest.h>

#include <type_traits>

#include "support/measurements/point_setup.hpp"

namespace assay {
namespace {

test::PointSetup setup_of(const std::string& work, std::int64_t size) {
  Point point;
  point.set("work", work);
  point.set("work-size", size);
  return test::PointSetup(point, 2);
}

struct WorkMember {
  std::atomic<std::int64_t> beats{0};
  Member member{1, 2, Stopwatch(), beats};
};

TEST(Work, NoneLeavesNothingInTheLoop) {
  auto setup = setup_of("none", 4096);
  WorkMember one;
  Work work(setup);
  work.enter(one.member);
  EXPECT_TRUE(work.on(one.member, [](auto callable) { return std::is_same_v<decltype(callable), NoWork>; }));
}

TEST(Work, AWalkChangesOneWordOfEveryLine) {
  auto setup = setup_of("walk", 640);
  WorkMember one;
  Work work(setup);
  work.enter(one.member);
  const std::vector<std::uint64_t> words = work.on(one.member, [](auto callable) {
    callable();
    callable();
    if constexpr (std::is_same_v<decltype(callable), Walk>)
      return std::vector<std::uint64_t>(callable.first, callable.last);
    else
      return std::vector<std::uint64_t>();
  });
  ASSERT_EQ(words.size(), 80U);
  for (std::size_t i = 0; i < words.size(); ++i) EXPECT_EQ(words[i], i % 8 == 0 ? 2U : 0U) << i;
}

TEST(Work, ArithmeticGrowsWithTheTimeAskedFor) {
  const auto steps = [](std::int64_t ns) {
    auto setup = setup_of("compute", ns);
    WorkMember one;
    Work work(setup);
    work.enter(one.member);
    return work.on(one.member, [](auto callable) {
      if constexpr (std::is_same_v<decltype(callable), Compute>) return callable.steps;
      return std::int64_t{0};
    });
  };
  EXPECT_GT(steps(1'000'000), steps(1000)) << "a thousand times as long cannot be fewer steps, whatever disturbed";
}

TEST(Work, SizesWithoutMeaningAreRefused) {
  const auto refused = [](const std::string& word, std::int64_t size) {
    auto setup = setup_of(word, size);
    EXPECT_THROW(Work{setup}, Unsupported) << word << " " << size;
  };
  refused("walk", 32);
  refused("compute", 0);
  refused("none", 64);
}

}  // namespace
}  // namespace assay
