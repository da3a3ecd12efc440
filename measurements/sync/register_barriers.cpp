// SPDX-License-Identifier: Apache-2.0
// Barriers, crossed back to back and by a late member.
#include "sync/barriers.hpp"

#include "ck/barriers.hpp"
#include "sync/barrier_late.hpp"
#include "sync/choice.hpp"
#include "sync/parts.hpp"
#include "sync/polled_barriers.hpp"

namespace assay {
namespace {

template <template <class> class M>
void add_over_barriers(Registry& registry, Description description) {
  Choice barriers(
      "barrier",
      "which barrier: the library's, the language's, or one whose members poll: a counter (central), messages in "
      "rounds (dissemination), a tournament, a static tree; ck-: those of Concurrency Kit");
  barriers.add<M<PthreadBarrier>>("pthread");
  barriers.add<M<StdBarrier>>("std");
  barriers.add<M<CentralBarrier>>("central");
  barriers.add<M<DisseminationRounds>>("dissemination");
  barriers.add<M<Tournament>>("tournament");
  barriers.add<M<StaticTree>>("tree");
  // Where waiting has to be proved by polls, those whose polls are hidden in a library cannot be measured.
  if constexpr (std::same_as<M<CkCentral>, BarrierRounds<CkCentral>>) {
    barriers.add<M<CkCentral>>("ck-central");
    barriers.add<M<CkDissemination>>("ck-dissemination");
    barriers.add<M<CkTournament>>("ck-tournament");
    barriers.add<M<CkTree>>("ck-tree");
  }
  description.members = at_least(2);
  barriers.register_as(registry, std::move(description));
}

void add_rounds(Registry& registry) {
  std::vector<Factor> factors = work_factors("work", "before each crossing");
  factors.push_back({.name = "checked",
                     .standard = std::string("no"),
                     .words = {"no", "yes"},
                     .summary = "whether each member checks after each crossing that all others had arrived"});
  add_over_barriers<BarrierRounds>(
      registry,
      {.name = "sync/barrier",
       .summary = "Crossings of a barrier by all members, back to back.",
       .quantities = {{.name = "time", .combine = Combine::slowest, .summary = "one crossing, with the work before it"},
                      {.name = "residual",
                       .combine = Combine::slowest,
                       .is_signed = true,
                       .summary = "one crossing less the work, which is timed alone in the same batch"},
                      {.name = "work", .combine = Combine::slowest, .summary = "the work alone"}},
       .factors = std::move(factors)});
}

Quantity seen_by_late(std::string name, std::string summary) {
  return {.name = std::move(name), .combine = Combine::sum, .summary = std::move(summary)};
}

void add_late(Registry& registry) {
  add_over_barriers<BarrierLate>(
      registry, {.name = "sync/barrier_late",
                 .summary = "A barrier reached by one member, each in turn, when all others provably wait in it.",
                 .quantities = {seen_by_late("release", "the late member's own call"),
                                seen_by_late("first", "from the start of that call to the first exit of the others"),
                                seen_by_late("last", "from the start of that call to the last exit of the others"),
                                seen_by_late("spread", "from the first to the last"),
                                {.name = "proved",
                                 .unit = Unit::ratio,
                                 .combine = Combine::sum,
                                 .per = Per::batch,
                                 .summary = "share of the crossings with a proof that all others waited"}},
                 .factors = {{.name = "proof",
                              .standard = std::string("syscall"),
                              .words = {"syscall", "state", "none"},
                              .summary = "proof that a member sleeps: the system call it is in, its state, or none"}}});
}

}  // namespace

void register_barriers(Registry& registry) {
  add_rounds(registry);
  add_late(registry);
}

}  // namespace assay
