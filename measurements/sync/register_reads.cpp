// SPDX-License-Identifier: Apache-2.0
// Read sections, by what protects them.
#include "sync/choice.hpp"
#include "sync/parts.hpp"
#include "sync/read_section.hpp"

namespace assay {

void register_reads(Registry& registry) {
  Choice sections("section",
                  "what lets a reader in: a hazard pointer that it publishes and clears, an epoch that it enters and "
                  "leaves, the library's read-write lock, or nothing but the load");
  sections.add<ReadSection<HazardReads>>("hazard");
  sections.add<ReadSection<EpochReads>>("epoch");
  sections.add<ReadSection<LockedReads>>("rwlock");
  sections.add<ReadSection<UnprotectedReads>>("none");
  sections.register_as(
      registry,
      {.name = "sync/read_section",
       .summary = "A read of what a pointer leads to, protected from a writer that replaces and reclaims it.",
       .quantities =
           {{.name = "time", .summary = "one section with the load in it; mean of the readers"},
            {.name = "writes", .unit = Unit::per_second, .per = Per::batch, .summary = "replacements by the writer"},
            {.name = "backlog",
             .unit = Unit::count,
             .per = Per::batch,
             .summary = "most things that were replaced and not reclaimed yet, of at most 255"}},
       .factors = {{.name = "writer",
                    .standard = std::string("none"),
                    .words = {"none", "reclaims"},
                    .summary = "whether member 0 replaces and reclaims all the time, while the others read"}},
       .members = at_least(1)});
}

}  // namespace assay
