// SPDX-License-Identifier: Apache-2.0
// Signals directed at a member's thread, blocked and waited for, or handled.
#pragma once
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <stdexcept>

#include <sched.h>

#include "channel/channel.hpp"
#include "channel/descriptor.hpp"

namespace assay {

/// Blocks one signal in both members while they are in, and knows where each of them is. What is pending at the end is
/// thrown away before the signal is let through again.
class SignalPeers {
  struct alignas(line_size) Address {
    std::atomic<pid_t> process{0};
    std::atomic<pid_t> thread{0};
  };

 public:
  SignalPeers(Setup& setup, int signal)
      : signal_(signal), addresses_{&setup.share<Address>(), &setup.share<Address>()} {
    sigemptyset(&awaited_);
    sigaddset(&awaited_, signal);
  }
  int signal() const { return signal_; }
  const sigset_t& awaited() const { return awaited_; }
  void enter(const Member& member) {
    pthread_sigmask(SIG_BLOCK, &awaited_, &before_[side(member)]);
    addresses_[side(member)]->process = ::getpid();
    addresses_[side(member)]->thread = ::gettid();
  }
  void leave(const Member& member) {
    constexpr timespec at_once{};
    while (sigtimedwait(&awaited_, nullptr, &at_once) > 0 || errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before_[side(member)], nullptr);
  }
  /// The mask that the member had before.
  const sigset_t& before(const Member& member) const { return before_[side(member)]; }
  pid_t process(Direction direction) const { return receiver(direction).process.load(std::memory_order_relaxed); }
  pid_t thread(Direction direction) const { return receiver(direction).thread.load(std::memory_order_relaxed); }
  /// Sends the signal as it is.
  void send(Direction direction) const {
    uninterrupted("sending a signal",
                  [&] { return ::syscall(SYS_tgkill, process(direction), thread(direction), signal_); });
  }

 private:
  const Address& receiver(Direction direction) const { return *addresses_[1 - index(direction)]; }
  int signal_;
  sigset_t awaited_;
  std::array<Address*, 2> addresses_;
  std::array<sigset_t, 2> before_{};
};

/// A standard signal, received by sigwait. One that is sent before another was received is lost.
class StandardSignal {
 public:
  explicit StandardSignal(Setup& setup) : peers_(setup, SIGUSR1) {}
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::blocks}; }
  static constexpr Delivery delivery = Delivery::merged;
  static constexpr bool any_thread = false;  // a signal is directed at the thread that entered
  std::int64_t capacity() const { return 1; }
  SleepingPlace sleeping_place(Direction) const { return {{SYS_rt_sigtimedwait, -1}}; }

  void enter(Member& member) { peers_.enter(member); }
  void leave(Member& member) { peers_.leave(member); }
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member&, Direction direction) { peers_.send(direction); }
  void receive(Member&, Direction) {
    int received = 0;
    sigwait(&peers_.awaited(), &received);
  }
  void absorb(Member& member, Direction direction, std::int64_t sends) {
    if (sends > 0) receive(member, direction);
  }

 private:
  SignalPeers peers_;
};

