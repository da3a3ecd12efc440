// SPDX-License-Identifier: Apache-2.0
// Semaphores: a message is a token.
#pragma once
#include <semaphore.h>

#include <array>
#include <cstdint>
#include <limits>
#include <semaphore>

#include "channel/channel.hpp"
#include "channel/descriptor.hpp"
#include "lock/sysv_semaphore.hpp"

namespace assay {

/// The semaphore of POSIX; shared between processes where members are.
class PosixSemaphore {
 public:
  static std::vector<std::string> vehicles() { return {"thread", "process"}; }
  static constexpr std::int64_t capacity = std::numeric_limits<std::int32_t>::max();
  explicit PosixSemaphore(bool within_process) { sem_init(&semaphore_, within_process ? 0 : 1, 0); }
  PosixSemaphore(const PosixSemaphore&) = delete;
  PosixSemaphore& operator=(const PosixSemaphore&) = delete;
  ~PosixSemaphore() { sem_destroy(&semaphore_); }
  void release() {
    if (sem_post(&semaphore_) != 0) fail("posting a semaphore");
  }
  void acquire() {
    uninterrupted("waiting for a semaphore", [&] { return sem_wait(&semaphore_); });
  }
  SleepingPlace sleeping_place() const { return in_futex_of(semaphore_); }

 private:
  sem_t semaphore_;
};

/// The semaphore of the C++ library, which spins and yields before it sleeps. libstdc++ sleeps in a futex that is
/// private to the process: it does not wake another one.
class StandardSemaphore {
 public:
  static std::vector<std::string> vehicles() { return {"thread"}; }
  static constexpr std::int64_t capacity = std::numeric_limits<std::int32_t>::max();
  explicit StandardSemaphore(bool) {}
  void release() { semaphore_.release(); }
  void acquire() { semaphore_.acquire(); }
  SleepingPlace sleeping_place() const { return in_futex_of(semaphore_); }

 private:
  std::counting_semaphore<> semaphore_{0};
};

/// The semaphore of System V, of the same operations, each of which is a call.
class SystemVSemaphore {
 public:
  static std::vector<std::string> vehicles() { return {"thread", "process"}; }
  static constexpr std::int64_t capacity = 32767;  // the kernel's SEMVMX
  explicit SystemVSemaphore(bool) {}
  void release() {
    if (semaphore_.post() != 0) fail("posting a semaphore");
  }
  void acquire() {
    uninterrupted("waiting for a semaphore", [&] { return semaphore_.wait(); });
  }
  SleepingPlace sleeping_place() const {
    const auto id = static_cast<std::uint64_t>(semaphore_.id());
    return {{SYS_semop, SYS_semtimedop}, id, id};
  }

 private:
  SysvSemaphore semaphore_{0};
};

/// A semaphore per direction.
template <class S>
class Tokens {
  struct alignas(line_size) Line {
    explicit Line(bool within_process) : semaphore(within_process) {}
    S semaphore;
  };

 public:
  explicit Tokens(Setup& setup)
      : lines_{&setup.share<Line>(within_process(setup)), &setup.share<Line>(within_process(setup))} {}
  static Traits traits() { return {.vehicles = S::vehicles(), .waiting = Waiting::either}; }
  static constexpr Delivery delivery = Delivery::queued;
  std::int64_t capacity() const { return S::capacity; }
  SleepingPlace sleeping_place(Direction direction) const {
    return lines_[index(direction)]->semaphore.sleeping_place();
  }

  void enter(Member&) {}
  void leave(Member&) {}
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member&, Direction direction) { lines_[index(direction)]->semaphore.release(); }
  void receive(Member&, Direction direction) { lines_[index(direction)]->semaphore.acquire(); }

 private:
  std::array<Line*, 2> lines_;
};

}  // namespace assay
