// SPDX-License-Identifier: Apache-2.0
// Creating a thread, and creating and joining it.
#pragma once
#include <pthread.h>
#include <sched.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "api/measurement.hpp"
#include "thread/threads.hpp"

namespace assay {

/// One creation of a thread that notes its CPU and returns, and the join: of POSIX or of C++. The thread inherits the
/// member's binding. Where it runs decides what it costs: on another CPU one has to be woken for it, and answers.
class CreateJoin {
 public:
  static Traits traits() {
    Traits traits;
    traits.waiting = Waiting::blocks;
    traits.takes_memory = true;
    return traits;
  }
  static std::vector<Quantity> own_quantities() {
    return {{.name = "elsewhere",
             .unit = Unit::ratio,
             .per = Per::batch,
             .summary = "share of the threads that ran on another CPU than the one that created them",
             .is_elsewhere = true}};
  }
  static std::int64_t turns_per_rep() { return 1; }

  explicit CreateJoin(Setup& setup) : is_std_(setup.word("api") == "std") {
    const auto stack = setup.level<std::size_t>("stack");
    if (is_std_ && stack != 0) throw Unsupported("std::thread has no stack size; use stack = 0 or api = pthread");
    attributes_.stack(stack);
  }

  void enter(Member&) {}
  void begin(Member&) { created_ = elsewhere_ = 0; }
  template <class More>
  std::int64_t lead(Member&, More more) {
    for (; more(); ++created_) {
      const int own = ::sched_getcpu();
      elsewhere_ += cpu_of_one() != own;
    }
    return created_;
  }
  void end(Member&, Claims& claims, std::size_t first) {
    if (created_ > 0) claims.set(first, static_cast<double>(elsewhere_) / static_cast<double>(created_));
  }
  Claims follow(Member&, std::size_t) { return {}; }

 private:
  static void* note_cpu(void* cpu) {
    *static_cast<int*>(cpu) = ::sched_getcpu();
    return nullptr;
  }
  // Where a thread ran that has been created and joined.
  int cpu_of_one() {
    int cpu = -1;
    if (is_std_)
      std::thread(note_cpu, &cpu).join();
    else
      pthread_join(start_thread(attributes_, note_cpu, &cpu), nullptr);
    return cpu;
  }

  bool is_std_;
  ThreadAttributes attributes_;
  std::int64_t created_ = 0;
  std::int64_t elsewhere_ = 0;
};

/// What a created thread does that does nothing.
inline void* end_at_once(void*) { return nullptr; }

/// The call that creates a thread, alone. The thread is joined, or seen to be gone, outside the clock.
class Create final : public Measurement {
 public:
  explicit Create(Setup& setup) : is_joinable_(setup.word("detachstate") == "joinable") {
    attributes_.stack(setup.level<std::size_t>("stack")).state(setup.word("detachstate"));
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
