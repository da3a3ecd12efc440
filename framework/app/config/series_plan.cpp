// SPDX-License-Identifier: Apache-2.0
// Puts the parts of a series together and checks how they go together.
#include "app/config/series_plan.hpp"

#include <algorithm>
#include <limits>

#include "app/config/derived.hpp"
#include "app/config/factors.hpp"
#include "app/config/placements.hpp"
#include "app/config/precision.hpp"
#include "app/config/series_factors.hpp"
#include "app/config/variants.hpp"
#include "base/typed.hpp"
#include "base/value.hpp"
#include "platform/placement/machine_parts.hpp"
#include "team/ranks/batch_start.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

constexpr int most_members = 4096;
constexpr int most_refined = 3;
constexpr std::size_t most_refined_counts = 1024;

// Options without defaults: what a series does not say, [precision] or the measurement does.
void add_without_defaults(SectionSchema& schema, std::vector<OptionInfo> options) {
  for (OptionInfo& option : options) {
    option.standard.clear();
    schema.options.push_back(std::move(option));
  }
}

bool takes_bystander(const std::vector<int>& members) { return members == std::vector<int>{1}; }

// A number of members that is impossible, reported at its position.
void refuse_count(const SeriesContext& series, const Value& level) {
  const auto [least, most] = series.measurement.members;
  const Setting* setting = series.own("members");
  const int limit = std::min(most, most_members);
  const auto range = least == limit ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(limit);
  series.problems.add(
      setting != nullptr ? item_of(*setting, to_text(level)) : series.header.at,
      "impossible number of members: " + to_text(level),
      "measurement '" + series.measurement.name + "' has " + range + (most > limit ? ", the most of any team" : ""),
      "write a number of this range");
}

// What lies between the levels of a refined domain and could become one. Each number needs placements of its own.
std::vector<int> refined_counts(const SeriesContext& series, const Domain& domain, const std::vector<int>& listed) {
  const auto [low, high] = std::ranges::minmax(listed);
  std::vector<int> counts = listed;
  for (std::int64_t count = low + 1; count < high; ++count)
    if (count % domain.multiple == 0 && std::ranges::find(listed, count) == listed.end())
      counts.push_back(static_cast<int>(count));
  if (counts.size() <= most_refined_counts) return counts;
  series.problems.add(series.own("members")->at, "too many numbers of members to refine between",
                      "there are " + std::to_string(counts.size()) +
                          ", each with placements of its own, and the most is " + std::to_string(most_refined_counts),
                      "take a shorter range, or add 'multipleof'");
  return {};
}

// What a machine has of a word's parts, for as many members: the least of several, so that each part has them.
std::optional<std::int64_t> count_of(const Topology& topology, std::string_view word) {
  if (word == "cores") return static_cast<std::int64_t>(usable_cores(topology));
  const auto kind = part_kind("each-" + std::string(word));
  if (!kind) return std::nullopt;
  const auto parts = machine_parts(topology, *kind);
  const auto least = std::ranges::min_element(parts, {}, [](const MachinePart& part) { return part.cores.size(); });
  return static_cast<std::int64_t>(least->cores.size());
}

// A word in the place of numbers is resolved here, where the machine is known.
Domain members_domain(const SeriesContext& series) {
  const Setting* setting = series.own("members");
  const auto count = setting == nullptr ? std::nullopt : count_of(series.topology, setting->value);
  if (!count) return domain_of(series, members_factor(series.measurement));
  Domain domain;
  domain.levels = {*count};
  return domain;
}

// The numbers of members; empty, with problems noted, when one is impossible.
std::vector<int> member_counts(const SeriesContext& series, const Domain& domain) {
  const auto [least, most] = series.measurement.members;
  std::vector<int> counts;
  for (const Value& level : domain.levels) {
    const auto* count = std::get_if<std::int64_t>(&level);
    if (count == nullptr || *count < least || *count > std::min(most, most_members)) {
      refuse_count(series, level);
      return {};
    }
    counts.push_back(static_cast<int>(*count));
  }
  return domain.refine ? refined_counts(series, domain, counts) : counts;
}

// Ranks start behind a barrier unless another start is requested.
void add_start(const SeriesContext& series, SeriesPlan& plan, const std::vector<int>& members, bool by_ranks) {
  const Setting* own = series.own("start");
  if (!by_ranks) {
    if (own != nullptr)
      series.problems.add(own->at, "a way to start for members that are no ranks", "it is for vehicle mpi alone",
                          "remove the line, or say 'vehicle = mpi'");
    return;
  }
  const Factor factor = start_factor(series.measurement, std::ranges::max(members), series.topology.total());
  if (own != nullptr || prefers_windows(series.measurement))
    plan.factors.push_back({"start", domain_of(series, factor)});
}

