// SPDX-License-Identifier: Apache-2.0
// Locks that poll in the order of arrival: one holder at a time, nobody overtaken, and cohorts by memory node.
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <thread>
#include <vector>

#include "lock/kinds.hpp"
#include "support/measurements/channel_pair.hpp"
#include "support/measurements/point_setup.hpp"

namespace assay {
namespace {

// What the lock protects: two counters that no lock leaves different.
struct Protected {
  std::int64_t first = 0;
  std::int64_t second = 0;
  bool is_torn = false;

  void change() {
    is_torn |= first != second;
    ++first;
    clobber();
    ++second;
  }
};

template <class Use>
void in_threads(int count, Use use) {
  const std::vector<int> cpus = test::usable_cpus();
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank)
    threads.emplace_back([&, rank] {
      const test::BoundTo bound(cpus[static_cast<std::size_t>(rank) % cpus.size()]);
      use(rank);
    });
  for (std::thread& thread : threads) thread.join();
}

template <AnyLock L>
void expect_exclusive(int members, int times) {
  test::PointSetup setup(Point(), members);
  auto& object = setup.share<typename L::Object>(setup);
  Protected both;
  in_threads(members, [&](int rank) {
    LockOf<L> lock(object, rank);
    lock.enter();
    for (int i = 0; i < times; ++i) {
      EXPECT_EQ(lock.lock(), 0);
      both.change();
      EXPECT_EQ(lock.unlock(), 0);
    }
  });
  EXPECT_FALSE(both.is_torn);
  EXPECT_EQ(both.first, std::int64_t{members} * times);
}

class FairLocks : public test::Watched {
 protected:
  // Who share a CPU hand over once per time slice.
  static int times(int members) { return std::ssize(test::usable_cpus()) >= members ? 4'000 : 40; }
};

TEST_F(FairLocks, HaveOneHolderAtATime) {
  for (const int members : {1, 2, 3}) {
    expect_exclusive<TicketLock>(members, times(members));
    for_each_placed_lock([&]<PlacedLock L>(const char* word) {
      if (L::exclusive && (!std::string(word).starts_with("ck-") || assay_ck_is_here() != 0)) {
        SCOPED_TRACE(std::string(word) + " of " + std::to_string(members));
        expect_exclusive<L>(members, times(members));
      }
    });
  }
}

// The last to come waits first, so that a lock without order would be his at once.
template <class Await>
std::vector<int> order_of_three(Await await) {
  std::vector<int> order;
  std::atomic<int> waiting{0};
  std::array<std::thread, 3> threads;
  for (int rank = 2; rank >= 0; --rank) {
    threads[static_cast<std::size_t>(rank)] = std::thread([&, rank] {
      ++waiting;
      await(rank, order);
    });
    while (waiting != 3 - rank) ::sched_yield();
  }
  for (std::thread& thread : threads) thread.join();
  return order;
}
const std::vector<int> as_they_came{0, 1, 2};

TEST_F(FairLocks, ATicketLockServesInTheOrderOfItsNumbers) {
  TicketLock lock;
  lock.acquire();
  EXPECT_FALSE(lock.is_wanted());
  std::array<std::uint32_t, 3> numbers{};
  for (std::uint32_t& number : numbers) number = lock.take();
  EXPECT_TRUE(lock.is_wanted());
  lock.release();
  EXPECT_EQ(order_of_three([&](int rank, std::vector<int>& order) {
              lock.await(numbers[static_cast<std::size_t>(rank)]);
              order.push_back(rank);
              lock.release();
            }),
            as_they_came);
}

template <class L>
std::vector<int> order_of_queue() {
  test::PointSetup setup(Point(), 4);
  auto& lock = setup.share<L>(setup);
  L::lock(lock, lock.place(3));
  for (int rank = 0; rank < 3; ++rank) L::queue(lock, lock.place(rank));
  L::unlock(lock, lock.place(3));
  return order_of_three([&](int rank, std::vector<int>& order) {
    L::await(lock.place(rank));
    order.push_back(rank);
    L::unlock(lock, lock.place(rank));
  });
}

TEST_F(FairLocks, QueuesServeInTheOrderOfArrival) {
  EXPECT_EQ(order_of_queue<McsLock>(), as_they_came);
  EXPECT_EQ(order_of_queue<ClhLock>(), as_they_came);
}

TEST_F(FairLocks, WithoutTheLibraryItsLocksSaySo) {
  if (assay_ck_is_here() != 0) GTEST_SKIP() << "the program was built with Concurrency Kit";
  test::PointSetup setup(Point(), 1);
  EXPECT_THROW(CkMcs lock(setup), Unsupported);
}

TEST_F(FairLocks, AQueueThatWasLeftIsEmpty) {
  test::PointSetup setup(Point(), 2);
  auto& lock = setup.share<McsLock>(setup);
  McsLock::lock(lock, lock.place(0));
  EXPECT_TRUE(McsLock::queue(lock, lock.place(1)));
  McsLock::unlock(lock, lock.place(0));
  McsLock::await(lock.place(1));
  McsLock::unlock(lock, lock.place(1));
  EXPECT_FALSE(McsLock::queue(lock, lock.place(0))) << "nobody is before";
  McsLock::unlock(lock, lock.place(0));
}

TEST_F(FairLocks, MembersOfOneMemoryNodeAreOneCohort) {
  test::PointSetup setup(Point(), 4);
  auto& lock = setup.share<CohortLock>(setup);
  EXPECT_EQ(lock.cohorts(), 0U);
  for (const auto& [rank, node] : {std::pair{0, 7}, std::pair{1, 0}, std::pair{2, 7}, std::pair{3, 7}})
    lock.join(lock.place(rank), node);
  EXPECT_EQ(lock.cohorts(), 2U);
  EXPECT_EQ(lock.place(0).cohort, lock.place(2).cohort);
  EXPECT_EQ(lock.place(0).cohort, lock.place(3).cohort);
  EXPECT_NE(lock.place(0).cohort, lock.place(1).cohort);
}

TEST_F(FairLocks, CohortsExcludeEachOtherAsTheirMembersDo) {
  for (const int members : {2, 3, 4}) {
    test::PointSetup setup(Point(), members);
    auto& lock = setup.share<CohortLock>(setup);
    Protected both;
    in_threads(members, [&, all = times(members)](int rank) {
      auto& place = lock.place(rank);
      lock.join(place, rank % 2);
      for (int i = 0; i < all; ++i) {
        CohortLock::lock(lock, place);
        both.change();
        CohortLock::unlock(lock, place);
      }
    });
    EXPECT_FALSE(both.is_torn) << members;
    EXPECT_EQ(both.first, std::int64_t{members} * times(members));
  }
}

// A member of the same node goes before one of another node that came first, until it has been so often.
TEST_F(FairLocks, ACohortKeepsTheLockForSoManyPassesOnly) {
  test::PointSetup setup(Point(), 2);
  auto& lock = setup.share<CohortLock>(setup);
  lock.join(lock.place(0), 0);
  lock.join(lock.place(1), 0);
  auto& local = lock.place(0).cohort->lock;
  for (int pass = 0; pass <= CohortLock::most_passes + 1; ++pass) {
    CohortLock::lock(lock, lock.place(0));
    const std::uint32_t next = local.take();  // another of the node waits
    CohortLock::unlock(lock, lock.place(0));
    local.await(next);
    EXPECT_EQ(lock.place(0).cohort->has_global, pass % (CohortLock::most_passes + 1) != CohortLock::most_passes)
        << pass;
    local.release();
  }
}

}  // namespace
}  // namespace assay
