// SPDX-License-Identifier: Apache-2.0
// Threads with small stacks that report how they fail, and the context switches of those that a measurement has
// started.
#pragma once
#include <pthread.h>
#include <sys/resource.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <utility>
#include <vector>

#include "api/measurement.hpp"
#include "chat/gate.hpp"
#include "thread/threads.hpp"

namespace assay {

/// The threads of one side of a chat. Whatever a life throws becomes the failure of the course.
class ChatThreads {
 public:
  static constexpr std::size_t stack = std::size_t{128} << 10U;

  explicit ChatThreads(Course& course) : course_(course) { attributes_.stack(stack); }
  ChatThreads(const ChatThreads&) = delete;
  ChatThreads& operator=(const ChatThreads&) = delete;
  /// Lives have to be on their way to their ends.
  ~ChatThreads() { join(); }

  /// Throws Unsupported when the system refuses one more thread.
  void start(std::function<void()> life) {
    Job& job = jobs_.emplace_back(Job{std::move(life), &course_});
    threads_.push_back(start_thread(attributes_, live, &job));
  }
  void join() {
    for (const pthread_t thread : threads_) pthread_join(thread, nullptr);
    threads_.clear();
    jobs_.clear();
  }
  std::size_t size() const { return threads_.size(); }

 private:
  struct Job {
    std::function<void()> life;
    Course* course;
  };
  static void* live(void* argument) {
    const Job& job = *static_cast<Job*>(argument);
    try {
      job.life();
    } catch (const std::exception& error) {
      job.course->fail(error.what());
    }
    return nullptr;
  }

  Course& course_;
  ThreadAttributes attributes_;
  std::deque<Job> jobs_;  // do not move
  std::vector<pthread_t> threads_;
};

/// By the kernel's two kinds.
struct SwitchCount {
  std::int64_t voluntary = 0;
  std::int64_t involuntary = 0;
  SwitchCount operator-(const SwitchCount& other) const {
    return {voluntary - other.voluntary, involuntary - other.involuntary};
  }
};

/// Of all threads of the process so far but the caller, which the guards know.
inline SwitchCount switches_of_others() {
  rusage all{};
  rusage own{};
  ::getrusage(RUSAGE_SELF, &all);
  ::getrusage(RUSAGE_THREAD, &own);
  return {all.ru_nvcsw - own.ru_nvcsw, all.ru_nivcsw - own.ru_nivcsw};
}

}  // namespace assay
