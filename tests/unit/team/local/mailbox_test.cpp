// SPDX-License-Identifier: Apache-2.0
// Milestones, and the layout of a mailbox.
#include "team/local/mailbox.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "base/error.hpp"
#include "platform/thread/shared_memory.hpp"

namespace assay {
namespace {

class TeamMailbox : public testing::Test {
 protected:
  SharedMemory memory_{mailbox_size(3)};
  Mailbox& mailbox_ = make_mailbox(memory_, 3, false);

  template <class E>
  void fail(int rank, const E& error) {
    try {
      throw error;
    } catch (...) {
      write_failure(mailbox_.slots[rank]);
    }
  }
};

const std::atomic<bool> polling{true};
const std::atomic<bool> asleep{false};

TEST(TeamMilestone, WaitingReturnsTheNewNumberSpinningOrAsleep) {
  for (const bool may_poll : {true, false}) {
    const std::atomic<bool> polls{may_poll};
    Milestone milestone;
    std::uint32_t got = 0;
    std::thread waiter([&] { got = wait_beyond(milestone, 0, polls); });
    announce(milestone, 7);
    waiter.join();
    EXPECT_EQ(got, 7U);
    EXPECT_EQ(wait_beyond(milestone, 6, polls), 7U);
  }
}

TEST(TeamMilestone, ThousandsOfHandOversLoseNoWakeUp) {
  constexpr std::uint32_t rounds = 5000;
  Milestone there;
  Milestone back;
  std::thread echo([&] {
    for (std::uint32_t i = 0; i < rounds; ++i) announce(back, wait_beyond(there, i, asleep));
  });
  for (std::uint32_t i = 0; i < rounds; ++i) {
    announce(there, i + 1);
    ASSERT_EQ(wait_beyond(back, i, asleep), i + 1);
  }
  echo.join();
}

TEST(TeamMilestone, TheCensusCountsSleepersWithoutWakingThem) {
  Milestone milestone;
  std::vector<std::thread> waiters;
  for (int i = 0; i < 3; ++i)
    waiters.emplace_back([&milestone, i] { wait_beyond(milestone, 0, i == 1 ? polling : asleep); });
  wait_for_sleepers(milestone, 3, false);
  EXPECT_EQ(milestone.sleepers, 3U);
  announce(milestone, 1);
  for (std::thread& waiter : waiters) waiter.join();
  EXPECT_EQ(milestone.sleepers, 0U);
  wait_for_sleepers(milestone, 0, false);
}

TEST(TeamMilestone, WhoPollsGoesToSleepWhenToldTo) {
  Milestone milestone;
  std::atomic<bool> polls{true};
  std::thread waiter([&] { wait_beyond(milestone, 0, polls); });
  polls = false;
  wait_for_sleepers(milestone, 1, true);
  EXPECT_EQ(milestone.sleepers, 1U);
  announce(milestone, 1);
  waiter.join();
}

TEST_F(TeamMailbox, KeepsWritersOnLinesOfTheirOwn) {
  const auto distance = [](const void* a, const void* b) {
    return std::abs(static_cast<const char*>(a) - static_cast<const char*>(b));
  };
  const auto line = static_cast<std::ptrdiff_t>(line_size);
  EXPECT_GE(distance(&mailbox_.heartbeats[0], &mailbox_.heartbeats[1]), line);
  EXPECT_GE(distance(&mailbox_.lines.places[0].there, &mailbox_.lines.places[0].back), line);
  EXPECT_GE(distance(&mailbox_.slots[0].entered, &mailbox_.slots[0].done), line);
  EXPECT_GE(distance(&mailbox_.slots[0].report, &mailbox_.slots[1].entered), line);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&mailbox_.slots[1].done) % line_size, 0U);
  EXPECT_EQ(mailbox_.lease.number.value, 1U);
}

TEST_F(TeamMailbox, NoFailureThrowsNothing) {
  EXPECT_FALSE(any_failed(mailbox_));
  EXPECT_NO_THROW(throw_failure(mailbox_));
}

TEST_F(TeamMailbox, FailuresComeBackAsWhatTheyWere) {
  fail(2, Unsupported("no such thing", "N7"));
  try {
    throw_failure(mailbox_);
    FAIL();
  } catch (const Unsupported& error) {
    EXPECT_STREQ(error.what(), "no such thing");
    EXPECT_EQ(error.code(), "N7");
  }
  fail(1, PlatformError("opening the door", ENOENT));
  try {
    throw_failure(mailbox_);
    FAIL();
  } catch (const PlatformError& error) {
    EXPECT_EQ(error.what(), std::string(PlatformError("opening the door", ENOENT).what()));
    EXPECT_EQ(error.error_number(), ENOENT);
  }
}

TEST_F(TeamMailbox, OnlyTheFirstFailureOfAMemberIsKept) {
  fail(1, std::runtime_error("the cause"));
  write_death(mailbox_.slots[1], "exited 1");
  fail(2, PlatformError("opening", ENOENT));
  fail(2, PlatformError("closing", EBADF));
  EXPECT_EQ(why_of(mailbox_.slots[2]), PlatformError("opening", ENOENT).what());
  EXPECT_EQ(why_of(mailbox_.slots[0]), "");
  try {
    throw_failure(mailbox_);
    FAIL();
  } catch (const MemberFailed& error) {
    EXPECT_EQ(error.rank(), 1);
    EXPECT_STREQ(error.what(), "member 1: the cause");
  }
}

TEST_F(TeamMailbox, WhatIsNoExceptionSaysSo) {
  fail(1, 42);
  EXPECT_NE(std::strstr(mailbox_.slots[1].why, "not a std::exception"), nullptr);
}

TEST_F(TeamMailbox, LongTextsAreCutBetweenCharacters) {
  std::string text(253, 'x');
  text += "\xC3\xA4\xC3\xA4";  // two letters of two bytes: the second ends past the room
  fail(1, std::runtime_error(text));
  EXPECT_EQ(std::string(mailbox_.slots[1].why), text.substr(0, 255));
  fail(2, std::runtime_error("x" + text));
  EXPECT_EQ(std::string(mailbox_.slots[2].why), "x" + text.substr(0, 253));
}

TEST_F(TeamMailbox, TheVictimIsNotToBlame) {
  const auto blamed = [&] {
    try {
      throw std::runtime_error("broken pipe");
    } catch (...) {
      return blame(mailbox_);
    }
  };
  EXPECT_EQ(blamed().rank(), 0);
  EXPECT_STREQ(blamed().what(), "member 0: broken pipe");
  fail(2, std::runtime_error("the cause"));
  EXPECT_STREQ(blamed().what(), "member 2: the cause");
}

TEST_F(TeamMailbox, TheAlarmEndsEveryWait) {
  std::thread entered([&] { wait_beyond(mailbox_.slots[1].entered, 0, asleep); });
  std::thread done([&] { wait_beyond(mailbox_.slots[2].done, 0, asleep); });
  sound_alarm(mailbox_);
  entered.join();
  done.join();
}

}  // namespace
}  // namespace assay
