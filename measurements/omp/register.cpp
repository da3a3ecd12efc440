// SPDX-License-Identifier: Apache-2.0
// Registers the constructs of OpenMP.
#include "groups.hpp"
#include "omp/construct.hpp"

namespace assay {
namespace {

Factor number(const char* name, std::int64_t standard, const char* summary, Unit unit = Unit::count) {
  return {.name = name, .kind = FactorKind::quantitative, .unit = unit, .standard = standard, .summary = summary};
}

std::vector<Factor> factors_of(OmpConstruct construct) {
  std::vector<Factor> factors{number("threads", 2, "threads of the OpenMP team, the member being the first")};
  factors.push_back({.name = "spread",
                     .standard = std::string("yes"),
                     .words = {"yes", "no"},
                     .summary = "each thread of the team is bound to its own CPU"});
  if (construct != OmpConstruct::atomic)
    factors.push_back(number("delay", 100, "work of a thread within the construct", Unit::nanoseconds));
  if (construct == OmpConstruct::loop) {
    factors.push_back({.name = "schedule",
                       .standard = std::string("static"),
                       .words = {"static", "dynamic", "guided"},
                       .summary = "how iterations are distributed"});
    factors.push_back(number("chunk", 0, "iterations per chunk; 0 is the schedule's default"));
    factors.push_back(number("iterations", 128, "iterations per thread"));
  }
  return factors;
}

void add(Registry& registry, OmpConstruct construct, const char* name, const char* summary) {
  registry.add(
      {.name = std::string("omp/") + name,
       .summary = summary,
       .quantities = {{.name = "time", .summary = "one construct with its work"},
                      {.name = "overhead",
                       .is_signed = true,
                       .summary = "the same less the work of one thread alone, measured before and after it"},
                      {.name = "switches",
                       .unit = Unit::count,
                       .per = Per::batch,
                       .summary = "context switches of the team in a batch: threads that lost their CPU"}},
       .factors = factors_of(construct),
       .members = exactly(1),
       // A batch ends with a barrier of its own, which must not count for much; loops are long beside it.
       .traits = {.waiting = Waiting::either, .reps = {.least = Reps{construct == OmpConstruct::loop ? 8 : 64}}}},
      [construct](Setup& setup) { return make_omp(construct, setup); });
}

}  // namespace

void register_omp(Registry& registry) {
  add(registry, OmpConstruct::parallel, "parallel", "An OpenMP parallel region.");
  add(registry, OmpConstruct::loop, "for", "An OpenMP work-sharing loop, with its barrier.");
  add(registry, OmpConstruct::barrier, "barrier", "An OpenMP barrier.");
  add(registry, OmpConstruct::single, "single", "An OpenMP single construct, with its barrier.");
  add(registry, OmpConstruct::critical, "critical", "An OpenMP critical section, contended by all threads.");
  add(registry, OmpConstruct::lock, "lock", "An OpenMP lock, contended by all threads.");
  add(registry, OmpConstruct::ordered, "ordered", "An OpenMP ordered construct: each piece by another thread.");
  add(registry, OmpConstruct::atomic, "atomic", "An OpenMP atomic addition to one variable by all threads.");
  add(registry, OmpConstruct::reduction, "reduction", "An OpenMP parallel region with a sum over all threads.");
  add(registry, OmpConstruct::task, "task", "An OpenMP task, created by every thread.");
}

}  // namespace assay
