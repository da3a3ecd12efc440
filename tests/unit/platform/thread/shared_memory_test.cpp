// SPDX-License-Identifier: Apache-2.0
// Pieces of shared memory, and words in it that processes and threads sleep on.
#include "platform/thread/shared_memory.hpp"

#include <gtest/gtest.h>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <new>
#include <thread>

#include "base/error.hpp"
#include "platform/topology/topology.hpp"
#include "unit/platform/support.hpp"

namespace assay {
namespace {

using Word = std::atomic<std::uint32_t>;

TEST(SharedMemory, SettlesOnAMemoryNodeOrSaysWhyNot) {
  const MachineTree tree = Topology::this_machine().tree();
  const auto nodes = TreePaths(tree).memories();
  ASSERT_FALSE(nodes.empty());
  SharedMemory memory(1 << 16);
  try {
    memory.settle(nodes.front());
  } catch (const PlatformError& error) {
    GTEST_SKIP() << error.what();  // a container may forbid it
  }
  int node = -1;
  ASSERT_EQ(::syscall(SYS_get_mempolicy, &node, nullptr, 0UL, memory.allocate(8, 8), MPOL_F_NODE | MPOL_F_ADDR), 0);
  EXPECT_EQ(node, nodes.front());
}

TEST(SharedMemory, DoesNotSettleOnANodeThatIsNotThere) {
  SharedMemory memory(1 << 16);
  EXPECT_THROW(memory.settle(1000), PlatformError);
  EXPECT_THROW(memory.settle(-1), PlatformError);
}

TEST(SharedMemory, PiecesAreAlignedZeroedAndApart) {
  SharedMemory memory(1 << 16);
  auto* const first = static_cast<unsigned char*>(memory.allocate(3, 1));
  auto* const second = static_cast<unsigned char*>(memory.allocate(100, 64));
  auto* const third = static_cast<unsigned char*>(memory.allocate(8, 4096));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second) % 64, 0U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(third) % 4096, 0U);
  EXPECT_GE(second, first + 3);
  EXPECT_GE(third, second + 100);
  EXPECT_TRUE(std::all_of(second, second + 100, [](unsigned char byte) { return byte == 0; }));
}

TEST(SharedMemory, IsSharedWithAForkedChild) {
  SharedMemory memory(4096);
  auto* const number = new (memory.allocate(sizeof(int), alignof(int))) int(1);
  EXPECT_EQ(test::exit_of_child([&] { return ++*number; }), 2);
  EXPECT_EQ(*number, 2);
}

TEST(SharedMemory, ReserveCanBeUsedUpToTheLastByte) {
  SharedMemory memory(4096);
  std::memset(memory.allocate(4096, 64), 1, 4096);
  EXPECT_THROW(memory.allocate(1, 1), std::bad_alloc);
}

TEST(SharedMemory, FailedAllocationTakesNothing) {
  SharedMemory memory(4096);
  memory.allocate(1, 1);
  EXPECT_THROW(memory.allocate(4096, 1), std::bad_alloc);
  EXPECT_THROW(memory.allocate(std::numeric_limits<std::size_t>::max(), 64), std::bad_alloc);
  EXPECT_THROW(memory.allocate(1, 4096), std::bad_alloc);
  EXPECT_NO_THROW(memory.allocate(4095, 1));
}

// Pages of this process that are in memory.
long resident_pages() {
  long all = 0;
  long resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident;
}

TEST(SharedMemory, LargeReserveCostsNoMemory) {
  const long before = resident_pages();
  SharedMemory memory(std::size_t{1} << 34);
  auto* const piece = static_cast<char*>(memory.allocate(std::size_t{1} << 33, 4096));
  piece[(std::size_t{1} << 33) - 1] = 1;
  EXPECT_GT(before, 0);
  EXPECT_LT(resident_pages() - before, 1000) << "of two million that were taken";
}

TEST(SharedMemory, ImpossibleReserveIsRefused) {
  EXPECT_THROW(SharedMemory(0), PlatformError);
  EXPECT_THROW(SharedMemory(std::numeric_limits<std::size_t>::max() / 2), PlatformError);
}

TEST(Futex, ReturnsAtOnceWhenTheWordDiffers) {
  const Word word{1};
  wait_while_equal(word, 0);
  EXPECT_EQ(word, 1U) << "and nobody woke it";
}

TEST(Futex, WakesEveryThread) {
  Word word{0};
  std::atomic<int> ids[2] = {0, 0};
  const auto sleep = [&](int i) {
    ids[i] = test::thread_id();
    wait_while_equal(word, 0);
  };
  std::thread first(sleep, 0);
  std::thread second(sleep, 1);
  for (auto& id : ids) {
    while (id == 0) std::this_thread::yield();
    test::await_sleep(::getpid(), id);
  }
  word = 1;
  wake_all(word);
  first.join();
  second.join();
}

TEST(Futex, StrayWakeDoesNotEndTheWait) {
  Word word{0};
  std::atomic<int> id{0};
  std::atomic<bool> returned{false};
  std::thread sleeper([&] {
    id = test::thread_id();
    wait_while_equal(word, 0);
    returned = true;
  });
  while (id == 0) std::this_thread::yield();
  for (int i = 0; i < 10; ++i) {
    test::await_sleep(::getpid(), id);
    wake_all(word);
    EXPECT_FALSE(returned);
  }
  word = 1;
  wake_all(word);
  sleeper.join();
}

TEST(Futex, WorksAcrossProcesses) {
  SharedMemory memory(4096);
  auto* const word = new (memory.allocate(sizeof(Word), alignof(Word))) Word(0);
  const int parent = static_cast<int>(::getpid());
  const int waiting = test::thread_id();
  const pid_t child = ::fork();
  if (child == 0) {
    test::await_sleep(parent, waiting);
    *word = 7;
    wake_all(*word);
    ::_exit(0);
  }
  wait_while_equal(*word, 0);
  EXPECT_EQ(*word, 7U);
  ::waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace assay
