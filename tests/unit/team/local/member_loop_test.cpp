// SPDX-License-Identifier: Apache-2.0
// The protocol between member 0 and the others, step by step.
#include "team/local/member_loop.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "unit/team/fixtures.hpp"

namespace assay::team_test {
namespace {

class MemberLoop : public testing::Test {
 protected:
  SharedMemory memory_{mailbox_size(2)};
  Mailbox& mailbox_ = make_mailbox(memory_, 2, false);
  Member first_{0, 2, Stopwatch(), mailbox_.heartbeats[0].beats};
  Member second_{1, 2, Stopwatch(), mailbox_.heartbeats[1].beats};
};

// Notes what is called, in order.
class Diary final : public Measurement {
 public:
  void enter(Member&) override { text += "enter "; }
  Claims run(Member& member, Reps reps) override {
    text += "run" + std::to_string(reps.count) + " ";
    member.beat();
    if (reps.count == 13) throw std::runtime_error("thirteen");
    return Nanoseconds{static_cast<double>(reps.count)};
  }
  void leave(Member&) override { text += "leave "; }
  std::string text;
};

TEST_F(MemberLoop, ServesLeasesInOrderUntilToldToLeave) {
  Diary diary;
  bool orderly = false;
  std::thread other([&] {
    report_in_place(1, mailbox_);
    orderly = serve(diary, second_, 1, mailbox_);
  });
  collect(mailbox_);
  publish(mailbox_, Command::enter, Reps{0});
  collect(mailbox_);
  for (const std::int64_t reps : {5, 2}) {
    publish(mailbox_, Command::run, Reps{reps});
    collect(mailbox_);
    EXPECT_EQ(mailbox_.slots[1].report.claims[0], static_cast<double>(reps));
    EXPECT_EQ(mailbox_.slots[1].report.beats, 1);
    EXPECT_EQ(mailbox_.slots[1].ready, mailbox_.lease.number.value);
  }
  dismiss(mailbox_);
  other.join();
  EXPECT_TRUE(orderly);
  EXPECT_EQ(diary.text, "enter run5 run2 leave ");
}

TEST_F(MemberLoop, WhoHasNotEnteredDoesNotLeave) {
  Diary diary;
  report_in_place(1, mailbox_);
  dismiss(mailbox_);
  EXPECT_TRUE(serve(diary, second_, 1, mailbox_));
  EXPECT_EQ(diary.text, "");
}

// Would sleep forever if it took the number that the alarm left in its slot for that of a lease it has finished.
TEST_F(MemberLoop, AnAlarmBeforeItServesDoesNotKeepAMemberFromLeaving) {
  Diary diary;
  report_in_place(1, mailbox_);
  sound_alarm(mailbox_);
  dismiss(mailbox_);
  EXPECT_TRUE(serve(diary, second_, 1, mailbox_));
  EXPECT_EQ(diary.text, "");
}

TEST_F(MemberLoop, AFailureIsWrittenThenToldThenCollected) {
  Diary diary;
  std::string told;
  bool orderly = true;
  std::thread other([&] {
    report_in_place(1, mailbox_);
    orderly = serve(diary, second_, 1, mailbox_, [&](int rank, const std::string& why) {
      told = std::to_string(rank) + " " + why + " " + mailbox_.slots[1].why;
    });
  });
  publish(mailbox_, Command::run, Reps{13});
  EXPECT_EQ(thrown<MemberFailed>([&] { collect(mailbox_); }), "member 1: thirteen");
  other.join();
  EXPECT_FALSE(orderly);
  EXPECT_EQ(told, "1 thirteen thirteen");
  EXPECT_EQ(diary.text, "run13 ");
}

TEST_F(MemberLoop, WhoIsNotInPlaceSaysWhy) {
  try {
    throw PlatformError("binding", EINVAL);
  } catch (...) {
    report_not_in_place(1, mailbox_);
  }
  EXPECT_EQ(thrown<PlatformError>([&] { collect(mailbox_); }), PlatformError("binding", EINVAL).what());
}

TEST_F(MemberLoop, GuardsEncloseTheGateAndTheBatch) {
  Diary diary;
  const Heartbeat& heart = mailbox_.heartbeats[0];
  first_.beat();
  const MemberReport report = run_guarded(diary, first_, Reps{4}, {heart}, [&] { diary.text += "gate "; });
  EXPECT_EQ(diary.text, "gate run4 ");
  EXPECT_EQ(report.claims[0], 4);
  EXPECT_EQ(report.beats, 1);  // of this batch, not of all
  EXPECT_GT(report.wall.count, 0);
  EXPECT_TRUE(report.core_before.taken());
  EXPECT_TRUE(report.core_after.taken());
  EXPECT_FALSE(run_guarded(diary, first_, Reps{4}, {heart, false}).core_before.taken());
  EXPECT_THROW(run_guarded(diary, first_, Reps{13}, {heart}), std::runtime_error);
}

/// Its action starts a thread of its own, which switches three times and once.
class Delegating final : public Measurement {
 public:
  Claims run(Member& member, Reps) override {
    member.adopt(2, 1);
    member.adopt(1, 0);
    return {};
  }
};

TEST_F(MemberLoop, AdoptedSwitchesJoinTheMembersOwnInTheirBatch) {
  Delegating delegating;
  Diary diary;
  const Heartbeat& heart = mailbox_.heartbeats[0];
  EXPECT_GE(run_guarded(delegating, first_, Reps{1}, {heart}).voluntary, 3);
  EXPECT_EQ(run_guarded(diary, first_, Reps{1}, {heart}).voluntary, 0) << "and no other";
}

// The second member is through at once. The first stays until that one sleeps at the end, and looks then.
class Unequal final : public Measurement {
 public:
  explicit Unequal(Mailbox& mailbox) : mailbox_(mailbox) {}
  Claims run(Member& member, Reps reps) override {
    if (member.rank() == 1) return {};
    const auto is_done = [&] { return mailbox_.slots[1].done.value.load() == mailbox_.lease.number.value.load(); };
    while (mailbox_.over.sleepers.load() == 0 && !is_done()) std::this_thread::yield();
    has_gone_on = is_done();
    if (reps.count == 13) throw std::runtime_error("thirteen");
    return {};
  }
  bool has_gone_on = true;

 private:
  Mailbox& mailbox_;
};

TEST_F(MemberLoop, WhereMembersPartTogetherNoneGoesOnBeforeAllAreThrough) {
  mailbox_.part_together = true;
  Unequal unequal(mailbox_);
  std::thread other([&] { serve(unequal, second_, 1, mailbox_); });
  for (int i = 0; i < 100; ++i) {
    publish(mailbox_, Command::run, Reps{1});
    const MemberReport first = run_first(unequal, first_, mailbox_, Reps{1});
    collect(mailbox_);
    EXPECT_FALSE(unequal.has_gone_on);
    EXPECT_EQ(mailbox_.slots[1].report.voluntary, 0) << "its sleep at the end is no part of the batch";
    EXPECT_TRUE(first.core_after.taken());
  }
  publish(mailbox_, Command::run, Reps{13});
  EXPECT_THROW(run_first(unequal, first_, mailbox_, Reps{13}), std::runtime_error);
  collect(mailbox_);  // an exception holds up no one
  dismiss(mailbox_);
  other.join();
}

}  // namespace
}  // namespace assay::team_test
