// SPDX-License-Identifier: Apache-2.0
// A condition variable that all members can reach.
#pragma once
#include <pthread.h>

#include "lock/lock.hpp"

namespace assay {

/// Constructed where it is shared; used through the library's own functions.
struct Condition {
  explicit Condition(const Setup& setup) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    if (between_processes(setup)) pthread_condattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    const int error = pthread_cond_init(&native, &attributes);
    pthread_condattr_destroy(&attributes);
    accept(error, "pthread_cond_init");
  }
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;
  ~Condition() { pthread_cond_destroy(&native); }

  pthread_cond_t native;
};

}  // namespace assay
