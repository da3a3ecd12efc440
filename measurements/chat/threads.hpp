// SPDX-License-Identifier: Apache-2.0
// Threads with small stacks that report how they fail.
#pragma once
#include <pthread.h>

#include <cstddef>
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

}  // namespace assay
