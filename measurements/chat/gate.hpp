// SPDX-License-Identifier: Apache-2.0
// Where the threads of the chat meet: a gate that opens once per round, a countdown to its end, and the first failure.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>

#include "api/stopwatch.hpp"

namespace assay {

/// Opens round by round. Waiters sleep.
class StartGate {
 public:
  /// Lets those pass that wait for this round or an earlier one.
  void open() {
    const std::scoped_lock lock(mutex_);
    ++opened_;
    changed_.notify_all();
  }
  /// Waits for round `round`, from 0 on. False when there are no more.
  bool wait(std::uint32_t round) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || opened_ > round; });
    return !closed_;
  }
  /// Ends every wait, now and later.
  void close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint32_t opened_ = 0;
  bool closed_ = false;
};

/// So many arrivals, the last of which takes the time.
class Countdown {
 public:
  /// Before any thread can arrive.
  void start(std::int64_t arrivals, const Stopwatch& watch) {
    const std::scoped_lock lock(mutex_);
    is_over_ = false;
    watch_ = watch;
    left_ = arrivals;
  }
  void arrive() {
    if (left_.fetch_sub(1) != 1) return;
    const std::int64_t now = watch_.stop();
    const std::scoped_lock lock(mutex_);
    stamp_ = now;
    is_over_ = true;
    changed_.notify_all();
  }
  /// Waits for the last arrival. False when it was given up.
  bool wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return given_up_ || is_over_; });
    return !given_up_;
  }
  /// When the last one arrived.
  std::int64_t stamp() const { return stamp_; }
  /// Ends every wait, now and later.
  void give_up() {
    const std::scoped_lock lock(mutex_);
    given_up_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<std::int64_t> left_{0};
  Stopwatch watch_;
  std::int64_t stamp_ = 0;
  bool is_over_ = false;
  bool given_up_ = false;
};

/// What all threads of a chat share: how its rounds begin and end, and what went wrong first.
class Course {
 public:
  StartGate talk;
  StartGate goodbye;
  Countdown heard;  ///< every user has sent and received everything
  Countdown left;   ///< and every goodbye

  /// Notes the first failure, and wakes who waits for the round. Once the chat is ending nothing is a failure.
  void fail(const std::string& why) {
    if (is_ending()) return;
    {
      const std::scoped_lock lock(mutex_);
      if (why_.empty()) why_ = why;
    }
    heard.give_up();
    left.give_up();
  }
  std::string failure() const {
    const std::scoped_lock lock(mutex_);
    return why_;
  }
  /// From now on connections that end are meant to.
  void end() {
    ending_ = true;
    talk.close();
    goodbye.close();
  }
  bool is_ending() const { return ending_; }

 private:
  mutable std::mutex mutex_;
  std::string why_;
  std::atomic<bool> ending_{false};
};

}  // namespace assay
