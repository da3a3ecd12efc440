// SPDX-License-Identifier: Apache-2.0
// Guards to regimes and disturbances, claims to observations.
#include "team/batch_classifier.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace assay {
namespace {

// What is looked at, under short names.
struct Case {
  const Batch& batch;
  const Traits& traits;
  const Description& description;
  const Placement& placement;
  const GuardLimits& limits;

  bool may_not_stop() const {
    return traits.waiting == Waiting::none || traits.waiting == Waiting::spins ||
           (traits.waiting == Waiting::polls && !batch.shares_cpus);
  }
  double events() const { return static_cast<double>(batch.reps.count) * traits.events_per_rep; }
};

template <class Condition>
bool any_member(const Case& c, Condition condition) {
  return std::any_of(c.batch.members.begin(), c.batch.members.end(), condition);
}

std::int64_t switches(const MemberReport& report) { return report.voluntary + report.involuntary; }

// The kernel counts the switch of a yield as involuntary: the thread could have gone on.
bool gives_way(const Case& c) { return c.traits.waiting == Waiting::yields || c.traits.waiting == Waiting::polls; }

bool met_on_a_cpu(const std::vector<MemberReport>& members) {
  std::multiset<int> cpus;
  for (const MemberReport& report : members)
    if (report.cpu_after >= 0 && report.cpu_before == report.cpu_after) cpus.insert(report.cpu_after);
  return std::ranges::adjacent_find(cpus) != cpus.end();
}

// A member that wakes another on its own CPU is switched out for it, or goes on until it sleeps: the second way took
// 1.2 to 1.5 times as long, and both occur within one campaign. One switch is of the start.
bool preempted_each_other(const Case& c, double few) {
  return !gives_way(c) && met_on_a_cpu(c.batch.members) &&
         any_member(c, [&](const MemberReport& report) { return static_cast<double>(report.involuntary) > 1 + few; });
}

// Members that preempt each other by turns and a pair of which always the same one is preempted are two ways to hand
// over on one CPU, of which one takes up to 7 % longer, and both occur within one campaign.
bool preempted_one(const Case& c) {
  std::int64_t sum = 0;
  std::int64_t most = 0;
  for (const MemberReport& report : c.batch.members) {
    sum += report.involuntary;
    most = std::max(most, report.involuntary);
  }
  const auto all = static_cast<double>(sum);
  return all >= c.limits.preempted_per_event * c.events() && static_cast<double>(most) >= c.limits.one_sided * all;
}

Regime regime_of(const Case& c) {
  const auto& members = c.batch.members;
  if (members.size() == 1) return Regime::solo;
  if (c.traits.simulated) return Regime::spin;
  const double few = c.limits.spin_per_event * c.events();
  const double enough = c.limits.blocked_per_event * c.events();
  const auto spun = [&](const MemberReport& r) { return static_cast<double>(switches(r)) <= few; };
  const auto slept = [&](const MemberReport& r) {
    return static_cast<double>(gives_way(c) ? switches(r) : r.voluntary) >= enough;
  };
  if (std::all_of(members.begin(), members.end(), spun)) return Regime::spin;
  if (preempted_each_other(c, few)) return preempted_one(c) ? Regime::preempted : Regime::mixed;
  return std::all_of(members.begin() + 1, members.end(), slept) ? Regime::blocked : Regime::mixed;
}

// Of members as they are at both ends of the batch; what happens in between is not seen.
Spread spread_of_members(const std::vector<MemberReport>& members) {
  std::set<int> cpus;
  for (const MemberReport& report : members) {
    if (report.cpu_before < 0 || report.cpu_after < 0) return Spread::unknown;
    if (report.cpu_before != report.cpu_after) return Spread::varied;
    cpus.insert(report.cpu_before);
  }
  if (cpus.size() == 1) return Spread::one_cpu;
  return cpus.size() == members.size() ? Spread::own_cpus : Spread::varied;
}

Spread spread_of_started(const Case& c) {
  const auto& quantities = c.description.quantities;
  const auto found = std::ranges::find_if(quantities, &Quantity::is_elsewhere);
  if (found == quantities.end()) return Spread::unknown;
  const auto share = combined_claims(c.batch, *found, static_cast<std::size_t>(found - quantities.begin()));
  if (!share || !std::isfinite(*share)) return Spread::unknown;
  if (*share <= c.limits.few_elsewhere) return Spread::one_cpu;
  return *share >= 1 - c.limits.few_elsewhere ? Spread::own_cpus : Spread::varied;
}

// Ranks number the CPUs of several nodes alike.
Spread spread_of(const Case& c) {
  if (c.traits.simulated || c.batch.shares_cpus || c.placement.bound()) return Spread::unknown;
  return c.batch.members.size() > 1 ? spread_of_members(c.batch.members) : spread_of_started(c);
}

bool switched(const Case& c) {
  return c.may_not_stop() && any_member(c, [](const MemberReport& report) { return switches(report) > 0; });
}

// A CPU that could not be read says nothing.
bool elsewhere(int cpu, int bound) { return cpu >= 0 && cpu != bound; }

bool migrated(const Case& c) {
  const auto& cpus = c.placement.cpus;
  for (std::size_t rank = 0; rank < std::min(cpus.size(), c.batch.members.size()); ++rank) {
    const MemberReport& report = c.batch.members[rank];
    if (elsewhere(report.cpu_before, cpus[rank]) || elsewhere(report.cpu_after, cpus[rank])) return true;
  }
  return false;
}

bool stolen(const Case& c) {
  return c.may_not_stop() && any_member(c, [&](const MemberReport& report) {
           const Nanoseconds missing = report.wall - report.cpu;
           return missing > c.limits.stolen_floor && missing > c.limits.stolen_share * report.wall;
         });
}

bool impossible_time(const Quantity& quantity, double claim, const GuardLimits& limits) {
  return !std::isfinite(claim) || (!quantity.is_signed && claim < -limits.clock_slack.count);
}

// The primary time of so many repetitions cannot be nothing: the clock stood still, or went back.
bool without_width(const Case& c, double claim) {
  const Quantity& primary = c.description.quantities.front();
  const bool is_time = primary.unit == Unit::nanoseconds && !primary.is_signed && primary.per == Per::event;
  return is_time && c.batch.reps.count >= c.limits.sure_reps && claim <= 0;
}

bool clock_anomaly(const Case& c) {
  const auto& quantities = c.description.quantities;
  if (any_member(c, [](const MemberReport& report) { return report.wall < Nanoseconds{}; })) return true;
  for (std::size_t i = 0; i < std::min(quantities.size(), max_quantities); ++i)
    for (std::size_t rank = 0; rank < c.batch.members.size(); ++rank) {
      const Claims& claims = c.batch.members[rank].claims;
      if (quantities[i].unit == Unit::nanoseconds && counts(quantities[i], rank) && claims.has(i) &&
          (impossible_time(quantities[i], claims[i], c.limits) || (i == 0 && without_width(c, claims[i]))))
        return true;
    }
  return false;
}

bool partner_absent(const Case& c) {
  const auto still = [](const MemberReport& report) { return report.beats == 0; };
  const auto& members = c.batch.members;
  return c.traits.waiting == Waiting::spins && !std::all_of(members.begin(), members.end(), still) &&
         std::any_of(members.begin() + 1, members.end(), still);
}

bool faulted(const Case& c) {
  return c.may_not_stop() && any_member(c, [](const MemberReport& report) { return report.major_faults > 0; });
}

bool started_late(const Case& c) {
  return any_member(c, [&](const MemberReport& report) { return report.late > c.limits.late_start; });
}

Disturbances disturbances_of(const Case& c) {
  Disturbances disturbed;
  if (c.traits.simulated) return disturbed;
  const auto mark = [&](Disturbance cause, bool is_so) { disturbed.set(static_cast<std::size_t>(cause), is_so); };
  mark(Disturbance::switched, switched(c));
  mark(Disturbance::migrated, migrated(c));
  mark(Disturbance::stolen, stolen(c));
  mark(Disturbance::clock, clock_anomaly(c));
  mark(Disturbance::partner, partner_absent(c));
  mark(Disturbance::fault, faulted(c));
  mark(Disturbance::late, started_late(c));
  return disturbed;
}

}  // namespace

Judgement judge(const Batch& batch, const Traits& traits, const Description& description, const Placement& placement,
                const GuardLimits& limits) {
  const Case c{batch, traits, description, placement, limits};
  if (batch.members.empty()) return {};
  return {regime_of(c), disturbances_of(c), spread_of(c)};
}

Disturbances spoiling_visits(const Traits& traits) {
  if (traits.simulated) return {};
  Disturbances causes = ~Disturbances{};
  if (traits.waiting == Waiting::watches || traits.includes_losses)
    for (const Disturbance measured : {Disturbance::stolen, Disturbance::throttled, Disturbance::speed})
      causes.reset(static_cast<std::size_t>(measured));
  return causes;
}

std::optional<double> observe(const Batch& batch, const Description& description, std::size_t quantity,
                              const Traits& traits) {
  const Quantity& q = description.quantities.at(quantity);
  const auto total = combined_claims(batch, q, quantity);
  if (!total) return std::nullopt;
  const double events = static_cast<double>(batch.reps.count) * traits.events_per_rep;
  const double observation = q.per == Per::event ? *total / events : *total;
  return std::isfinite(observation) ? std::optional(observation) : std::nullopt;
}

}  // namespace assay
