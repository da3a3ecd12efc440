// SPDX-License-Identifier: Apache-2.0
// A measurement over all kinds of locks.
#pragma once
#include "lock/kinds.hpp"
#include "sync/choice.hpp"

namespace assay {

namespace over_locks_parts {

template <template <class> class M>
Choice several() {
  Choice locks("lock",
               "which kind of lock: of Pthreads, first come first served by numbers (ticket), queues of members that "
               "poll (mcs, clh), a ticket lock per memory node under one over all (cohort); a semaphore of System V");
  for_each_lock([&]<Lock L>(const char* word) {
    if constexpr (M<L>::takes) locks.add<M<L>>(word);
  });
  return locks;
}

}  // namespace over_locks_parts

/// Registers M<L> for the locks L that it takes (`M<L>::takes`), under factor `lock`: those of which a member can hold
/// several at a time.
template <template <class> class M>
void add_over_locks(Registry& registry, Description description) {
  over_locks_parts::several<M>().register_as(registry, std::move(description));
}

/// The same for all locks.
template <template <class> class M>
void add_over_all_locks(Registry& registry, Description description) {
  Choice locks = over_locks_parts::several<M>();
  for_each_placed_lock([&]<PlacedLock L>(const char* word) { locks.add<M<L>>(word); });
  locks.register_as(registry, std::move(description));
}

}  // namespace assay
