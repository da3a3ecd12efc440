// SPDX-License-Identifier: Apache-2.0
// Locks used by one member alone: every kind runs, arrays are passed lock by lock, and what cannot be is refused.
#include <gtest/gtest.h>

#include "ck/calls.hpp"
#include "support/measurements/one_batch.hpp"
#include "support/measurements/point_setup.hpp"
#include "sync/uncontended.hpp"

namespace assay {
namespace {

TEST(Uncontended, EveryKindOfLockHasAPairAndARing) {
  Registry registry;
  register_all(registry);
  for (const std::string name : {"sync/lock", "sync/lock_ring_alone", "sync/lock_array"}) {
    const auto& words = registry.find(name)->description.factors.front().words;
    // Of those whose members queue, one is held at a time.
    EXPECT_EQ(words.size(), name == "sync/lock" ? 19U : 13U) << name;
    for (const std::string& word : words) {
      if (word == "mutex-pp" || (word.starts_with("ck-") && assay_ck_is_here() == 0)) continue;
      SCOPED_TRACE(name + " " + word);
      const auto one = test::run_named(name, {}, {{"lock", word}}, Reps{300});
      for (const Quantity& quantity : one.description.quantities) EXPECT_GT(one.value(quantity.name), 0);
    }
  }
}

TEST(Uncontended, ACeilingNeedsARealTimePolicy) {
  for (const std::string name : {"sync/lock", "sync/lock_ring_alone", "sync/lock_array"}) {
    try {
      test::run_named(name, {}, {{"lock", std::string("mutex-pp")}}, Reps{1});
      ADD_FAILURE() << name;
    } catch (const Unsupported& refusal) {
      EXPECT_EQ(refusal.code(), "N8") << name;
    }
  }
}

// A lock that writes down what is done to it.
struct Recorded {
  struct Object {
    explicit Object(const Setup&) {}
    int locked = 0;
    int unlocked = 0;
    bool held = false;
  };
  static constexpr Waiting waiting = Waiting::none;
  static constexpr bool exclusive = true;
  static int lock(Object& object) {
    ++object.locked;
    return std::exchange(object.held, true);
  }
  static int unlock(Object& object) {
    ++object.unlocked;
    return !std::exchange(object.held, false);
  }
};
static_assert(Lock<Recorded>);

TEST(LockRow, LocksLieAtTheirStrideAndEachPageIsMoved) {
  const RowShape shape{.count = 200, .stride = 64, .skew = 64};
  EXPECT_EQ(shape.offset(63), 63U * 64);
  EXPECT_EQ(shape.offset(64), 4096U + 64);
  EXPECT_EQ(shape.offset(128), 2 * (4096U + 64));
  EXPECT_EQ(shape.bytes(40), 199U * 64 + 3 * 64 + 40);
  const RowShape pages{.count = 3, .stride = 4096, .skew = 0};
  EXPECT_EQ(pages.offset(2), 8192U);
}

TEST(LockRow, EachLockIsAnObjectOfItsOwn) {
  test::PointSetup setup(Point(), 1);
  alignas(line_size) std::array<std::byte, 1024> memory{};
  LockRow<Recorded> row(setup, memory.data(), {.count = 8});
  for (std::size_t i = 0; i < row.size(); ++i) {
    try_out<Recorded>(row[i]);
    for (std::size_t lock = 0; lock < i; ++lock) Recorded::lock(row[i]);
  }
  for (std::size_t i = 0; i < row.size(); ++i) EXPECT_EQ(row[i].locked, 1 + static_cast<int>(i));
}

TEST(LockArray, ImpossibleArraysAreRefused) {
  const auto refused = [](std::int64_t locks, std::int64_t stride, std::int64_t skew) {
    EXPECT_THROW(
        test::run_named("sync/lock_array", {}, {{"locks", locks}, {"stride", stride}, {"skew", skew}}, Reps{1}),
        Unsupported)
        << locks << " " << stride << " " << skew;
  };
  refused(0, 64, 64);
  refused(8, 8, 64);
  refused(8, 65, 64);
  refused(8, 64, 3);
  refused(std::int64_t{1} << 40, 64, 64);
}

TEST(LockArray, RepetitionsThatAreNoMultipleOfTheArrayAreCounted) {
  const auto one = test::run_named("sync/lock_array", {}, {{"locks", std::int64_t{64}}}, Reps{100});
  EXPECT_GT(one.value("lock"), 0);
  EXPECT_LT(one.value("lock"), 100'000);
}

}  // namespace
}  // namespace assay
