// SPDX-License-Identifier: Apache-2.0
// Creating a thread, and creating and joining it.
#pragma once
#include <pthread.h>

#include <cstddef>
#include <string>
#include <thread>

#include "api/measurement.hpp"
#include "thread/threads.hpp"

namespace assay {

/// What the created threads do.
inline void* end_at_once(void*) { return nullptr; }

/// One creation of a thread whose function returns at once, and the join: of POSIX or of C++. The thread inherits the
/// member's binding.
class CreateJoin final : public Measurement {
 public:
  explicit CreateJoin(Setup& setup) : is_std_(setup.word("api") == "std") {
    const auto stack = setup.level<std::size_t>("stack");
    if (is_std_ && stack != 0) throw Unsupported("std::thread has no stack size; use stack = 0 or api = pthread");
    attributes_.stack(stack);
  }

  Claims run(Member& member, Reps reps) override {
    if (is_std_) return member.timed(reps, [] { std::thread([] { clobber(); }).join(); });
    return member.timed(reps, [this] { pthread_join(start_thread(attributes_, end_at_once, nullptr), nullptr); });
  }

 private:
  bool is_std_;
  ThreadAttributes attributes_;
};

/// The call that creates a thread, alone. The thread is joined, or seen to be gone, outside the clock.
class Create final : public Measurement {
 public:
  explicit Create(Setup& setup) : is_joinable_(setup.word("state") == "joinable") {
    attributes_.stack(setup.level<std::size_t>("stack")).state(setup.word("state"));
  }

  void enter(Member&) override { others_ = threads_alive(); }
  Claims run(Member& member, Reps reps) override {
    Nanoseconds total;
    for (std::int64_t i = 0; i < reps.count; ++i) {
      pthread_t thread;
      total += member.timed(Reps{1}, [&] { thread = start_thread(attributes_, end_at_once, nullptr); });
      is_joinable_ ? static_cast<void>(pthread_join(thread, nullptr)) : await_threads(others_);
    }
    return total;
  }

 private:
  bool is_joinable_;
  ThreadAttributes attributes_;
  std::size_t others_ = 0;
};

}  // namespace assay
