// SPDX-License-Identifier: Apache-2.0
// Semaphores of System V: they count, and what a killed process left is removed, and nothing else.
#include "lock/sysv_semaphore.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <memory>
#include <optional>

namespace assay {
namespace {

bool exists(int id) { return ::semctl(id, 0, GETVAL) >= 0; }

class SysvSemaphores : public testing::Test {
 protected:
  void SetUp() override {
    try {
      SysvSemaphore first(0);
    } catch (const Unsupported& refusal) {
      GTEST_SKIP() << refusal.what();
    }
  }
};

TEST_F(SysvSemaphores, CountAndAreGoneWithTheirOwner) {
  int id = -1;
  {
    SysvSemaphore semaphore(1);
    id = semaphore.id();
    EXPECT_EQ(semaphore.wait(), 0);
    EXPECT_EQ(::semctl(id, 0, GETVAL), 0);
    EXPECT_EQ(semaphore.post(), 0);
    EXPECT_EQ(semaphore.post(), 0);
    EXPECT_EQ(::semctl(id, 0, GETVAL), 2);
  }
  EXPECT_FALSE(exists(id));
}

TEST_F(SysvSemaphores, OneThatAKilledProcessLeftIsRemovedWithTheNext) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const SysvSemaphore left(1);
    const int id = left.id();
    if (::write(ends[1], &id, sizeof id) != sizeof id) ::_exit(1);
    ::kill(::getpid(), SIGKILL);
  }
  int id = -1;
  ASSERT_EQ(::read(ends[0], &id, sizeof id), static_cast<ssize_t>(sizeof id));
  ::waitpid(child, nullptr, 0);
  for (const int end : ends) ::close(end);
  EXPECT_TRUE(exists(id));
  const SysvSemaphore next(1);
  EXPECT_FALSE(exists(id) && id != next.id());
}

TEST_F(SysvSemaphores, OfLivingProcessesAndOfOthersStay) {
  const SysvSemaphore own(1);
  const int foreign = ::semget(IPC_PRIVATE, 1, 0600);
  ASSERT_GE(foreign, 0);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(::semctl(foreign, 0, SETVAL, 1) == 0 ? 0 : 1);
  ::waitpid(child, nullptr, 0);  // what used it last is gone
  SysvSemaphore::remove_left();
  EXPECT_TRUE(exists(own.id()));
  EXPECT_TRUE(exists(foreign));
  ::semctl(foreign, 0, IPC_RMID);
}

}  // namespace
}  // namespace assay
