// SPDX-License-Identifier: Apache-2.0
// Batches that never end: waiting forever in the kernel, or running forever.
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <condition_variable>
#include <mutex>

#include "fault.hpp"

namespace faults {
namespace {

void lock_twice() {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
}

void wait_for_a_lost_signal() {
  std::mutex mutex;
  std::condition_variable condition;
  condition.notify_one();  // no thread waits yet
  std::unique_lock lock(mutex);
  condition.wait(lock, [] { return false; });
}

void wait_for_a_missing_partner() {
  std::barrier barrier(2);
  barrier.arrive_and_wait();
}

void spin() {
  while (true) assay::clobber();
}

void spin_in_calls() {
  while (true) ::syscall(SYS_getppid);
}

struct TwoLocks {
  std::mutex locks[2];
  std::atomic<int> held{0};
};

Batch cross_locks(assay::Setup& setup) {
  return [&two = setup.share<TwoLocks>()](assay::Member& member, assay::Reps reps) {
    const std::lock_guard own(two.locks[member.rank()]);
    for (++two.held; two.held < 2;) assay::relax();
    const std::lock_guard other(two.locks[1 - member.rank()]);
    return fair(reps);
  };
}

}  // namespace

void register_stuck(assay::Registry& registry) {
  add(registry, "deadlock-self", lock_twice);
  add(registry, description("deadlock-abba", 2), cross_locks);
  add(registry, "lost-signal", wait_for_a_lost_signal);
  add(registry, "missing-barrier-partner", wait_for_a_missing_partner);
  add(registry, "spin", spin);
  add(registry, "spin-syscall", spin_in_calls);
}

}  // namespace faults
