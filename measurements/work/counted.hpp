// SPDX-License-Identifier: Apache-2.0
// One action timed in two ways: so many times, or counted until an alarm rings.
#pragma once
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <ctime>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "api/measurement.hpp"

namespace assay {

/// Rings once in the calling thread, and in no other: SIGALRM of a POSIX timer, whose handler sets the flag of this
/// object. A foreign SIGALRM does nothing. When it is destroyed no signal is pending, and action and mask are what they
/// were. Constructed and destroyed by the thread that looks at it.
class TimerAlarm {
 public:
  /// Throws Unsupported where the system has no further timer.
  TimerAlarm() {
    struct sigaction action {};
    action.sa_sigaction = &ring;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGALRM, &action, &former_action_);
    const sigset_t alarms = alarms_only();
    ::pthread_sigmask(SIG_UNBLOCK, &alarms, &former_mask_);
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGALRM;
    event.sigev_value.sival_ptr = this;
    event._sigev_un._tid = ::gettid();
    if (::timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0) return;
    const int error = errno;
    restore();
    throw Unsupported("the system refuses a timer (timer_create: " + std::generic_category().message(error) +
                      "); each takes one of the signals that may be pending (ulimit -i)");
  }
  TimerAlarm(const TimerAlarm&) = delete;
  TimerAlarm& operator=(const TimerAlarm&) = delete;
  ~TimerAlarm() {
    ::timer_delete(timer_);
    const sigset_t alarms = alarms_only();
    ::pthread_sigmask(SIG_BLOCK, &alarms, nullptr);
    constexpr timespec at_once{};
    while (::sigtimedwait(&alarms, nullptr, &at_once) > 0) continue;
    restore();
  }

  /// Rings after this much time, more than 0; until then `rang` is false.
  void arm(Nanoseconds after) {
    rang_.store(false, std::memory_order_relaxed);
    const auto ns = static_cast<std::int64_t>(std::llround(after.count));
    itimerspec once{};
    once.it_value = {ns / 1'000'000'000, ns % 1'000'000'000};
    ::timer_settime(timer_, 0, &once, nullptr);
  }
  bool rang() const { return rang_.load(std::memory_order_relaxed); }

 private:
  static void ring(int, siginfo_t* info, void*) {
    if (info->si_code == SI_TIMER)
      static_cast<TimerAlarm*>(info->si_value.sival_ptr)->rang_.store(true, std::memory_order_relaxed);
  }
  static sigset_t alarms_only() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    return set;
  }
  void restore() {
    ::sigaction(SIGALRM, &former_action_, nullptr);
    ::pthread_sigmask(SIG_SETMASK, &former_mask_, nullptr);
  }

  static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler stores it");
  std::atomic<bool> rang_{false};
  timer_t timer_{};
  struct sigaction former_action_ {};
  sigset_t former_mask_{};
};

/// True so many times.
class Times {
 public:
  explicit Times(std::int64_t times) : left_(times) {}
  bool operator()() { return left_-- > 0; }

 private:
  std::int64_t left_;
};

/// True until an alarm has rung.
template <class Alarm>
class Until {
 public:
  explicit Until(const Alarm& alarm) : alarm_(&alarm) {}
  bool operator()() const { return !alarm_->rang(); }

 private:
  const Alarm* alarm_;
};

/// An action of member 0 in which the other members may take part, until they are notified that the batch is over.
/// `begin` returns when all are there, `lead` is what is timed: turns while `more` says so; it returns the events that
/// happened. `end` notifies the others, checks what was counted, and claims the action's own quantities, as `follow`
/// does for the other members, from index `first` on. A repetition of a batch is `turns_per_rep` turns.
template <class A>
concept CountedAction = requires(A action, Member& member, Times more, Claims& claims, std::size_t first) {
  { A::traits() } -> std::same_as<Traits>;
  { A::own_quantities() } -> std::same_as<std::vector<Quantity>>;
  { action.turns_per_rep() } -> std::same_as<std::int64_t>;
  action.enter(member);
  action.begin(member);
  { action.lead(member, more) } -> std::same_as<std::int64_t>;
  action.end(member, claims, first);
  { action.follow(member, first) } -> std::same_as<Claims>;
};

