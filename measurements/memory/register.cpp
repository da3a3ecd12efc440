// SPDX-License-Identifier: Apache-2.0
// Registers bandwidths and latencies of memory.
#include "groups.hpp"
#include "memory/bandwidth.hpp"
#include "memory/file_read.hpp"
#include "memory/latency.hpp"

namespace assay {
namespace {

Factor number(const char* name, std::int64_t standard, const char* summary) {
  return {
      .name = name, .kind = FactorKind::quantitative, .unit = Unit::bytes, .standard = standard, .summary = summary};
}

Factor words(const char* name, std::vector<std::string> levels, const char* summary) {
  return {.name = name, .standard = levels.front(), .words = levels, .summary = summary};
}

Quantity of_batch(const char* name, Unit unit, Combine combine, const char* summary) {
  return {.name = name, .unit = unit, .combine = combine, .per = Per::batch, .summary = summary};
}

void register_bandwidth(Registry& registry) {
  registry.add<MemoryBandwidth>(
      {.name = "memory/bandwidth",
       .summary = "Passes over each member's own memory: copying, reading, writing, zeroing (bw_mem, STREAM).",
       .quantities = {{.name = "time",
                       .combine = Combine::slowest,
                       .summary = "one pass of all members, by the slowest one; nothing is subtracted"},
                      of_batch(
                          "bandwidth", Unit::bytes_per_second, Combine::fastest,
                          "bytes of all members over the time of the slowest one: a pass counts `size` "
                          "once, partial forms too; stream-copy and -scale twice, stream-add and -triad three times")},
       .factors = {words("kernel", kernel_words(),
                         "library call, or unrolled loop over words of 4 bytes; partial: one word of 16 bytes; "
                         "unaligned: the target is 1920 bytes off the page; stream: over doubles"),
                   number("size", 8 << 20, "of each range, source and target; a multiple of 512")},
       .members = at_least(1),
       .traits = {.vehicles = {"thread", "process"}}});
}

void register_file_read(Registry& registry) {
  registry.add<FileRead>(
      {.name = "memory/file_read",
       .summary = "Reading a file in the page cache and summing its words of 4 bytes (bw_file_rd, bw_mmap_rd).",
       .quantities = {{.name = "time", .summary = "one pass over the file, with what `how` names; nothing subtracted"},
                      of_batch("bandwidth", Unit::bytes_per_second, Combine::only, "the file's size by that time"),
                      {.name = "faults",
                       .unit = Unit::count,
                       .summary = "page faults of a pass, as the kernel counts"}},
       .factors = {words("how", FileRead::ways(),
                         "by calls of 64 KiB from the start, or through a permanent mapping; open: opened (and mapped) "
                         "before and closed after each pass, by the name in /proc of the unlinked file"),
                   number("size", 8 << 20, "of the file, which is in TMPDIR or /tmp; a multiple of 512")},
       .members = exactly(1),
       .traits = {.vehicles = {"thread", "process"}}});
}

Factor stride_factor() {
  return number("stride", 128,
                "distance of loads in bytes, a multiple of 16; from a page of 4096 on, each in another line");
}

Factor pages_factor() { return words("pages", {"normal", "huge"}, "base pages, or transparent huge pages"); }

Traits traits_of_chain() {
  return {.vehicles = {"thread", "process"}, .events_per_rep = static_cast<double>(PointerChain::unrolled)};
}

void register_main_memory(Registry& registry) {
  registry.add<MainMemoryLatency>(
      {.name = "memory/main_latency",
       .summary = "Dependent loads in random order over a range whose lines take four times the outer cache.",
       .quantities =
           {{.name = "latency", .summary = "one load, the instruction included; nothing is subtracted"},
            of_batch("range", Unit::bytes, Combine::only,
                     "of the loads: it follows the outer cache which the system states, with 64 MiB at least and a "
                     "quarter of the available memory at most")},
       .factors = {stride_factor(), pages_factor()},
       .members = exactly(1),
       .traits = traits_of_chain()});
}

void register_latency(Registry& registry) {
  registry.add<MemoryLatency>(
      {.name = "memory/latency",
       .summary = "Dependent loads over a range of memory (lat_mem_rd).",
       .quantities = {{.name = "latency", .summary = "one load, the instruction included; nothing is subtracted"}},
       .factors =
           {number("size", 8 << 20, "of the range; a multiple of the stride"), stride_factor(),
            words(
                "order", MemoryLatency::orders(),
                "random: over the whole range; paged: pages in random order, and in each its elements in random order"),
            pages_factor()},
       .members = exactly(1),
       .traits = traits_of_chain()});
}

}  // namespace

void register_memory(Registry& registry) {
  register_bandwidth(registry);
  register_file_read(registry);
  register_latency(registry);
  register_main_memory(registry);
}

}  // namespace assay