// The factors that say who executes and where.
void add_team(const SeriesContext& series, SeriesPlan& plan) {
  auto vehicles = domain_of(series, vehicle_factor(series.measurement));
  const bool by_ranks = vehicles.levels == std::vector<Value>{std::string("mpi")};
  plan.factors.push_back({"vehicle", std::move(vehicles)});
  auto members = members_domain(series);
  const auto counts = member_counts(series, members);
  plan.factors.push_back({"members", std::move(members)});
  if (counts.empty()) return;
  auto levels = by_ranks ? rank_placement_levels(series) : placement_levels(series, counts);
  plan.factors.push_back({"placement", std::move(levels.domain)});
  plan.placements = std::move(levels.placements);
  plan.refused = std::move(levels.refused);
  add_start(series, plan, counts, by_ranks);
  const Setting* bystander = series.own("bystander");
  if (takes_bystander(counts)) {
    plan.factors.push_back({"bystander", domain_of(series, bystander_factor())});
  } else if (bystander != nullptr) {
    series.problems.add(bystander->at, "a bystander beside several members", "it is for teams of one member",
                        "remove the line");
  }
}

void add_variant(const SeriesContext& series, SeriesPlan& plan) {
  if (series.own("variant") != nullptr)
    plan.factors.push_back({"variant", domain_of(series, variant_factor(series.variants))});
}

void add_policy(const SeriesContext& series, SeriesPlan& plan) {
  if (series.own("policy") != nullptr) plan.factors.push_back({"policy", domain_of(series, policy_factor())});
}

void check_refined(const SeriesContext& series, const SeriesPlan& plan) {
  const FactorDomain* first = nullptr;
  int refined = 1;
  for (const FactorDomain& factor : plan.factors) {
    if (!factor.domain.refine) continue;
    if (first == nullptr) {
      first = &factor;
      continue;
    }
    if (factor.domain.quantity != first->domain.quantity)
      series.problems.add(series.own(factor.name)->at, "factors of one series are refined for different quantities",
                          "'" + first->name + "' and '" + factor.name + "' share their points", "name the same one");
    if (++refined > most_refined)
      series.problems.add(series.own(factor.name)->at, "more than three factors of one series are refined", {},
                          "list the levels of some of them");
  }
}

// How many points there can be, with the factors that make them: "64 bytes x 3 channel".
struct Size {
  double points = 1;
  std::string text;
};
Size size_of(const SeriesPlan& plan) {
  Size size;
  for (const FactorDomain& factor : plan.factors) {
    const auto listed = factor.domain.levels.size();
    const auto levels = factor.domain.refine ? std::max(listed, plan.precision.max_points) : listed;
    size.points *= static_cast<double>(levels);
    if (levels > 1) size.text += (size.text.empty() ? "" : " x ") + std::to_string(levels) + " " + factor.name;
  }
  return size;
}

void check_size(const SeriesContext& series, const SeriesPlan& plan) {
  const auto size = size_of(plan);
  if (size.points <= static_cast<double>(series.most_points)) return;
  series.problems.add(
      series.header.at, "too many points: " + number_text(size.points),
      size.text + "; the most is " + std::to_string(series.most_points),
      series.most_points > usual_most_levels ? "ask for fewer levels" : "ask for fewer levels, or add --allow-large");
}

// A measurement whose factor has the name of an option could not be configured.
void check_names(const SeriesContext& series) {
  const auto& options = option_table();
  for (const Factor& factor : series.measurement.factors)
    if (std::any_of(options.begin(), options.end(), [&](const OptionInfo& option) {
          return option.section != "campaign" && option.name == factor.name;
        }))
      series.problems.add(series.header.at,
                          "measurement '" + series.measurement.name + "' has a factor " + shown(factor.name),
                          "this is the name of an option", "the measurement has to rename it");
}

}  // namespace

SectionSchema series_schema(const std::string& section, const Description& measurement,
                            const std::vector<std::string>& derive_keys) {
  const std::string named = "'assay describe " + measurement.name + "' lists the factors";
  const std::string unnamed = "no pattern of the series names it; write {NAME} where its levels belong; ";
  SectionSchema schema{section, {}, (has_patterns(measurement) ? unnamed : "") + named};
  for (const Factor& factor : measurement.factors)
    schema.options.push_back({section, factor.name, raw_value("domain"), {}, factor.summary});
  add_without_defaults(schema, options_of("series"));
  add_without_defaults(schema, options_of("precision"));
  for (const std::string& key : derive_keys) schema.options.push_back({section, key, raw_value("text"), {}, {}});
  return schema;
}

SeriesPlan series_plan(const SeriesContext& series, const std::vector<std::string>& derive_keys) {
  SeriesPlan plan;
  const auto before = series.problems.list().size();
  plan.name = series.header.name;
  plan.measurement = series.measurement;
  check_names(series);
  plan.factors = own_factors(series);
  add_team(series, plan);
  add_policy(series, plan);
  add_variant(series, plan);
  plan.precision = read_precision(series.settings, series.header.section(), series.problems);
  check_refined(series, plan);
  // Levels that were refused would make formulas and sizes wrong for a reason already reported.
  if (series.problems.list().size() > before || has_refused(series.settings)) return plan;
  plan.derived = derived_specs(series, derive_keys, plan.factors);
  for (const Cache& cache : series.topology.caches())
    plan.caches.push_back({cache.name, static_cast<double>(cache.bytes)});
  check_size(series, plan);
  return plan;
}

}  // namespace assay
