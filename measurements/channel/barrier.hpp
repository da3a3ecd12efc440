// SPDX-License-Identifier: Apache-2.0
// Barriers of two: sending and receiving are both an arrival.
#pragma once
#include <pthread.h>

#include <array>
#include <barrier>
#include <cstdint>

#include "channel/channel.hpp"

namespace assay {

/// The barrier of POSIX; shared between processes where members are.
class PosixBarrier {
 public:
  static std::vector<std::string> vehicles() { return {"thread", "process"}; }
  explicit PosixBarrier(bool within_process) {
    pthread_barrierattr_t attributes;
    pthread_barrierattr_init(&attributes);
    pthread_barrierattr_setpshared(&attributes, within_process ? PTHREAD_PROCESS_PRIVATE : PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&barrier_, &attributes, 2);
    pthread_barrierattr_destroy(&attributes);
  }
  PosixBarrier(const PosixBarrier&) = delete;
  PosixBarrier& operator=(const PosixBarrier&) = delete;
  ~PosixBarrier() { pthread_barrier_destroy(&barrier_); }
  void arrive_and_wait() { pthread_barrier_wait(&barrier_); }
  SleepingPlace sleeping_place() const { return in_futex_of(barrier_); }

 private:
  pthread_barrier_t barrier_;
};

/// The barrier of the C++ library. libstdc++ keeps its state on the heap and sleeps on a word of a table of its own,
/// in a futex that is private to the process: it is for threads only.
class StandardBarrier {
 public:
  static std::vector<std::string> vehicles() { return {"thread"}; }
  explicit StandardBarrier(bool) {}
  void arrive_and_wait() { barrier_.arrive_and_wait(); }
  SleepingPlace sleeping_place() const { return in_any_futex(); }

 private:
  std::barrier<> barrier_{2};
};

/// A barrier per direction, crossed by both members for each message.
template <class B>
class Crossing {
  struct alignas(line_size) Line {
    explicit Line(bool within_process) : barrier(within_process) {}
    B barrier;
  };

 public:
  explicit Crossing(Setup& setup)
      : lines_{&setup.share<Line>(within_process(setup)), &setup.share<Line>(within_process(setup))} {}
  static Traits traits() { return {.vehicles = B::vehicles(), .waiting = Waiting::either}; }
  static constexpr Delivery delivery = Delivery::handed;
  static constexpr bool any_thread = true;     // a barrier has no owner
  std::int64_t capacity() const { return 0; }  // a sender waits for its receiver
  SleepingPlace sleeping_place(Direction direction) const { return barrier(direction).sleeping_place(); }

  void enter(Member&) {}
  void leave(Member&) {}
  void settle(Member&, Direction) {}  // nothing is sent before it is received
  void send(Member&, Direction direction) { barrier(direction).arrive_and_wait(); }
  void receive(Member&, Direction direction) { barrier(direction).arrive_and_wait(); }

 private:
  B& barrier(Direction direction) const { return lines_[index(direction)]->barrier; }
  std::array<Line*, 2> lines_;
};

}  // namespace assay
