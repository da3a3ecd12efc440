// SPDX-License-Identifier: Apache-2.0
// Registers the synchronization primitives measured by one member alone.
#include "sync/register.hpp"

#include "sync/mutex.hpp"

namespace assay {

void register_sync(Registry& registry) {
  registry.add<MutexPair>({.name = "sync/mutex",
                           .summary = "Uncontended lock and unlock of one pthread mutex.",
                           .quantities = {{.name = "time", .summary = "one lock and one unlock"}},
                           .factors = {{.name = "type",
                                        .standard = std::string("normal"),
                                        .words = {"normal", "errorcheck", "recursive", "adaptive"},
                                        .summary = "pthread mutex type"}},
                           .members = exactly(1)});
  registry.add<EmptyBody>({.name = "sync/empty",
                           .summary = "An empty body: what the measuring itself costs per repetition.",
                           .quantities = {{.name = "time", .is_signed = true, .summary = "one empty repetition"}},
                           .members = exactly(1)});
}

}  // namespace assay
