// SPDX-License-Identifier: Apache-2.0
// Registers what is measured of virtual memory.
#include "groups.hpp"
#include "vm/map.hpp"
#include "vm/touched.hpp"

namespace assay {
namespace {

Factor bytes(const char* name, std::int64_t standard, const char* summary) {
  return {
      .name = name, .kind = FactorKind::quantitative, .unit = Unit::bytes, .standard = standard, .summary = summary};
}

constexpr std::int64_t mebi = 1 << 20;

}  // namespace

void register_vm(Registry& registry) {
  registry.add<MapFile>(
      {.name = "vm/map",
       .summary = "A file of `size` bytes mapped shared, one byte stored every 16 KiB in its first tenth, unmapped "
                  "(lat_mmap).",
       .quantities = {{.name = "time", .summary = "one map, touch and unmap: proportional to `size`"},
                      {.name = "faults",
                       .unit = Unit::count,
                       .summary = "page faults of it, as the kernel counts them"}},
       .factors = {bytes("size", 64 * mebi, "of the file"), directory_factor(), piece_factor()},
       .members = exactly(1),
       .traits = {.takes_memory = true}});
  registry.add<PageFaults>(
      {.name = "vm/page_fault",
       .summary = "Memory mapped, touched every `stride` bytes in random order, unmapped; less the same without "
                  "touching (lat_pagefault).",
       .quantities = {{.name = "fault",
                       .is_signed = true,
                       .summary = "touched less untouched, per page fault counted by the kernel"},
                      {.name = "touch",
                       .is_signed = true,
                       .summary = "touched less untouched, per touch: with a stride of a page the cost of a page"},
                      {.name = "touched", .summary = "mapping, touching all, unmapping"},
                      {.name = "untouched", .summary = "mapping and unmapping, measured between the halves of touched"},
                      {.name = "faults", .unit = Unit::ratio, .summary = "page faults by touches"}},
       .factors = {{.name = "kind",
                    .standard = std::string("file"),
                    .words = {"file", "anonymous", "huge"},
                    .summary = "a file in the page cache, read; new memory, written to, of small pages or of huge ones "
                               "(transparent; the stride is then theirs)"},
                   bytes("size", 4 * mebi, "of the mapping"),
                   bytes("stride", 262144, "from one touch to the next; beyond 64 KiB each touch is usually a fault"),
                   directory_factor(),
                   piece_factor()},
       .members = exactly(1),
       // The clock has to resolve the time of one touch of many.
       .traits = {.reps = {.least = Reps{8}}, .takes_memory = true}});
  registry.add<Protect>({.name = "vm/protect",
                         .summary = "Changing the protection of memory: to read-only, and back.",
                         .quantities = {{.name = "time", .summary = "one mprotect"}},
                         .factors = {bytes("size", 4096, "of the memory, all of it in use")},
                         .members = exactly(1),
                         .traits = {.events_per_rep = 2},
                         .core_cycles = CoreCycles::always});
}

}  // namespace assay
