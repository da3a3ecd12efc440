// SPDX-License-Identifier: Apache-2.0
// A mutex that nobody else wants, and an empty body beside it.
#pragma once
#include <pthread.h>

#include <string>

#include "api/measurement.hpp"

namespace assay {

/// Lock and unlock of one mutex by its only user. The mutex has been through one clean pair before it is timed.
class MutexPair final : public Measurement {
 public:
  explicit MutexPair(Setup& setup) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type(setup.word("type")));
    pthread_mutex_init(&mutex_, &attributes);
    pthread_mutexattr_destroy(&attributes);
  }
  ~MutexPair() override { pthread_mutex_destroy(&mutex_); }

  void enter(Member&) override { pair(); }
  Claims run(Member& member, Reps reps) override {
    return member.timed(reps, [this] { pair(); });
  }

 private:
  static int type(const std::string& word) {
    if (word == "errorcheck") return PTHREAD_MUTEX_ERRORCHECK;
    if (word == "recursive") return PTHREAD_MUTEX_RECURSIVE;
    if (word == "adaptive") return PTHREAD_MUTEX_ADAPTIVE_NP;
    return PTHREAD_MUTEX_NORMAL;
  }
  void pair() {
    pthread_mutex_lock(&mutex_);
    pthread_mutex_unlock(&mutex_);
  }
  alignas(line_size) pthread_mutex_t mutex_;
};

/// A body that does nothing but keep its loop.
class EmptyBody final : public Measurement {
 public:
  explicit EmptyBody(Setup&) {}
  Claims run(Member& member, Reps reps) override {
    return member.timed(reps, [] { clobber(); });
  }
};

}  // namespace assay
