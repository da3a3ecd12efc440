// SPDX-License-Identifier: Apache-2.0
// Scheduling policies by name: taken by one thread, read back, refused without permission.
#include "platform/thread/scheduling.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>

namespace assay {
namespace {

TEST(Scheduling, APolicyHoldsForTheCallingThreadOnly) {
  const std::string before = policy_of_self();
  std::string taken;
  std::thread([&] {
    EXPECT_TRUE(take_policy("batch"));
    taken = policy_of_self();
  }).join();
  EXPECT_EQ(taken, "batch");
  EXPECT_EQ(policy_of_self(), before);
}

TEST(Scheduling, InheritedLeavesItAsItIs) {
  std::string kept;
  std::thread([&] {
    take_policy("batch");
    EXPECT_TRUE(take_policy(inherited_policy));
    kept = policy_of_self();
  }).join();
  EXPECT_EQ(kept, "batch");
}

TEST(Scheduling, AnUnknownWordIsAnError) { EXPECT_THROW(take_policy("fast"), std::invalid_argument); }

TEST(Scheduling, RealTimeIsTakenOrRefusedButNeverAnError) {
  std::thread([] {
    for (const std::string word : {"fifo", "rr"}) {
      if (take_policy(word)) {
        EXPECT_EQ(policy_of_self(), word);
      } else {
        EXPECT_NE(policy_of_self(), word);
      }
    }
  }).join();
}

// A user without permission: no real-time priority and no privilege to take one.
TEST(Scheduling, WithoutPermissionRealTimeIsRefused) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit none{0, 0};
    const bool weak =
        ::setrlimit(RLIMIT_RTPRIO, &none) == 0 && (::geteuid() != 0 || ::setresuid(65534, 65534, 65534) == 0);
    ::_exit(!weak ? 2 : take_policy("fifo") ? 1 : 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WEXITSTATUS(status) == 2) GTEST_SKIP() << "this process cannot give up its permission";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace assay
