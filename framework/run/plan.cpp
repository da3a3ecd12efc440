// SPDX-License-Identifier: Apache-2.0
// Looking up what a point requires of the team, and what is not possible.
#include "run/plan.hpp"

#include <algorithm>
#include <stdexcept>

#include "text/number_format.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

const Placement* find_placement(const SeriesPlan& series, const Point& point) {
  static const Placement unbound{"unbound", {}};
  if (!point.find("placement")) return &unbound;
  return series.placements.find(point.text("placement"), members_of(series, point));
}

std::string team_of(int members) { return counted(static_cast<std::size_t>(members), "member"); }

std::optional<NotApplicable> missing_vehicle(const Traits& traits, const std::string& vehicle) {
  if (std::find(traits.vehicles.begin(), traits.vehicles.end(), vehicle) != traits.vehicles.end()) return std::nullopt;
  return NotApplicable{Outcome::unsupported, "",
                       "vehicle " + vehicle + " is not among those it has: " + joined(traits.vehicles)};
}

}  // namespace

std::string to_text(Schedule schedule) { return schedule == Schedule::interleaved ? "interleaved" : "consecutive"; }

bool is_refined(const SeriesPlan& series) {
  return std::ranges::any_of(series.factors, [](const FactorDomain& one) { return one.domain.refine.has_value(); });
}

const Variant* variant_against(const CampaignPlan& plan) {
  const auto found = std::ranges::find_if(plan.variants, [](const Variant& one) { return !one.against.empty(); });
  return found == plan.variants.end() ? nullptr : &*found;
}

const Variant* variant_at(const CampaignPlan& plan, const Point& point) {
  if (!point.find(variant_factor_name)) return nullptr;
  const auto found = std::ranges::find(plan.variants, point.text(variant_factor_name), &Variant::name);
  return found == plan.variants.end() ? nullptr : &*found;
}

int members_of(const SeriesPlan& series, const Point& point) {
  const Value* level = point.find("members");
  if (!level) return series.measurement.members.least;
  const auto* count = std::get_if<std::int64_t>(level);
  if (!count) throw std::out_of_range("factor members needs an integer, not " + to_text(*level));
  return static_cast<int>(*count);
}

std::string vehicle_of(const SeriesPlan& series, const Point& point) {
  return point.find("vehicle") ? point.text("vehicle") : traits_at(series.measurement, point).vehicles.front();
}

CoreCycles core_cycles_at(const SeriesPlan& series, const Point& point) {
  constexpr double nearest_cache = 32 * 1024;
  const Description& description = series.measurement;
  for (const Factor& factor : description.factors) {
    const Value* level = level_at(description, point, factor.name);
    if (factor.unit == Unit::bytes && number_of(*level).value_or(0) > nearest_cache) return CoreCycles::never;
    // Arithmetic for so many ns, or a walk through memory.
    if (factor.name == "work" && !is_level(*level, "none")) return CoreCycles::never;
  }
  return description.core_cycles;
}

CoreCycles follows_clock(const SeriesPlan& series, const Point& point) {
  if (series.measurement.core_cycles == CoreCycles::never || vehicle_of(series, point) == "mpi")
    return CoreCycles::never;
  const CoreCycles cycles = core_cycles_at(series, point);
  const auto& cpus = placement_of(series, point).cpus;
  if (cycles != CoreCycles::on_one_cpu || cpus.empty()) return cycles;
  const bool is_one = std::ranges::all_of(cpus, [&](int cpu) { return cpu == cpus.front(); });
  return is_one ? CoreCycles::always : CoreCycles::never;
}

const Placement& placement_of(const SeriesPlan& series, const Point& point) {
  if (const Placement* placement = find_placement(series, point)) return *placement;
  throw std::out_of_range("series " + series.name + " has no placement " + point.text("placement") + " for " +
                          team_of(members_of(series, point)));
}

bool can_spin(const SeriesPlan& series, const Point& point, std::size_t usable_cpus) {
  const Placement& placement = placement_of(series, point);
  if (placement.bound()) return !placement.shares_cpu();
  return static_cast<std::size_t>(members_of(series, point)) <= usable_cpus;
}

std::optional<NotApplicable> not_applicable(const SeriesPlan& series, const Point& point, std::size_t usable_cpus) {
  const Traits& traits = traits_at(series.measurement, point);
  const int members = members_of(series, point);
  if (!traits.code.empty()) return NotApplicable{Outcome::not_applicable, traits.code, traits.why_not};
  if (auto missing = missing_vehicle(traits, vehicle_of(series, point))) return missing;
  if (!find_placement(series, point))
    return NotApplicable{Outcome::not_applicable, "N11",
                         "placement " + point.text("placement") + " is not available for " + team_of(members)};
  if (traits.waiting != Waiting::spins || members < 2 || can_spin(series, point, usable_cpus)) return std::nullopt;
  return NotApplicable{Outcome::not_applicable, "N1",
                       placement_of(series, point).bound()
                           ? "members that spin on one CPU make no progress without preemption"
                           : team_of(members) + " that spin on " + std::to_string(usable_cpus) +
                                 " usable CPUs make no progress without preemption"};
}

}  // namespace assay
