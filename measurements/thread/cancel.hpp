// SPDX-License-Identifier: Apache-2.0
// Cancelling a thread.
#pragma once
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <string>
#include <system_error>

#include "api/measurement.hpp"

namespace assay {

/// Where the target is when it is cancelled.
enum class CancelPlace : std::uint8_t {
  deferred,  ///< computes, and tests for cancellation every so many operations
  read,      ///< blocked in a read of an empty pipe
  condvar,   ///< blocked in a condition wait
  spinner    ///< computes, and can be cancelled anywhere (asynchronous type)
};

/// What a target works with, and what it leaves behind: built once, used by one thread after the other. No function on
/// the target's way may be noexcept: cancelling unwinds the stack.
class CancelTarget {
 public:
  /// `every`: operations between two tests of a deferred target, at least 1. Throws std::system_error.
  CancelTarget(CancelPlace place, std::int64_t every) : place_(place), every_(every) {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "cannot open a pipe");
  }
  CancelTarget(const CancelTarget&) = delete;
  CancelTarget& operator=(const CancelTarget&) = delete;
  ~CancelTarget() {
    for (const int end : ends_) ::close(end);
    pthread_cond_destroy(&condition_);
    pthread_mutex_destroy(&mutex_);
  }

  /// Starts the thread and returns when it is provably in its place: blocked in the kernel call that its place names,
  /// by what the kernel says of it, or computing, by its heartbeat. Throws std::system_error; Unsupported with N7 where
  /// the proof cannot be had.
  pthread_t start(const Stopwatch& watch);
  /// Joins the cancelled thread. Throws std::logic_error when it ended in another way or ran no cleanup handler.
  void join(pthread_t thread) const {
    void* result = nullptr;
    pthread_join(thread, &result);
    if (result != PTHREAD_CANCELED || handler_stamp_ == 0)
      throw std::logic_error("a cancelled thread did not end through its cleanup handler");
  }
  /// When the cleanup handler of the thread joined last ran, by the watch given at its start.
  std::int64_t handler_stamp() const { return handler_stamp_; }
  /// True when the mutex of a condition wait is free again.
  bool is_released() {
    if (pthread_mutex_trylock(&mutex_) != 0) return false;
    pthread_mutex_unlock(&mutex_);
    return true;
  }

 private:
  static constexpr std::uint64_t enough_beats = 64;

  static void* live(void* target) {
    pthread_cleanup_push(clean_up, target);
    static_cast<CancelTarget*>(target)->act();
    pthread_cleanup_pop(0);
    return nullptr;
  }
  // The wait re-acquires the mutex before it is unwound.
  static void clean_up(void* target) {
    auto& self = *static_cast<CancelTarget*>(target);
    self.handler_stamp_ = self.watch_.stop();
    if (self.place_ == CancelPlace::condvar) pthread_mutex_unlock(&self.mutex_);
  }

