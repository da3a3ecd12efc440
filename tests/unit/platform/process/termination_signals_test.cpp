// SPDX-License-Identifier: Apache-2.0
// Requests to stop wait until they are asked for; a second one does not.
#include "platform/process/termination_signals.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace assay {
namespace {

TEST(TerminationSignals, NothingIsRequestedWhenNothingCame) {
  TerminationSignals signals;
  EXPECT_FALSE(signals.requested());
  EXPECT_EQ(signals.received(), 0);
}

TEST(TerminationSignals, ASignalWaitsAndStaysRequested) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    TerminationSignals signals;
    std::raise(number);
    EXPECT_TRUE(signals.requested());
    EXPECT_TRUE(signals.requested());
    EXPECT_EQ(signals.received(), number);
  }
}

TEST(TerminationSignals, FinishingIsNotStopping) {
  TerminationSignals signals;
  std::raise(SIGUSR1);
  EXPECT_FALSE(signals.requested());
  EXPECT_TRUE(signals.finish_requested());
  EXPECT_EQ(signals.received(), 0);
  std::raise(SIGTERM);
  EXPECT_TRUE(signals.requested());
  EXPECT_EQ(signals.received(), SIGTERM);
}

TEST(TerminationSignals, StoppingIsFinishingToo) {
  TerminationSignals signals;
  EXPECT_FALSE(signals.finish_requested());
  std::raise(SIGTERM);
  EXPECT_TRUE(signals.finish_requested());
}

TEST(TerminationSignals, TheDescriptorTellsOfASignal) {
  TerminationSignals signals;
  const auto readable = [&] {
    pollfd watched{signals.descriptor(), POLLIN, 0};
    return ::poll(&watched, 1, 0) == 1;
  };
  EXPECT_FALSE(readable());
  std::raise(SIGUSR1);
  EXPECT_TRUE(readable());
  EXPECT_FALSE(signals.requested());
  EXPECT_FALSE(readable()) << "a visit in flight would be asked about it without end";
}

TEST(TerminationSignals, AReaderThatIsGoneIsAnError) {
  TerminationSignals signals;
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  EXPECT_EQ(::write(ends[1], "x", 1), -1);
  EXPECT_EQ(errno, EPIPE);
  ::close(ends[1]);
}

TEST(TerminationSignals, F40_a_hang_up_that_was_ignored_stays_so) {
  const auto previous = std::signal(SIGHUP, SIG_IGN);
  {
    TerminationSignals signals;
    std::raise(SIGHUP);
    EXPECT_FALSE(signals.requested()) << "nohup asked for it";
  }
  std::signal(SIGHUP, previous);
}

TEST(TerminationSignals, ASecondSignalEndsTheProcess) {
  const auto twice = [] {
    TerminationSignals signals;
    std::raise(SIGTERM);
    if (signals.requested()) std::raise(SIGTERM);
  };
  EXPECT_EXIT(twice(), ::testing::KilledBySignal(SIGTERM), "");
}

TEST(TerminationSignals, OneThatNobodyAskedForHasItsEffectInTheEnd) {
  const auto ignored = [] {
    {
      TerminationSignals signals;
      std::raise(SIGINT);
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(ignored(), ::testing::KilledBySignal(SIGINT), "");
}

TEST(TerminationSignals, EndingByASignalWorksWhileItIsHeldBack) {
  const auto end = [] {
    TerminationSignals signals;
    end_by_signal(SIGINT);
  };
  EXPECT_EXIT(end(), ::testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace assay
