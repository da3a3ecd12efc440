// SPDX-License-Identifier: Apache-2.0
// One action in batches and in windows: what is counted, by what it is divided, and that the alarm leaves nothing
// behind.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "support/machines/fake_clock.hpp"
#include "support/measurements/one_batch.hpp"
#include "support/measurements/point_setup.hpp"
#include "work/counted.hpp"

namespace assay {
namespace {

using test::FakeClock;

/// Each event takes 100 ns by a clock of its own; that the end is seen takes a further 30 ns.
class Ticking {
 public:
  explicit Ticking(Setup&) {}
  static Traits traits() { return {}; }
  static std::vector<Quantity> own_quantities() { return {{.name = "ends", .per = Per::batch}}; }
  static std::int64_t turns_per_rep() { return 3; }
  void enter(Member& member) { member.use(Stopwatch::simulated(clock_)); }
  void begin(Member&) { clock_.advance(seconds(1)); }
  template <class More>
  std::int64_t lead(Member&, More more) {
    std::int64_t events = 0;
    for (; more(); ++events) clock_.advance(Nanoseconds{100});
    clock_.advance(Nanoseconds{30});
    return events;
  }
  void end(Member&, Claims& claims, std::size_t first) {
    clock_.advance(seconds(1));
    claims.set(first, 1.0);
  }
  Claims follow(Member&, std::size_t first) { return Claims{}.set(first, 2.0); }

 private:
  FakeClock clock_;
};

/// Rings when it was looked at forty times, if it was armed.
class FortyLooks {
 public:
  void arm(Nanoseconds) { is_armed_ = true; }
  bool rang() const { return is_armed_ && ++looks_ > 40; }

