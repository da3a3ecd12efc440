// SPDX-License-Identifier: Apache-2.0
// How a visit finds its first steady batch.
#include "run/worker/visit.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "team/batch_classifier.hpp"

namespace assay {
namespace {

constexpr double still_slower = 1.05;

/// How long a batch took; 0 when it is not known.
double duration_of(const Batch& batch, const Description& description, const Traits& traits) {
  const Quantity& primary = description.quantities.at(0);
  if (primary.unit == Unit::nanoseconds && !primary.is_signed)
    return observe(batch, description, 0, traits).value_or(0);
  Nanoseconds longest{};
  for (const MemberReport& report : batch.members) longest = std::max(longest, report.wall);
  return longest.count;
}

/// True when the first of the durations from `first` on is slower than all that follow it.
bool first_is_slower(const std::vector<double>& durations, int first) {
  const auto kept = durations.begin() + first;
  if (durations.end() - kept < 2) return false;
  return *kept > still_slower * *std::max_element(kept + 1, durations.end());
}

std::optional<Nanoseconds> reference_of(Team& team) {
  const auto probe = team.reference(reference_probe);
  if (!probe || reference_round_trips * *probe > reference_time) return probe;
  return team.reference(reference_round_trips);
}

}  // namespace

VisitYield execute_visit(Team& team, const VisitOrder& order, const Description& description, const Traits& traits,
                         const std::function<void()>& between_batches) {
  VisitYield yield;
  for (const auto& [cpu, core] : team.look()) {
    yield.apart.push_back(core);
    yield.apart_cpus.push_back(cpu);
  }
  if (order.reference) yield.reference = reference_of(team);
  std::vector<double> durations;
  const auto run_one = [&] {
    yield.batches.push_back(team.run(order.reps));
    durations.push_back(duration_of(yield.batches.back(), description, traits));
    between_batches();
  };
  for (int i = 0; i < order.discard + order.batches; ++i) run_one();
  yield.discarded = order.discard;
  while (yield.discarded < order.most_discard && first_is_slower(durations, yield.discarded)) {
    ++yield.discarded;
    run_one();
  }
  return yield;
}

}  // namespace assay