/// The action of a measurement of one member that has `one()`, and waits as is said.
template <class M, Waiting waits>
class Alone {
 public:
  explicit Alone(Setup& setup) : measurement_(setup) {}
  static Traits traits() {
    Traits traits;
    traits.waiting = waits;
    return traits;
  }
  static std::vector<Quantity> own_quantities() { return {}; }
  static std::int64_t turns_per_rep() { return 1; }
  void enter(Member& member) { measurement_.enter(member); }
  void begin(Member&) {}
  template <class More>
  std::int64_t lead(Member&, More more) {
    std::int64_t done = 0;
    for (; more(); ++done) measurement_.one();
    return done;
  }
  void end(Member&, Claims&, std::size_t) {}
  Claims follow(Member&, std::size_t) { return {}; }

 private:
  M measurement_;
};

/// The action timed over batches: the time of `reps` repetitions, for one event each.
template <CountedAction A>
class Batches final : public Measurement {
 public:
  static Traits traits() { return A::traits(); }
  /// The time of one event, and what the action has of its own.
  static std::vector<Quantity> quantities(const std::string& event) {
    std::vector<Quantity> all{{.name = "time", .summary = event}};
    for (Quantity& own : A::own_quantities()) all.push_back(std::move(own));
    return all;
  }

  explicit Batches(Setup& setup) : action_(setup) {}
  void enter(Member& member) override { action_.enter(member); }
  Claims run(Member& member, Reps reps) override {
    if (member.rank() != 0) return action_.follow(member, 1);
    action_.begin(member);
    std::int64_t events = 0;
    const Times turns(reps.count * action_.turns_per_rep());
    const Nanoseconds taken = member.timed(Reps{1}, [&] { events = action_.lead(member, turns); });
    Claims claims(taken * (static_cast<double>(reps.count) / static_cast<double>(events)));
    action_.end(member, claims, 1);
    return claims;
  }

 private:
  A action_;
};

/// The factor of a window's length.
inline Factor window_factor() {
  return {.name = "window",
          .kind = FactorKind::quantitative,
          .unit = Unit::nanoseconds,
          .standard = std::int64_t{5'000'000'000},
          .summary = "time after which the alarm expires"};
}

/// The action counted in a window of time: an alarm is armed, events are counted until it is seen to have rung, and
/// their number is divided by the time that this really took. A repetition is a window. The clock is read before arming
/// and when the last event is over: an alarm seen late makes the window longer, never the rate higher. After
/// pthreadbench (Wienand, 2003).
template <CountedAction A, class Alarm = TimerAlarm>
class CountedWindow : public Measurement {
 public:
  /// Indexes of the declared quantities; those of the action follow.
  enum Index : std::size_t { rate, count, elapsed, own };
  static Traits traits() {
    Traits traits = A::traits();
    traits.reps = {.least = Reps{1}, .most = Reps{1}};
    traits.includes_losses = true;  // as the original: a window that lost time has that in its count
    return traits;
  }
  /// Rate, number and time of one window, and what the action has of its own.
  static std::vector<Quantity> quantities(const std::string& events) {
    std::vector<Quantity> all{
        {.name = "rate", .unit = Unit::per_second, .per = Per::batch, .summary = events + " per elapsed time"},
        {.name = "count", .unit = Unit::count, .per = Per::batch, .summary = events + " in the window"},
        {.name = "elapsed", .per = Per::batch, .summary = "length of the window"}};
    for (Quantity& own_one : A::own_quantities()) all.push_back(std::move(own_one));
    return all;
  }

  /// Throws Unsupported for a window below a millisecond, of which arming is no small part.
  explicit CountedWindow(Setup& setup) : action_(setup), length_{setup.level<double>("window")} {
    if (length_ < milliseconds(1)) throw Unsupported("a window lasts 1 ms or more; raise window");
  }
  void enter(Member& member) override { action_.enter(member); }
  Claims run(Member& member, Reps) override {
    if (member.rank() != 0) return action_.follow(member, own);
    action_.begin(member);
    Claims claims = count_events(member);
    action_.end(member, claims, own);
    return claims;
  }

 private:
  Claims count_events(Member& member) {
    const Stopwatch& watch = member.stopwatch();
    Alarm alarm;
    const std::int64_t from = watch.start();
    alarm.arm(length_);
    const auto events = static_cast<double>(action_.lead(member, Until<Alarm>(alarm)));
    const Nanoseconds lasted = watch.between(from, watch.stop());
    return Claims{}.set(rate, events * (seconds(1) / lasted)).set(count, events).set(elapsed, lasted);
  }

  A action_;
  Nanoseconds length_;
};

}  // namespace assay
