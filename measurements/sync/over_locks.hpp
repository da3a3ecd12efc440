// SPDX-License-Identifier: Apache-2.0
// A measurement over all kinds of locks.
#pragma once
#include "lock/kinds.hpp"
#include "sync/choice.hpp"

namespace assay {

/// Registers M<L> for the locks L that it takes (`M<L>::takes`), under factor `lock`.
template <template <class> class M>
void add_over_locks(Registry& registry, Description description) {
  Choice locks("lock", "which kind of lock");
  for_each_lock([&]<Lock L>(const char* word) {
    if constexpr (M<L>::takes) locks.add<M<L>>(word);
  });
  locks.register_as(registry, std::move(description));
}

}  // namespace assay
