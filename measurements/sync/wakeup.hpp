// SPDX-License-Identifier: Apache-2.0
// A master that fills a queue, and workers that wait for it to be full.
#pragma once
#include <sys/resource.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "lock/mutex.hpp"
#include "sync/condition.hpp"
#include "thread/threads.hpp"

namespace assay {

/// Member 0 fills the queue, signals one of the waiting workers, which are all other members, and waits until it is
/// empty; the woken worker empties it, signals the master and waits again. A turn is one wake-up; a repetition of a
/// batch is a round of as many as there are workers. After the wakeup test of pthreadbench (Wienand, 2003).
class Wakeup {
 public:
  /// Most items that a queue takes.
  static constexpr std::int64_t most_items = 4096;
  /// Offsets of the own quantities.
  enum Own : std::size_t { asleep, switches, idle_returns };

  static Traits traits() { return local_traits(Waiting::either); }
  static std::vector<Quantity> own_quantities() {
    return {
        of_batch(
            "asleep",
            "share of further wake-ups, recorded after the timed ones, whose worker was switched out while it waited"),
        of_batch("switches", "context switches of all members per wake-up, as the kernel counts them"),
        of_batch("idle_returns", "returns of a worker from its wait without work, per wake-up")};
  }

  /// Throws Unsupported for a queue without room for an item, or with too much.
  explicit Wakeup(Setup& setup)
      : mutex_(setup.share<Mutex<MutexKind::normal>>(setup)),
        full_(setup.share<Condition>(setup)),
        told_(setup.share<Condition>(setup)),
        queue_(setup.share<Queue>()),
        capacity_(setup.level<std::int64_t>("queue")),
        workers_(setup.members() - 1) {
    if (capacity_ < 1 || capacity_ > most_items)
      throw Unsupported("a queue holds 1 to " + std::to_string(most_items) + " items, not " +
                        std::to_string(capacity_));
  }

  std::int64_t turns_per_rep() const { return workers_; }
  void enter(Member&) {}
  /// All workers are inside their wait.
  void begin(Member&) {
    pthread_mutex_lock(mutex_.native());
    queue_.is_roll_call = true;
    while (queue_.waiting != workers_) pthread_cond_wait(&told_.native, mutex_.native());
    queue_.is_roll_call = false;
    pthread_mutex_unlock(mutex_.native());
    sent_ = 0;
    switches_ = switches_of_caller();
  }
  template <class More>
  std::int64_t lead(Member&, More more) {
    for (; more(); ++sent_) {
      pthread_mutex_lock(mutex_.native());
      fill();
      pthread_cond_signal(&full_.native);
      await_empty();
      pthread_mutex_unlock(mutex_.native());
    }
    return sent_;
  }
  /// Throws std::logic_error when the workers did not count as many wake-ups as the master.
  void end(Member&, Claims& claims, std::size_t first) {
    const std::int64_t own_switches = switches_of_caller() - switches_;
    const std::int64_t watched = watch();
    const Tally all = dismiss();
    if (all.wakes != sent_ + watched)
      throw std::logic_error("the workers counted " + std::to_string(all.wakes) + " wake-ups, the master " +
                             std::to_string(sent_ + watched));
    if (all.watched > 0) claims.set(first + asleep, ratio(all.asleep, all.watched));
    claims.set(first + idle_returns, ratio(all.idle_returns, all.wakes));
    // Workers count over their whole run, watched wake-ups included.
    if (sent_ > 0) claims.set(first + switches, ratio(own_switches, sent_) + ratio(all.switches, all.wakes));
  }
  Claims follow(Member&, std::size_t) {
    const std::int64_t before = switches_of_caller();
    Tally own;
    pthread_mutex_lock(mutex_.native());
    while (serve(own)) continue;
    own.switches = switches_of_caller() - before;
    queue_.tally.add(own);
    ++queue_.left;
    // A leaving member signals the master, which else would sleep forever.
    pthread_cond_signal(&told_.native);
    pthread_mutex_unlock(mutex_.native());
    return {};
  }

