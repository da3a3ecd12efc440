// SPDX-License-Identifier: Apache-2.0
// How a visit finds its first steady batch.
#include "run/worker/visit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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
  std::optional<Nanoseconds> probe;
  for (int i = 0; i < reference_probes; ++i) {
    probe = team.reference(reference_probe);
    if (!probe) return probe;
    if (*probe <= longest_distance) return team.reference(reference_round_trips);
  }
  return probe;
}

/// Those of all batches together, each name once, in the order of their first occurrence.
std::vector<FoundPart> together(const std::vector<std::vector<FoundPart>>& batches, std::size_t first) {
  std::vector<FoundPart> all;
  for (std::size_t i = first; i < batches.size(); ++i)
    for (const FoundPart& one : batches[i]) {
      auto found = std::ranges::find(all, one.name, &FoundPart::name);
      if (found == all.end()) found = all.insert(all.end(), {one.name, 0, 0});
      found->value += one.value;
      found->count += one.count;
    }
  return all;
}

constexpr double warm_up_patience = 3;  ///< wall time allowed, as a multiple of the time wanted

/// The longest claim of the primary quantity; a claim that is no number or negative counts as nothing.
Nanoseconds claimed(const Batch& batch) {
  Nanoseconds longest{};
  for (const MemberReport& report : batch.members)
    if (report.claims.has(0) && std::isfinite(report.claims[0]))
      longest = std::max(longest, Nanoseconds{report.claims[0]});
  return longest;
}

Reps doubled(Reps reps, const RepsBounds& bounds) {
  return reps.count > bounds.most.count / 2 ? bounds.most : Reps{2 * reps.count};
}

/// As many as are expected to fill what is left, where `reps` of them took `action`; the most where that says nothing.
Reps filling(Nanoseconds left, Nanoseconds action, Reps reps, const RepsBounds& bounds) {
  const double count = std::ceil(left / action * static_cast<double>(reps.count));
  if (!(count < static_cast<double>(bounds.most.count))) return bounds.most;
  return {std::max(bounds.least.count, static_cast<std::int64_t>(count))};
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
  team.found_parts();  // of what came before the visit
  std::vector<std::vector<FoundPart>> found_parts;
  const auto run_one = [&] {
    yield.batches.push_back(team.run(order.reps));
    found_parts.push_back(team.found_parts());
    durations.push_back(duration_of(yield.batches.back(), description, traits));
    between_batches();
  };
  for (int i = 0; i < order.discard + order.batches; ++i) run_one();
  yield.discarded = order.discard;
  while (yield.discarded < order.most_discard && first_is_slower(durations, yield.discarded)) {
    ++yield.discarded;
    run_one();
  }
  yield.found_parts = together(found_parts, static_cast<std::size_t>(yield.discarded));
  // What nothing binds often begins on one CPU and ends on two.
  if (yield.reference && *yield.reference > longest_distance) yield.reference = reference_of(team);
  return yield;
}

WarmUp warm_up(Team& team, const Description& description, const Traits& traits, Nanoseconds wanted, const Clock& clock,
               const std::function<void()>& between_batches) {
  WarmUp done;
  if (wanted <= Nanoseconds{}) return done;
  const bool claims_time = description.quantities.at(0).unit == Unit::nanoseconds;
  const Instant from = clock.now();
  Instant before = from;
  Reps reps = traits.reps.least;
  for (Nanoseconds acted{};;) {
    const Batch batch = team.run(reps);
    const Instant after = clock.now();
    between_batches();
    const Nanoseconds claim = claims_time ? claimed(batch) : after - before;
    const Nanoseconds action = traits.simulated ? claim : std::max(claim, slowest_wall(batch));
    done.time += claim;
    done.reps += std::min(reps.count, std::numeric_limits<std::int64_t>::max() - done.reps);
    acted += action;
    before = after;
    if (acted >= wanted || before - from >= warm_up_patience * wanted) break;
    const Reps filling_up = filling(wanted - acted, action, reps, traits.reps);
    reps = doubled(reps, traits.reps);
    // How much is drawn from a law beforehand decides which values come after.
    if (!traits.simulated) reps = std::min(reps, filling_up);
  }
  done.took = clock.now() - from;
  return done;
}

}  // namespace assay
