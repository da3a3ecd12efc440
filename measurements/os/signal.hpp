// SPDX-License-Identifier: Apache-2.0
// Signals of a process to itself: installing a handler, having it called, and faults that are signals.
#pragma once
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "api/measurement.hpp"
#include "channel/descriptor.hpp"
#include "work/around.hpp"

namespace assay {

/// While it lives, a signal is handled so and is not blocked; afterwards both are what they were.
class InstalledHandler {
 public:
  InstalledHandler(int number, void (*handler)(int, siginfo_t*, void*)) : number_(number) {
    struct sigaction action {};
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    ::sigaction(number_, &action, &former_action_);
    sigset_t own;
    sigemptyset(&own);
    sigaddset(&own, number_);
    ::pthread_sigmask(SIG_UNBLOCK, &own, &former_mask_);
  }
  InstalledHandler(const InstalledHandler&) = delete;
  InstalledHandler& operator=(const InstalledHandler&) = delete;
  ~InstalledHandler() {
    ::pthread_sigmask(SIG_SETMASK, &former_mask_, nullptr);
    ::sigaction(number_, &former_action_, nullptr);
  }

 private:
  int number_;
  struct sigaction former_action_ {};
  sigset_t former_mask_{};
};

/// Installing a handler that does nothing, and fetching the old one.
class SignalInstall final : public Measurement {
 public:
  explicit SignalInstall(Setup&) {}
  Claims run(Member& member, Reps reps) override {
    const InstalledHandler restoring(SIGUSR2, nothing);
    bool all = true;
    const Nanoseconds taken = member.timed(reps, [&] {
      struct sigaction action, old;
      action.sa_sigaction = nothing;
      action.sa_flags = SA_SIGINFO;
      sigemptyset(&action.sa_mask);
      all &= ::sigaction(SIGUSR2, &action, &old) == 0 && old.sa_sigaction == &nothing;
    });
    if (!all) throw std::logic_error("the handler of a signal could not be installed, or the old one is another");
    return taken;
  }

 private:
  static void nothing(int, siginfo_t*, void*) {}
};

/// Signals to the own process, and calls that look whether one may be sent and send none.
class SelfSignals {
 public:
  SelfSignals() : handled_(SIGUSR2, count_one) {}
  /// As many of each, interleaved. Throws std::logic_error where the handler was not called as often.
  AroundTimes timed(const Member& member, Reps reps) const {
    const pid_t self = ::getpid();
    const std::int64_t before = count();
    const AroundTimes times = timed_around(
        member, reps, [self] { ::kill(self, SIGUSR2); }, [self] { ::kill(self, 0); });
    if (count() - before != reps.count)
      throw std::logic_error("of " + std::to_string(reps.count) + " signals " + std::to_string(count() - before) +
                             " were handled");
    return times;
  }

 private:
  static std::atomic<std::int64_t>& count() {
    static std::atomic<std::int64_t> handled{0};
    return handled;
  }
  static void count_one(int, siginfo_t*, void*) {
    count().store(count().load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  InstalledHandler handled_;
};

/// A signal to the own process: delivery, a handler that counts, and the return from it.
class SignalHandle final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t net = 0, sent = 1, checked = 2;

  explicit SignalHandle(Setup&) {}
  void enter(Member&) override { signals_.emplace(); }
  void leave(Member&) override { signals_.reset(); }
  Claims run(Member& member, Reps reps) override {
    const AroundTimes times = signals_->timed(member, reps);
    return Claims(times.net()).set(sent, times.whole).set(checked, times.base);
  }

 private:
  std::optional<SelfSignals> signals_;
};

/// Stores to a page that may only be read. The handler counts and returns, whereupon the store is tried again; the last
/// time it jumps out instead.
class ProtectedPage {
 public:
  /// Throws std::system_error.
  ProtectedPage()
      : file_("memory with a descriptor", ::memfd_create("assay", MFD_CLOEXEC)), handled_(SIGSEGV, count_one) {
    if (::ftruncate(file_.number(), 1) != 0) fail("giving memory its size");
    void* const page = ::mmap(nullptr, 1, PROT_READ, MAP_SHARED, file_.number(), 0);
    if (page == MAP_FAILED) fail("mapping a page");
    page_ = static_cast<volatile char*>(page);
    keep(static_cast<char>(*page_));
  }
  ProtectedPage(const ProtectedPage&) = delete;
  ProtectedPage& operator=(const ProtectedPage&) = delete;
  ~ProtectedPage() { ::munmap(const_cast<char*>(page_), 1); }

  /// The time of so many faults; nothing takes no time.
  Nanoseconds timed(const Stopwatch& watch, std::int64_t faults) const {
    Attempt& attempt = current();
    attempt.left = faults;
    attempt.page = const_cast<char*>(page_);
    if (faults == 0) return {};
    if (sigsetjmp(attempt.landing, 1) == 0) {
      attempt.from = watch.start();
      *page_ = 1;
      attempt.page = nullptr;
      throw std::logic_error("a store to a read-only page did not fault");
    }
    const std::int64_t to = watch.stop();
    attempt.page = nullptr;
    return watch.between(attempt.from, to);
  }
  /// Faults of all calls so far.
  static std::int64_t handled() { return current().handled; }

 private:
  struct Attempt {
    sigjmp_buf landing;
    char* page = nullptr;
    volatile std::int64_t left = 0, handled = 0;
    std::int64_t from = 0;
  };
  static Attempt& current() {
    static Attempt attempt;
    return attempt;
  }
  static void count_one(int number, siginfo_t* fault, void*) {
    Attempt& attempt = current();
    // Not of this measurement: it comes again and is fatal.
    if (fault->si_addr != attempt.page || attempt.page == nullptr) {
      ::signal(number, SIG_DFL);
      return;
    }
    attempt.handled = attempt.handled + 1;
    attempt.left = attempt.left - 1;
    if (attempt.left == 0) siglongjmp(attempt.landing, 1);
  }

  OwnedDescriptor file_;
  InstalledHandler handled_;
  volatile char* page_ = nullptr;
};

/// A fault of protection, by what it takes longer than a signal whose handler does as much.
class ProtectionFault final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t net = 0, fault = 1, signal = 2;

  explicit ProtectionFault(Setup&) {}
  void enter(Member&) override {
    signals_.emplace();
    page_.emplace();
  }
  void leave(Member&) override {
    page_.reset();
    signals_.reset();
  }
  Claims run(Member& member, Reps reps) override {
    const std::int64_t before = ProtectedPage::handled();
    const std::int64_t half = reps.count / 2;
    Nanoseconds faults = page_->timed(member.stopwatch(), half);
    const Nanoseconds handling = signals_->timed(member, reps).net();
    faults += page_->timed(member.stopwatch(), reps.count - half);
    if (ProtectedPage::handled() - before != reps.count)
      throw std::logic_error("of " + std::to_string(reps.count) + " faults " +
                             std::to_string(ProtectedPage::handled() - before) + " were handled");
    return Claims(faults - handling).set(fault, faults).set(signal, handling);
  }

 private:
  std::optional<SelfSignals> signals_;
  std::optional<ProtectedPage> page_;
};

}  // namespace assay
