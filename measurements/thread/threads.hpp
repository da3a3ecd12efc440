// SPDX-License-Identifier: Apache-2.0
// Threads that are the measured action's own: their attributes, their start, and the proof that they are gone.
#pragma once
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <system_error>

#include "api/measurement.hpp"
#include "limits/limits.hpp"

namespace assay {

/// The attributes that threads are created with, each from the word or number of a factor.
class ThreadAttributes {
 public:
  ThreadAttributes() { pthread_attr_init(&attributes_); }
  ThreadAttributes(const ThreadAttributes&) = delete;
  ThreadAttributes& operator=(const ThreadAttributes&) = delete;
  ~ThreadAttributes() { pthread_attr_destroy(&attributes_); }

  /// Size of the stack; 0 leaves the library's default. Throws Unsupported for a size that the library refuses.
  ThreadAttributes& stack(std::size_t bytes) {
    if (bytes != 0 && pthread_attr_setstacksize(&attributes_, bytes) != 0)
      throw Unsupported("the thread library refuses a stack of " + std::to_string(bytes) + " bytes");
    return *this;
  }
  /// `joinable` or `detached`.
  ThreadAttributes& state(const std::string& word) {
    pthread_attr_setdetachstate(&attributes_, word == "detached" ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
    return *this;
  }
  /// `system` or `process`. Throws Unsupported with code N10 where the library says that it has no such threads.
  ThreadAttributes& scope(const std::string& word) {
    const int error =
        pthread_attr_setscope(&attributes_, word == "process" ? PTHREAD_SCOPE_PROCESS : PTHREAD_SCOPE_SYSTEM);
    if (error != 0)
      throw Unsupported("the thread library refuses threads of " + word + " scope (pthread_attr_setscope: " +
                            std::generic_category().message(error) + "); use scope = system",
                        "N10");
    return *this;
  }
  /// `inherited` from the creating thread, or `explicit`: set for the new one, to the default policy.
  ThreadAttributes& scheduling(const std::string& word) {
    pthread_attr_setinheritsched(&attributes_, word == "explicit" ? PTHREAD_EXPLICIT_SCHED : PTHREAD_INHERIT_SCHED);
    return *this;
  }
  /// Size of the guard below the stack; 0 for none. Throws Unsupported for a size that the library refuses.
  ThreadAttributes& guard(std::size_t bytes) {
    if (pthread_attr_setguardsize(&attributes_, bytes) != 0)
      throw Unsupported("the thread library refuses a guard of " + std::to_string(bytes) + " bytes");
    return *this;
  }
  const pthread_attr_t* get() const { return &attributes_; }
  std::size_t stack_size() const {
    std::size_t bytes = 0;
    pthread_attr_getstacksize(&attributes_, &bytes);
    return bytes;
  }

 private:
  pthread_attr_t attributes_;
};

/// The number of threads of this process, from the number of entries of its task folder; 0 where that cannot be read.
inline std::size_t threads_alive() {
  struct stat tasks {};
  return ::stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink > 2 ? tasks.st_nlink - 2 : 0;
}

/// The refusal of a thread with these attributes, as it is now.
inline Refusal refused_now(int error, const ThreadAttributes& attributes) {
  return {.error = error, .alive = threads_alive(), .stack = attributes.stack_size()};
}

/// Starts a thread. Throws Unsupported that names the limit where the system has none.
inline pthread_t start_thread(const ThreadAttributes& attributes, void* (*body)(void*), void* argument) {
  pthread_t thread;
  if (const int error = pthread_create(&thread, attributes.get(), body, argument); error != 0)
    refuse(refused_now(error, attributes));
  return thread;
}

/// Returns when no more than `most` threads are left: detached ones have ended then.
inline void await_threads(std::size_t most) {
  while (threads_alive() > most) ::sched_yield();
}

/// How often the calling thread was switched out, of its own accord or not.
inline std::int64_t switches_of_caller() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw + usage.ru_nivcsw;
}

/// CPU time of the calling thread so far.
inline Nanoseconds cpu_of_caller() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return seconds(static_cast<double>(now.tv_sec)) + Nanoseconds{static_cast<double>(now.tv_nsec)};
}

}  // namespace assay
