// SPDX-License-Identifier: Apache-2.0
// Registers the token ring and what a hop costs without a switch.
#include "os/parts.hpp"
#include "os/token_ring.hpp"

namespace assay {
namespace {

Factor number(const char* name, std::int64_t standard, const char* summary, Unit unit = Unit::count) {
  return {.name = name, .kind = FactorKind::quantitative, .unit = unit, .standard = standard, .summary = summary};
}

Factor size_factor() { return number("size", 0, "private bytes that are summed once per hop", Unit::bytes); }

}  // namespace

void register_token(Registry& registry) {
  registry.add<TokenRing>(
      {.name = "os/token_ring",
       .summary = "A token through pipes around a ring of members, each of which sums its own memory (lat_ctx).",
       .quantities = {{.name = "time",
                       .summary = "one hop: a read, a sum, a write and the switch; a circulation divided by its hops"},
                      {.name = "switches",
                       .unit = Unit::ratio,
                       .combine = Combine::sum,
                       .summary = "context switches of all members per hop, as the kernel counts them"}},
       .factors = {size_factor()},
       .members = at_least(2),
       .traits = {.vehicles = {"thread", "process"}, .waiting = Waiting::blocks},
       .core_cycles = CoreCycles::on_one_cpu});
  registry.add<TokenRingOverhead>(
      {.name = "os/token_ring_overhead",
       .summary = "The cost of a hop of os/token_ring without a switch: one member passes the token to itself.",
       .quantities = {{.name = "time", .summary = "a write, a read and a sum"}},
       .factors = {size_factor(), number("pipes", 1, "pipes that the token goes through in turn")},
       .members = exactly(1),
       .traits = {.vehicles = {"thread", "process"}},
       .core_cycles = CoreCycles::always});
}

}  // namespace assay