/// A real-time signal, queued with a sequence number and received by sigwaitinfo. A sender that meets the limit on
/// pending signals yields until it does not.
class QueuedSignal {
 public:
  explicit QueuedSignal(Setup& setup) : peers_(setup, SIGRTMIN + 1) {
    if (capacity() == 0) throw Unsupported("the limit on pending signals leaves no room; raise it (ulimit -i)");
  }
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::blocks}; }
  static constexpr Delivery delivery = Delivery::queued;
  static constexpr bool any_thread = false;  // a signal is directed at the thread that entered
  /// Half the limit, which holds for all processes of the user together.
  std::int64_t capacity() const {
    rlimit pending{};
    ::getrlimit(RLIMIT_SIGPENDING, &pending);
    return static_cast<std::int64_t>(std::min<rlim_t>(pending.rlim_cur, rlim_t{1} << 31) / 2);
  }
  SleepingPlace sleeping_place(Direction) const { return {{SYS_rt_sigtimedwait, -1}}; }

  void enter(Member& member) {
    siginfo_t& message = sides_[side(member)].message;
    message.si_signo = peers_.signal();
    message.si_code = SI_QUEUE;
    message.si_pid = ::getpid();
    message.si_uid = ::getuid();
    peers_.enter(member);
  }
  void leave(Member& member) { peers_.leave(member); }
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member& member, Direction direction) {
    while (!try_send(member, direction)) ::sched_yield();
  }
  bool try_send(Member& member, Direction direction) {
    Side& own = sides_[side(member)];
    own.message.si_value.sival_int = static_cast<int>(own.sent);
    if (::syscall(SYS_rt_tgsigqueueinfo, peers_.process(direction), peers_.thread(direction), peers_.signal(),
                  &own.message) != 0) {
      if (errno == EAGAIN) return false;
      fail("queueing a signal");
    }
    ++own.sent;
    return true;
  }
  void receive(Member& member, Direction) {
    siginfo_t message;
    uninterrupted("waiting for a queued signal", [&] { return sigwaitinfo(&peers_.awaited(), &message); });
    if (message.si_value.sival_int != static_cast<int>(sides_[side(member)].received++)) refuse();
  }

 private:
  [[noreturn, gnu::cold, gnu::noinline]] static void refuse() {
    throw std::runtime_error("a queued signal was lost, came out of order or came from elsewhere");
  }
  struct alignas(line_size) Side {
    siginfo_t message{};
    std::uint32_t sent = 0;
    std::uint32_t received = 0;
  };
  SignalPeers peers_;
  std::array<Side, 2> sides_;
};

/// A standard signal that runs a handler in the receiver, which sleeps in sigsuspend: the signal is let through there
/// only, so that none is lost between looking and sleeping. One that is sent before another was received is lost.
class HandledSignal {
 public:
  explicit HandledSignal(Setup& setup) : peers_(setup, SIGUSR1) {
    struct sigaction action {};
    action.sa_handler = [](int) { handled() = handled() + 1; };
    sigemptyset(&action.sa_mask);
    sigaction(peers_.signal(), &action, &before_);  // members that are processes inherit it
  }
  HandledSignal(const HandledSignal&) = delete;
  HandledSignal& operator=(const HandledSignal&) = delete;
  ~HandledSignal() { sigaction(peers_.signal(), &before_, nullptr); }
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::blocks}; }
  static constexpr Delivery delivery = Delivery::merged;
  static constexpr bool any_thread = false;  // a signal is directed at the thread that entered
  std::int64_t capacity() const { return 1; }
  SleepingPlace sleeping_place(Direction) const { return {{SYS_rt_sigsuspend, -1}}; }

  void enter(Member& member) {
    peers_.enter(member);
    Side& own = sides_[side(member)];
    own.open = peers_.before(member);
    sigdelset(&own.open, peers_.signal());
    own.seen = handled();
  }
  void leave(Member& member) { peers_.leave(member); }
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member&, Direction direction) { peers_.send(direction); }
  void receive(Member& member, Direction) {
    Side& own = sides_[side(member)];
    while (handled() == own.seen) sigsuspend(&own.open);
    own.seen = handled();
  }
  void absorb(Member& member, Direction direction, std::int64_t sends) {
    if (sends > 0) receive(member, direction);
  }

 private:
  struct alignas(line_size) Side {
    sigset_t open;  // while it waits
    std::sig_atomic_t seen = 0;
  };
  // How often the handler ran on this thread.
  static volatile std::sig_atomic_t& handled() {
    static thread_local volatile std::sig_atomic_t count = 0;
    return count;
  }
  SignalPeers peers_;
  struct sigaction before_ {};
  std::array<Side, 2> sides_{};
};

}  // namespace assay