  void act() {
    id_.store(static_cast<int>(::syscall(SYS_gettid)), std::memory_order_release);
    if (place_ == CancelPlace::read) return read_nothing();
    if (place_ == CancelPlace::condvar) return wait_for_nothing();
    if (place_ == CancelPlace::deferred) return compute_and_test();
    spin();
  }
  void read_nothing() {
    char byte = 0;
    while (::read(ends_[0], &byte, 1) < 0 && errno == EINTR) continue;
  }
  void wait_for_nothing() {
    pthread_mutex_lock(&mutex_);
    for (;;) pthread_cond_wait(&condition_, &mutex_);
  }
  void compute_and_test() {
    for (;;) {
      for (std::int64_t i = 0; i < every_; ++i) operate();
      pthread_testcancel();
    }
  }
  // Not inlined, nothing to destroy and no call: compilers describe how to unwind a frame with a cleanup, or one that
  // may not throw, at its calls only, and cancelling hits anywhere here. Atomics of the library are calls that may not
  // throw where nothing is optimized, which ends the process; what the compiler itself has for them never is.
  [[gnu::noinline]] void spin() {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
    for (;;) operate();
  }
  [[gnu::always_inline]] inline void operate() {
    std::uint64_t work = __atomic_load_n(&beats_, __ATOMIC_RELAXED);
    keep(work);
    work = work * 6364136223846793005U + 1;
    keep(work);
    __atomic_store_n(&beats_, __atomic_load_n(&beats_, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
  }

  bool is_in_place() const {
    if (place_ == CancelPlace::deferred || place_ == CancelPlace::spinner)
      return __atomic_load_n(&beats_, __ATOMIC_RELAXED) > enough_beats;
    const int id = id_.load(std::memory_order_acquire);
    return id != 0 && is_blocked_in(id, place_ == CancelPlace::read ? SYS_read : SYS_futex);
  }
  // The kernel answers only when the thread is off its CPU: "NUMBER ARGUMENTS...", or "running".
  static bool is_blocked_in(int id, std::int64_t call) {
    const std::string path = "/proc/self/task/" + std::to_string(id) + "/syscall";
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    std::array<char, 256> text{};
    const ssize_t length = ::read(file, text.data(), text.size() - 1);
    ::close(file);
    char* end = text.data();
    const std::int64_t number = std::strtoll(text.data(), &end, 10);
    return length > 0 && end != text.data() && number == call;
  }

  CancelPlace place_;
  std::int64_t every_;
  Stopwatch watch_{};
  std::array<int, 2> ends_{-1, -1};
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition_ = PTHREAD_COND_INITIALIZER;
  std::int64_t handler_stamp_ = 0;
  alignas(line_size) std::atomic<int> id_{0};
  std::uint64_t beats_ = 0;  // read and written atomically, see spin()
};

inline pthread_t CancelTarget::start(const Stopwatch& watch) {
  constexpr int patience = 40'000;  // two seconds of naps
  constexpr timespec nap{0, 50'000};
  watch_ = watch;
  handler_stamp_ = 0;
  id_ = 0;
  __atomic_store_n(&beats_, 0, __ATOMIC_RELAXED);
  pthread_t thread;
  if (const int error = pthread_create(&thread, nullptr, live, this); error != 0)
    throw std::system_error(error, std::generic_category(), "pthread_create");
  for (int naps = 0; naps < patience; ++naps) {
    if (is_in_place()) return thread;
    ::nanosleep(&nap, nullptr);
  }
  pthread_cancel(thread);
  pthread_join(thread, nullptr);
  throw Unsupported(
      "the thread to be cancelled could not be proved to have reached its target (/proc/self/task/ID/syscall)", "N7");
}

/// One repetition: a thread is created and goes to its place, outside the clock; then it is cancelled and joined. It
/// inherits the member's binding.
class Cancel final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t handler = 0, join = 1, call = 2;

  /// Throws Unsupported for a distance of less than 1 between tests.
  explicit Cancel(Setup& setup) : target_(place(setup.word("target")), setup.level<std::int64_t>("every")) {
    if (setup.level<std::int64_t>("every") < 1)
      throw Unsupported("a deferred target tests after every 1 operations or more; use every = 1 or more");
  }

  Claims run(Member& member, Reps reps) override {
    Totals totals;
    for (std::int64_t i = 0; i < reps.count; ++i) cancel_one(member.stopwatch(), totals);
    return Claims(totals.handler).set(join, totals.join).set(call, totals.call);
  }

 private:
  struct Totals {
    Nanoseconds handler{}, join{}, call{};
  };
  static CancelPlace place(const std::string& word) {
    if (word == "read") return CancelPlace::read;
    if (word == "condvar") return CancelPlace::condvar;
    return word == "spinner" ? CancelPlace::spinner : CancelPlace::deferred;
  }
  void cancel_one(const Stopwatch& watch, Totals& totals) {
    const pthread_t thread = target_.start(watch);
    const std::int64_t from = watch.start();
    pthread_cancel(thread);
    const std::int64_t called = watch.stop();
    target_.join(thread);
    const std::int64_t joined = watch.stop();
    totals.handler += watch.between(from, target_.handler_stamp());
    totals.join += watch.between(from, joined);
    totals.call += watch.between(from, called);
  }

  CancelTarget target_;
};

}  // namespace assay
