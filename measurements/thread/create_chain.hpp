// SPDX-License-Identifier: Apache-2.0
// Recursive creation of threads: each creates the next and ends.
#pragma once
#include <pthread.h>

#include <cstddef>
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "thread/threads.hpp"

namespace assay {

/// The chain of de Supinski and May, Benchmarking Pthreads Performance (1999), section 3: the member creates a thread
/// and waits on a condition variable; each thread counts itself and creates the next, the last one signals. A
/// repetition is a chain; what is claimed is its time divided by its length. Threads are joined, or seen to be gone,
/// outside the clock.
class CreateChain final : public Measurement {
 public:
  /// Throws Unsupported for attributes that the library refuses (process scope: N10) and a chain of length 0.
  explicit CreateChain(Setup& setup)
      : is_joinable_(setup.word("detachstate") == "joinable"), threads_(setup.level<std::size_t>("chain")) {
    if (threads_.empty()) throw Unsupported("a chain of 0 threads has no creation to time; use chain = 1 or more");
    attributes_.stack(setup.level<std::size_t>("stack"))
        .state(setup.word("detachstate"))
        .scope(setup.word("scope"))
        .scheduling(setup.word("scheduling"));
  }
  ~CreateChain() override {
    pthread_cond_destroy(&condition_);
    pthread_mutex_destroy(&mutex_);
  }

  void enter(Member&) override { others_ = threads_alive(); }
  Claims run(Member& member, Reps reps) override {
    Nanoseconds total;
    for (std::int64_t i = 0; i < reps.count; ++i) {
      count_ = 0;
      is_over_ = false;
      total += member.timed(Reps{1}, [this] { perform(); });
      clear_away();
    }
    return total / static_cast<double>(threads_.size());
  }
  /// The threads that the last chain consisted of.
  std::size_t count() const { return count_; }

 private:
  static void* link(void* chain) {
    static_cast<CreateChain*>(chain)->extend();
    return nullptr;
  }
  int create() { return pthread_create(&threads_[count_], attributes_.get(), link, this); }
  // One thread after the other: the creation of the next one orders all accesses.
  void extend() {
    if (++count_ == threads_.size()) return end(0);
    if (const int error = create(); error != 0) end(error);
  }
  void end(int error) {
    if (error != 0) {
      const Refusal refusal = refused_now(error, attributes_);
      refusal_ = refusal_text(refusal, thread_limits(refusal.alive));
    }
    pthread_mutex_lock(&mutex_);
    is_over_ = true;
    pthread_cond_signal(&condition_);
    pthread_mutex_unlock(&mutex_);
  }
  void perform() {
    if (const int error = create(); error != 0) return end(error);
    pthread_mutex_lock(&mutex_);
    while (!is_over_) pthread_cond_wait(&condition_, &mutex_);
    pthread_mutex_unlock(&mutex_);
  }
  // In the order of creation: a thread that has been joined has stored the id of the next one.
  void clear_away() {
    if (is_joinable_)
      for (std::size_t i = 0; i < count_; ++i) pthread_join(threads_[i], nullptr);
    else
      await_threads(others_);
    if (!refusal_.empty())
      throw Unsupported("thread " + std::to_string(count_ + 1) + " of a chain of " + std::to_string(threads_.size()) +
                        ": " + refusal_);
  }

  bool is_joinable_;
  std::vector<pthread_t> threads_;
  ThreadAttributes attributes_;
  std::size_t others_ = 0;
  std::size_t count_ = 0;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition_ = PTHREAD_COND_INITIALIZER;
  bool is_over_ = false;
  std::string refusal_;  // empty, or why there is no further thread
};

}  // namespace assay
