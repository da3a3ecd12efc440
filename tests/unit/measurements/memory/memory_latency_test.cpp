// SPDX-License-Identifier: Apache-2.0
// Chains of pointers: every place once, in the order asked for, and as many loads as are claimed.
#include "memory/latency.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <numeric>

#include "support/measurements/one_batch.hpp"
#include "support/measurements/point_setup.hpp"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr ChainOrder every_order[] = {ChainOrder::random, ChainOrder::paged, ChainOrder::forward, ChainOrder::backward};

TEST(ChainOrder, HasEachPlaceOnce) {
  for (const ChainOrder order : every_order)
    for (const std::size_t places : {1U, 2U, 31U, 32U, 33U, 1000U}) {
      auto numbers = chain_order(places, 32, order, 5);
      ASSERT_EQ(numbers.size(), places);
      std::ranges::sort(numbers);
      for (std::size_t i = 0; i < places; ++i) ASSERT_EQ(numbers[i], i);
    }
}

TEST(ChainOrder, GoesPageByPageOrOverAll) {
  const auto steps_within_pages = [](ChainOrder order) {
    const auto numbers = chain_order(1024, 32, order, 5);
    int count = 0;
    for (std::size_t i = 1; i < numbers.size(); ++i) count += numbers[i] / 32 == numbers[i - 1] / 32 ? 1 : 0;
    return count;
  };
  EXPECT_EQ(steps_within_pages(ChainOrder::paged), 32 * 31);
  EXPECT_LT(steps_within_pages(ChainOrder::random), 100) << "32 of 1023 by chance";
  EXPECT_EQ(chain_order(3, 32, ChainOrder::backward, 5), (std::vector<std::uint32_t>{2, 1, 0}));
  EXPECT_EQ(chain_order(3, 32, ChainOrder::forward, 5), (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(ChainOrder, IsThatOfItsSeed) {
  for (const ChainOrder order : {ChainOrder::random, ChainOrder::paged}) {
    EXPECT_EQ(chain_order(512, 32, order, 5), chain_order(512, 32, order, 5));
    EXPECT_NE(chain_order(512, 32, order, 5), chain_order(512, 32, order, 6));
  }
}

TEST(PointerChain, IsOneCycleThroughAllPlaces) {
  for (const ChainOrder order : every_order)
    for (const std::size_t stride : {16U, 128U, 4096U, 8192U}) {
      PointerChain chain(1U << 20U, stride, order, PageKind::small, 3);
      EXPECT_EQ(chain.places(), (1U << 20U) / stride);
      EXPECT_EQ(chain.round(), chain.places());
      EXPECT_TRUE(chain.is_cycle());
      for (std::uint64_t loads = 64; loads < 1000; loads += 64) {
        chain.chase();
        ASSERT_EQ(chain.position(), loads % chain.places());
      }
    }
}

TEST(PointerChain, ThatLeadsBackTooEarlyOrHasAPlaceTwiceIsNoCycle) {
  const PointerChain chain(1U << 16U, 64, ChainOrder::random, PageKind::small, 3);
  auto* const links = reinterpret_cast<PointerChain::Link*>(chain.memory().begin());
  PointerChain::Link& tenth = links[40];  // one in each 64 bytes
  const PointerChain::Link before = tenth;
  tenth.next = links;  // a shorter cycle
  EXPECT_FALSE(chain.is_cycle());
  tenth = {before.next, (before.number + 1) % chain.places()};  // two with one number
  EXPECT_FALSE(chain.is_cycle());
  tenth = {before.next, chain.places() + before.number};
  EXPECT_FALSE(chain.is_cycle());
  tenth = before;
  EXPECT_TRUE(chain.is_cycle());
}

/// Pages of a chain's memory that are there.
std::ptrdiff_t pages_there(const PointerChain& chain) {
  std::vector<unsigned char> there((chain.memory().size() + 4095) / 4096);
  EXPECT_EQ(::mincore(chain.memory().begin(), chain.memory().size(), there.data()), 0);
  return std::ranges::count_if(there, [](unsigned char flags) { return (flags & 1U) != 0; });
}

TEST(PointerChain, IsTouchedInEachOfItsPages) {
  for (const std::size_t stride : {16U, 64U, 128U, 4096U, 8192U}) {
    constexpr std::size_t bytes = 1U << 20U;
    const PointerChain chain(bytes, stride, ChainOrder::random, PageKind::small, 3);
    ASSERT_EQ(::madvise(chain.memory().begin(), bytes, MADV_DONTNEED), 0);
    ASSERT_EQ(pages_there(chain), 0);
    chain.touch_pages();
    EXPECT_EQ(pages_there(chain), static_cast<std::ptrdiff_t>(bytes / std::max<std::size_t>(stride, 4096))) << stride;
  }
}

TEST(PointerChain, SettlesAmongLoadsAlongItsPlaces) {
  PointerChain chain(std::size_t{3} << 19U, 64, ChainOrder::random, PageKind::small, 3);
  ASSERT_EQ(chain.position(), 0U);
  chain.settle();
  EXPECT_EQ(chain.position(), PointerChain::settling_loads % chain.places());
}

TEST(PointerChain, HasALineOfItsOwnInEachPage) {
  constexpr std::size_t pages = 128;
  const PointerChain chain(pages * 4096, 4096, ChainOrder::random, PageKind::small, 3);
  for (std::size_t page = 0; page < pages; ++page) {
    const std::byte* const begin = chain.memory().begin() + page * 4096;
    for (std::size_t line = 0; line < 64; ++line) {
      const bool is_there = reinterpret_cast<const PointerChain::Link*>(begin + line * 64)->next != nullptr;
      ASSERT_EQ(is_there, line == page % 64) << page;
    }
  }
}

Point point(std::int64_t size, std::int64_t stride, const std::string& order = "random",
            const std::string& pages = "normal") {
  Point point;
  point.set("size", size);
  point.set("stride", stride);
  point.set("order", order);
  point.set("pages", pages);
  return point;
}

/// Each reading is 6400 ns after the one before.
class LoadClock final : public Clock {
 public:
  Instant now() const override { return {++readings_ * 6400}; }

 private:
  mutable std::int64_t readings_ = 0;
};

/// A chain of 1024 places, entered by a member on that clock.
struct EnteredChain {
  EnteredChain() { measurement.enter(member); }

  LoadClock clock;
  std::atomic<std::int64_t> beats{0};
  Member member{0, 1, Stopwatch::simulated(clock), beats};
  test::PointSetup setup{point(65536, 64), 1};
  MemoryLatency measurement{setup};
};

TEST(MemoryLatency, IsTheTimeOfAllLoads) {
  EnteredChain chain;
  for (int batch = 0; batch < 3; ++batch) {
    EXPECT_EQ(chain.measurement.run(chain.member, Reps{10})[0], 6400)
        << "divided by 10 times the loads of a repetition later";
    chain.measurement.rest(chain.member);
  }
}

TEST(MemoryLatency, GoesOnWhereTheVisitBeforeEnded) {
  EnteredChain chain;
  for (std::uint64_t visit = 1; visit < 5; ++visit) {
    chain.measurement.run(chain.member, Reps{3});
    chain.measurement.rest(chain.member);
    EXPECT_EQ(chain.measurement.position(), visit * 3 * 64 % 1024);
  }
}

TEST(MainMemoryLatency, SaysHowLargeItsRangeIs) {
  constexpr std::size_t most = std::size_t{64} << 20U;
  if (outer_cache() > most) GTEST_SKIP() << "the range follows the outer cache, and would take gigabytes here";
  const auto one = test::run_named("memory/main_latency", {}, {}, Reps{10});
  EXPECT_GT(one.value("latency"), 0);
  EXPECT_GE(one.value("range"), std::max<double>(64 << 20, 4.0 * static_cast<double>(outer_cache())))
      << "twice the outer cache in lines, with a place in every second one";
}

TEST(MemoryLatency, IsHadInEveryOrder) {
  for (const std::string& order : MemoryLatency::orders())
    EXPECT_GT(test::run_named("memory/latency", {}, {{"size", std::int64_t{65536}}, {"order", order}}, Reps{100})
                  .value("latency"),
              0)
        << order;
}

TEST(MemoryLatency, HasHugePagesOrSaysWhyNot) {
  test::PointSetup setup(point(Pages::huge_size, 128, "random", "huge"), 1);
  std::atomic<std::int64_t> beats{0};
  Member member(0, 1, Stopwatch(), beats);
  MemoryLatency measurement(setup);
  try {
    measurement.enter(member);
  } catch (const Unsupported& why) {
    EXPECT_THAT(why.what(), HasSubstr("huge"));
  }
  const Pages small(Pages::huge_size, PageKind::small);
  std::fill_n(small.begin(), small.size(), std::byte{1});
  EXPECT_EQ(huge_bytes_of(small), 0U) << "none where none were asked for";
}

TEST(MemoryLatency, RefusesPlacesThatCannotBe) {
  const auto made = [](std::int64_t size, std::int64_t stride) {
    test::PointSetup setup(point(size, stride), 1);
    MemoryLatency measurement(setup);
  };
  EXPECT_THAT([&] { made(1024, 24); }, ThrowsMessage<Unsupported>(HasSubstr("choose a multiple")));
  EXPECT_THAT([&] { made(8192, 4096 + 128); }, ThrowsMessage<Unsupported>(HasSubstr("whole pages")));
  EXPECT_THAT([&] { made(1000, 128); }, ThrowsMessage<Unsupported>(HasSubstr("no multiple of the stride")));
  EXPECT_THAT([&] { made(std::int64_t{1} << 61, std::int64_t{1} << 40); },
              ThrowsMessage<Unsupported>(HasSubstr("the places of a chain")));
}

}  // namespace
}  // namespace assay
