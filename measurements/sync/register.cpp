// SPDX-License-Identifier: Apache-2.0
// Registers the synchronization primitives apart from channels: used alone, by many, or without a message.
#include "groups.hpp"
#include "sync/parts.hpp"

namespace assay {

void register_sync(Registry& registry) {
  register_uncontended(registry);
  register_conditions(registry);
  register_barriers(registry);
  register_contended(registry);
  register_turns(registry);
  register_futex(registry);
  register_reads(registry);
  register_line(registry);
}

}  // namespace assay
