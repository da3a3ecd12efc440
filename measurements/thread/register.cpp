// SPDX-License-Identifier: Apache-2.0
// Registers the life of threads.
#include "thread/register.hpp"

#include "thread/create_join.hpp"

namespace assay {

void register_thread(Registry& registry) {
  registry.add<CreateJoin>({.name = "thread/create_join",
                            .summary = "Creation of a thread that does nothing, and joining it.",
                            .quantities = {{.name = "time", .summary = "one create and one join"}},
                            .factors = {{.name = "stack",
                                         .kind = FactorKind::quantitative,
                                         .unit = Unit::bytes,
                                         .standard = std::int64_t{0},
                                         .summary = "stack size; 0 is the library's own default"}},
                            .members = exactly(1),
                            .traits = {.waiting = Waiting::blocks}});
}

}  // namespace assay
