// SPDX-License-Identifier: Apache-2.0
// Signals and faults are as many as claimed; handlers and masks are afterwards what they were.
#include <gtest/gtest.h>

#include <csignal>

#include "os/signal.hpp"
#include "support/measurements/one_batch.hpp"
#include "support/measurements/point_setup.hpp"
#include "support/programs/own_process.hpp"

namespace assay {
namespace {

struct SignalAlone {
  std::atomic<std::int64_t> beats{0};
  Member member{0, 1, Stopwatch(), beats};
};

template <class M>
std::unique_ptr<M> made() {
  test::PointSetup setup({}, 1);
  return std::make_unique<M>(setup);
}

void mine(int) {}

TEST(SelfSignals, NetIsWhatASignalTakesLongerThanLooking) {
  const auto one = test::run_named("os/signal_handle", {}, {}, Reps{200});
  EXPECT_NEAR(one.value("net"), one.value("sent") - one.value("checked"), 1e-6);
  EXPECT_GT(one.value("checked"), 0);
  EXPECT_GT(test::run_named("os/signal_install", {}, {}, Reps{200}).value("time"), 0);
}

TEST(SelfSignals, OneThatIsNotHandledIsNoNumber) {
  SignalAlone alone;
  const auto handle = made<SignalHandle>();
  handle->enter(alone.member);
  EXPECT_NO_THROW(handle->run(alone.member, Reps{7}));
  ::signal(SIGUSR2, SIG_IGN);
  EXPECT_THROW(handle->run(alone.member, Reps{7}), std::logic_error);
  handle->leave(alone.member);
}

TEST(SelfSignals, ActionAndMaskAreWhatTheyWere) {
  EXPECT_EQ(test::in_own_process([] {
              SignalAlone alone;
              ::signal(SIGUSR2, mine);
              ::signal(SIGSEGV, mine);
              sigset_t blocked, after;
              sigemptyset(&blocked);
              sigaddset(&blocked, SIGUSR2);
              ::sigprocmask(SIG_SETMASK, &blocked, nullptr);
              made<SignalInstall>()->run(alone.member, Reps{3});
              const auto fault = made<ProtectionFault>();
              fault->enter(alone.member);
              fault->run(alone.member, Reps{3});
              fault->leave(alone.member);
              ::sigprocmask(SIG_SETMASK, nullptr, &after);
              EXPECT_TRUE(sigismember(&after, SIGUSR2));
              EXPECT_EQ(::signal(SIGUSR2, SIG_DFL), mine);
              EXPECT_EQ(::signal(SIGSEGV, SIG_DFL), mine);
            }),
            0);
}

TEST(ProtectionFaults, AreAsManyAsRepetitions) {
  SignalAlone alone;
  const auto fault = made<ProtectionFault>();
  fault->enter(alone.member);
  for (const std::int64_t reps : {1, 2, 7}) {
    const std::int64_t before = ProtectedPage::handled();
    const Claims claims = fault->run(alone.member, Reps{reps});
    EXPECT_EQ(ProtectedPage::handled() - before, reps);
    EXPECT_GT(claims[ProtectionFault::fault], 0);
    EXPECT_NEAR(claims[ProtectionFault::net], claims[ProtectionFault::fault] - claims[ProtectionFault::signal], 1e-6);
  }
  fault->leave(alone.member);
}

TEST(ProtectionFaults, AFaultOfSomebodyElseStillEndsTheProcess) {
  if (ASSAY_SANITIZED) GTEST_SKIP() << "the sanitizer has its own say in such faults";
  const int status = test::in_own_process([] {
    const ProtectedPage page;
    void* const other = ::mmap(nullptr, 1, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *static_cast<volatile char*>(other) = 1;
  });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV) << status;
}

}  // namespace
}  // namespace assay