 private:
  bool is_armed_ = false;
  mutable int looks_ = 0;
};

using FakeWindow = CountedWindow<Ticking, FortyLooks>;

Point window_of(std::int64_t ns) {
  Point point;
  point.set("window", ns);
  return point;
}

struct WindowMember {
  explicit WindowMember(int rank = 0) : member(rank, 2, Stopwatch(), beats) {}
  std::atomic<std::int64_t> beats{0};
  Member member;
};

TEST(Windows, TheNumberIsDividedByTheTimeThatElapsed) {
  test::PointSetup setup(window_of(5'000'000), 2);
  FakeWindow window(setup);
  WindowMember one;
  window.enter(one.member);
  for (int batch = 0; batch < 2; ++batch) {
    const Claims claims = window.run(one.member, Reps{1});
    EXPECT_EQ(claims[FakeWindow::count], 40);
    EXPECT_EQ(claims[FakeWindow::elapsed], 4030) << "the alarm was seen 30 ns late; nothing else belongs to it";
    EXPECT_DOUBLE_EQ(claims[FakeWindow::rate], 40 / 4030e-9);
    EXPECT_EQ(claims[FakeWindow::own], 1) << "what the action claims";
  }
}

TEST(Windows, OtherMembersFollow) {
  test::PointSetup setup(window_of(5'000'000), 2);
  FakeWindow window(setup);
  Batches<Ticking> batches(setup);
  WindowMember second(1);
  EXPECT_EQ(window.run(second.member, Reps{1})[FakeWindow::own], 2);
  EXPECT_FALSE(window.run(second.member, Reps{1}).has(FakeWindow::rate));
  EXPECT_EQ(batches.run(second.member, Reps{1})[1], 2);
}

TEST(Windows, ABatchIsAllItsTurnsAndClaimsOneEvent) {
  test::PointSetup setup({}, 2);
  Batches<Ticking> batches(setup);
  WindowMember one;
  batches.enter(one.member);
  const Claims claims = batches.run(one.member, Reps{7});
  EXPECT_DOUBLE_EQ(claims[0], 2130.0 * 7 / 21) << "21 events took 2130 ns: the claim is divided by 7 repetitions later";
  EXPECT_EQ(claims[1], 1);
}

TEST(Windows, ARepetitionIsAWindowAndShortOnesAreRefused) {
  EXPECT_EQ(FakeWindow::traits().reps.least.count, 1);
  EXPECT_EQ(FakeWindow::traits().reps.most.count, 1);
  EXPECT_EQ(FakeWindow::quantities("events").size(), 4U);
  test::PointSetup setup(window_of(999'999), 2);
  EXPECT_THROW(FakeWindow{setup}, Unsupported);
}

std::string timers_of_process() {
  std::ifstream file("/proc/self/timers");
  return {std::istreambuf_iterator<char>(file), {}};
}

struct SignalState {
  struct sigaction action {};
  bool is_blocked = false;
  static SignalState now() {
    SignalState state;
    ::sigaction(SIGALRM, nullptr, &state.action);
    sigset_t mask;
    ::pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    state.is_blocked = ::sigismember(&mask, SIGALRM) == 1;
    return state;
  }
};

void block_alarms(bool is_blocked) {
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  ::pthread_sigmask(is_blocked ? SIG_BLOCK : SIG_UNBLOCK, &alarms, nullptr);
}

bool is_pending() {
  sigset_t pending;
  ::sigpending(&pending);
  return ::sigismember(&pending, SIGALRM) == 1;
}

TEST(Windows, AnAlarmRingsOnceItIsArmedAndLeavesNothingBehind) {
  for (const bool was_blocked : {false, true}) {
    block_alarms(was_blocked);
    const SignalState before = SignalState::now();
    const std::string timers = timers_of_process();
    {
      TimerAlarm alarm;
      EXPECT_FALSE(alarm.rang());
      ::raise(SIGALRM);
      EXPECT_FALSE(alarm.rang()) << "the signal of somebody else";
      for (int i = 0; i < 2; ++i) {
        alarm.arm(milliseconds(1));
        while (!alarm.rang()) continue;  // the test's deadline is the bound
      }
      alarm.arm(seconds(3600));
      EXPECT_FALSE(alarm.rang());
    }
    const SignalState after = SignalState::now();
    EXPECT_EQ(after.action.sa_handler, before.action.sa_handler);
    EXPECT_EQ(after.is_blocked, was_blocked);
    EXPECT_FALSE(is_pending());
    EXPECT_EQ(timers_of_process(), timers);
  }
  block_alarms(false);
}

TEST(Windows, TwoAlarmsKnowTheirOwn) {
  TimerAlarm first;
  TimerAlarm second;
  second.arm(milliseconds(1));
  while (!second.rang()) continue;
  EXPECT_FALSE(first.rang());
}

// The host takes time from every long window sooner or later: all kinds are judged alike, at all levels.
TEST(Windows, WhatTheHostTakesLeavesNoneOut) {
  Registry registry;
  register_all(registry);
  for (const char* name :
       {"thread/create_join_window", "sync/lock_window", "sync/handover_window", "sync/wakeup_window"}) {
    SCOPED_TRACE(name);
    const Description& window = registry.find(name)->description;
    std::vector<Traits> all{window.traits};
    for (const auto& [level, traits] : window.selected) all.push_back(traits);
    for (const Traits& traits : all)
      EXPECT_FALSE(spoiling_visits(traits).test(static_cast<std::size_t>(Disturbance::stolen)));
  }
}

// On real time: only what holds whatever the time.
TEST(Windows, EveryActionIsCountedInAWindow) {
  const Value window = std::int64_t{2'000'000};
  for (const char* name :
       {"thread/create_join_window", "sync/lock_window", "sync/handover_window", "sync/wakeup_window"}) {
    SCOPED_TRACE(name);
    const auto one = test::run_named(name, {}, {{"window", window}}, Reps{1});
    EXPECT_GE(one.value("count"), 0);
    EXPECT_GE(one.value("elapsed"), 1'999'000) << "an alarm never rings early";
    EXPECT_DOUBLE_EQ(one.value("rate"), one.value("count") / one.value("elapsed") * 1e9);
  }
}

}  // namespace
}  // namespace assay