 private:
  // What workers count.
  struct Tally {
    std::int64_t wakes = 0;
    std::int64_t watched = 0;  // wake-ups whose whole wait was watched
    std::int64_t asleep = 0;   // those of them that slept
    std::int64_t idle_returns = 0;
    std::int64_t switches = 0;
    void add(const Tally& other) {
      wakes += other.wakes;
      watched += other.watched;
      asleep += other.asleep;
      idle_returns += other.idle_returns;
      switches += other.switches;
    }
  };
  // Protected by the mutex.
  struct alignas(line_size) Queue {
    std::int64_t filled = 0;
    std::int64_t waiting = 0;  // workers inside their wait
    std::int64_t left = 0;
    bool is_full = false;
    bool is_over = false;
    bool is_roll_call = false;
    bool is_watched = false;
    Tally tally{};
    std::array<std::int64_t, most_items> items{};
  };

  static Quantity of_batch(const char* name, const char* summary) {
    return {.name = name, .unit = Unit::ratio, .per = Per::batch, .summary = summary};
  }
  static double ratio(std::int64_t part, std::int64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
  }
  static std::int64_t voluntary_switches() {
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
  }

  void fill() {
    while (queue_.filled < capacity_) {
      queue_.items[static_cast<std::size_t>(queue_.filled)] = queue_.filled;
      ++queue_.filled;
    }
    queue_.is_full = true;
  }
  void drain() {
    std::int64_t sum = 0;
    while (queue_.filled > 0) sum += queue_.items[static_cast<std::size_t>(--queue_.filled)];
    keep(sum);
    queue_.is_full = false;
  }
  void await_empty() {
    while (queue_.is_full) pthread_cond_wait(&told_.native, mutex_.native());
  }

  // One wait and what it was for; false when the batch is over. The mutex is held before and after.
  bool serve(Tally& own) {
    const bool is_watched = queue_.is_watched;
    const std::int64_t before = is_watched ? voluntary_switches() : 0;
    if (++queue_.waiting == workers_ && queue_.is_roll_call) pthread_cond_signal(&told_.native);
    while (!queue_.is_full && !queue_.is_over) {
      pthread_cond_wait(&full_.native, mutex_.native());
      own.idle_returns += !queue_.is_full && !queue_.is_over;
    }
    --queue_.waiting;
    if (queue_.is_over) return false;
    ++own.wakes;
    own.watched += is_watched;
    own.asleep += is_watched && voluntary_switches() > before;
    drain();
    pthread_cond_signal(&told_.native);
    return true;
  }

  // Further wake-ups, whose workers look whether they sleep; how many. The signal comes when the mutex is free, so that
  // no member sleeps for that.
  std::int64_t watch() {
    const std::int64_t wakes = 3 * workers_ + 8;
    pthread_mutex_lock(mutex_.native());
    queue_.is_watched = true;
    for (std::int64_t i = 0; i < wakes; ++i) {
      fill();
      pthread_mutex_unlock(mutex_.native());
      pthread_cond_signal(&full_.native);
      pthread_mutex_lock(mutex_.native());
      await_empty();
    }
    pthread_mutex_unlock(mutex_.native());
    return wakes;
  }
  // What was counted, when all workers have left; everything is as at the start then.
  Tally dismiss() {
    pthread_mutex_lock(mutex_.native());
    queue_.is_over = true;
    pthread_cond_broadcast(&full_.native);
    while (queue_.left != workers_) pthread_cond_wait(&told_.native, mutex_.native());
    const Tally all = queue_.tally;
    queue_ = Queue();
    pthread_mutex_unlock(mutex_.native());
    return all;
  }

  Mutex<MutexKind::normal>& mutex_;
  Condition& full_;
  Condition& told_;  // the master: that the queue is empty, or a worker is there, or has left
  Queue& queue_;
  std::int64_t capacity_;
  std::int64_t workers_;
  // Of the first member.
  std::int64_t sent_ = 0;
  std::int64_t switches_ = 0;
};

}  // namespace assay
