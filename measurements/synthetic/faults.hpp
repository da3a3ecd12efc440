// SPDX-License-Identifier: Apache-2.0
// Actions and channels that do what good ones do not: fail, claim nothing, claim for others, or lose a wake-up. What
// the framework must survive.
#pragma once
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "channel/channel.hpp"

namespace assay {

/// The ways it can go wrong.
inline std::vector<std::string> fault_words() { return {"none", "hang", "throw", "exit", "crash", "unsupported"}; }

/// Works until its tenth batch, then the chosen member does what `fault` says. `unsupported` refuses to be constructed.
class Fault final : public Measurement {
 public:
  explicit Fault(Setup& setup) : fault_(setup.word("fault")), rank_(setup.level<int>("rank")) {
    if (fault_ == "unsupported") throw Unsupported("this point is unsupported by request");
  }
  Claims run(Member& member, Reps reps) override {
    // Counted by the chosen member alone, so that nothing is shared.
    if (member.rank() == rank_ && ++batches_ > 10) go_wrong();
    return member.timed(reps, [] { clobber(); });
  }

 private:
  void go_wrong() const {
    if (fault_ == "hang")
      for (;;) ::pause();
    if (fault_ == "throw") throw std::runtime_error("thrown on purpose");
    if (fault_ == "exit") ::_exit(0);
    if (fault_ == "crash") ::raise(SIGABRT);
  }
  std::string fault_;
  int rank_;
  int batches_ = 0;
};

/// Member 0 claims `near`, member 1 claims `far`, each claims one event per repetition.
class ThreeClaims final : public Measurement {
 public:
  explicit ThreeClaims(Setup& setup) : near_(setup.level<double>("near")), far_(setup.level<double>("far")) {}
  Claims run(Member& member, Reps reps) override {
    const auto n = static_cast<double>(reps.count);
    Claims claims;
    claims.set(2, n);
    return member.rank() == 0 ? claims.set(0, n * near_) : claims.set(1, n * far_);
  }

 private:
  double near_;
  double far_;
};

/// A counter with the kernel's wait and wake, sound for `after` messages there. From then on the sender waits until the
/// receiver is about to sleep, gives it time to, and counts without waking: as soon as the receiver was in time, it
/// sleeps forever.
class LosingChannel {
  struct alignas(line_size) Word {
    std::atomic<std::uint32_t> sent{0};
    std::atomic<bool> is_waited_for{false};
  };

 public:
  explicit LosingChannel(Setup& setup)
      : words_{&setup.share<Word>(), &setup.share<Word>()}, after_(setup.level<std::int64_t>("after")) {}
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::either}; }
  static constexpr Delivery delivery = Delivery::queued;
  std::int64_t capacity() const { return 1; }

  void enter(Member&) {}
  void leave(Member&) {}
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member& member, Direction direction) {
    Word& word = *words_[index(direction)];
    const bool loses = direction == Direction::there && counters_[side(member)].sent++ >= after_;
    if (loses) await_sleep(word);
    word.sent.fetch_add(1);
    if (!loses) call(word, FUTEX_WAKE, 1);
  }
  void receive(Member& member, Direction direction) {
    Word& word = *words_[index(direction)];
    const std::uint32_t seen = counters_[side(member)].received++;
    while (word.sent.load() == seen) {
      word.is_waited_for.store(true);
      call(word, FUTEX_WAIT, seen);
    }
    word.is_waited_for.store(false);
  }

 private:
  static void await_sleep(const Word& word) {
    while (!word.is_waited_for.load()) ::sched_yield();
    ::usleep(1000);
  }
  static void call(Word& word, int operation, std::uint32_t value) {
    ::syscall(SYS_futex, &word.sent, operation, value, nullptr, nullptr, 0);
  }
  std::array<Word*, 2> words_;
  std::int64_t after_;
  BothCounters counters_{};
};

}  // namespace assay
