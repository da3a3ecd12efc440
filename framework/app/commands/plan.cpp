// SPDX-License-Identifier: Apache-2.0
// `assay plan`: every point and what it will cost; nothing is measured, nothing created.
#include <algorithm>
#include <limits>
#include <ostream>
#include <set>

#include "app/against/against.hpp"
#include "app/campaign/estimate.hpp"
#include "app/commands/commands.hpp"
#include "app/results/comparing.hpp"
#include "app/results/listing.hpp"
#include "platform/placement/placement_classes.hpp"
#include "record/table/table.hpp"
#include "run/session/campaign.hpp"
#include "stats/comparison/comparison.hpp"
#include "text/printable.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

std::vector<std::string> header_of(const SeriesPlan& series) {
  std::vector<std::string> header;
  for (const FactorDomain& factor : series.factors) header.push_back(factor.name);
  header.emplace_back("remark");
  return header;
}

std::string remark_on(const SeriesPlan& series, const Point& point, std::size_t usable_cpus) {
  const auto why = not_applicable(series, point, usable_cpus);
  if (!why) return {};
  return to_text(why->outcome) + (why->code.empty() ? "" : " " + why->code) + ": " + why->reason;
}

void print_points(std::ostream& out, const SeriesPlan& series, const std::vector<Point>& points,
                  std::size_t usable_cpus) {
  TextTable table(header_of(series));
  for (const Point& point : points) {
    std::vector<std::string> row;
    for (const FactorDomain& factor : series.factors) row.push_back(point.text(factor.name));
    row.push_back(remark_on(series, point, usable_cpus));
    table.add(std::move(row));
  }
  table.print(out);
}

void print_series(std::ostream& out, const SeriesPlan& series, const std::vector<Point>& points,
                  std::size_t usable_cpus) {
  out << "\nSeries " << series.name << ": " << series.measurement.name << ", " << points.size()
      << (points.size() == 1 ? " point, " : " points, ") << series.precision.incarnations << " incarnations each, "
      << make_rule(series.precision.rule)->text() << "\n";
  print_points(out, series, points, usable_cpus);
  for (const FactorDomain& factor : series.factors)
    if (factor.domain.refine)
      out << "refined: further levels of " << factor.name << ", up to " << series.precision.max_points
          << " a line on average\n";
  for (const DerivedSpec& derived : series.derived) out << "derived: " << derived.name << " = " << derived.text << "\n";
  for (const std::string& refused : series.refused) out << "not on this machine: " << refused << "\n";
}

// For comparisons, where all points of a campaign are one family.
void print_replication(std::ostream& out, const CostEstimate& cost) {
  const std::size_t points = cost.points - cost.not_applicable;
  if (points < 2) return;
  const Replication needed = replication_for(points);
  out << "\nTo compare: a change of one of " << points << " points needs " << needed.least
      << " incarnations to be detectable, " << least_incarnations(points, alarm_level()) << " for an alarm; about "
      << needed.ten_percent << " detect one of 10 %, " << needed.five_percent
      << " one of 5 %, in three cases of four\n";
}

// The points of all series as rows: every factor of any of them is a column.
Listing listing_of(const CampaignPlan& plan, const PlannedPoints& planned, const CostEstimate& cost,
                   const Topology& topology) {
  Listing listing{"points", {"series", "measurement"}};
  for (const auto& [series, points] : planned)
    for (const FactorDomain& factor : series->factors)
      if (std::ranges::find(listing.columns, factor.name) == listing.columns.end())
        listing.columns.push_back(factor.name);
  const std::vector<std::string> factors(listing.columns.begin() + 2, listing.columns.end());
  listing.columns.emplace_back("remark");
  listing.facts = {{"title", plan.title},
                   {"machine", topology.summary()},
                   {"points", static_cast<std::int64_t>(cost.points)},
                   {"not_applicable", static_cast<std::int64_t>(cost.not_applicable)},
                   {"incarnations", static_cast<std::int64_t>(cost.incarnations)},
                   {"least_s", cost.least.count / 1e9},
                   {"most_s", cost.most.count / 1e9},
                   {"refined", cost.refined}};
  for (const auto& [series, points] : planned)
    for (const Point& point : points) {
      std::vector<Json> row{series->name, series->measurement.name};
      for (const std::string& factor : factors)
        row.push_back(std::ranges::find(series->factors, factor, &FactorDomain::name) == series->factors.end()
                          ? Json()
                          : Json(point.text(factor)));
      row.emplace_back(remark_on(*series, point, topology.usable().size()));
      listing.add(std::move(row));
    }
  return listing;
}

// What the machine that is planned for is, and the classes of placements that the teams of the plan can have there.
void print_machine(std::ostream& out, const Topology& topology, const PlannedPoints& planned) {
  out << "For another machine: " << topology.summary() << "\n";
  std::set<std::string> sizes;
  for (const auto& [series, points] : planned)
    for (const Point& point : points) sizes.insert(point.text("members"));
  for (const std::string& size : sizes) {
    const int members = is_whole_number(size) && size.size() == 1 ? size.front() - '0' : 0;
    if (members < 1 || members > PlacementClasses::most_members) continue;
    const PlacementClasses classes(topology.tree(), {.roles = parse_roles("ordered", members)});
    std::vector<std::string> names;
    for (const PlacementClass& one : classes.all()) names.push_back(one.name);
    constexpr std::size_t most_named = 12;
    print_wrapped(out, {"classes", {"members", "classes of placements"}, {{size, joined(names, ", ", most_named)}}});
  }
}

int run_plan(const CommandLine& line, const Registry& registry, AppContext& context) {
  const auto topology = machine_of(line, "assay plan");
  const auto against = against_of(line, context);
  auto plan = load_plan(sources_of(line, registry, against), overrides_of(line), catalogue_of(registry), topology);
  const Facts against_facts = against ? measure_against(plan, *against, overrides_of(line)) : Facts();
  const auto planned = planned_points(plan);
  const auto usable_cpus = topology.usable().size();
  const auto cost = estimate_cost(plan, planned, usable_cpus);
  if (const ListingFormat format = listing_format(line); format != ListingFormat::table) {
    write_listing(context.out, listing_of(plan, planned, cost, topology), format);
    return ExitCode::ok;
  }
  if (line.has("topology")) print_machine(context.out, topology, planned);
  context.out << "Campaign " << printable(plan.title) << ", seed " << plan.seed << ": " << to_text(cost) << "\n";
  for (const auto& [key, value] : against_facts)
    if (key.starts_with(against_note_prefix)) context.out << "note: " << printable(value) << "\n";
  for (const auto& [series, points] : planned) print_series(context.out, *series, points, usable_cpus);
  print_replication(context.out, cost);
  return ExitCode::ok;
}

}  // namespace

CommandInfo plan_command() {
  CommandInfo command;
  command.name = "plan";
  command.synopsis = "plan FILE... [options]";
  command.summary = "Shows every point of a campaign with an estimate of the time. Nothing is measured or created.";
  command.details =
      operands_text() +
      "The least time is for points that all converge as early as their rule allows, the most for points that all\n"
      "spend their budgets; 20 ms are assumed for starting a process and 1 ms for a visit.\n";
  command.least_operands = 1;
  command.most_operands = std::numeric_limits<std::size_t>::max();
  command.unless_given = "against";
  command.options = override_options();
  command.options.push_back(against_option());
  command.options.push_back(topology_option());
  command.options.push_back(listing_option());
  command.options.push_back(help_option());
  command.operands = {{"FILE", ValueKind::campaign}};
  command.exits = {ExitCode::environment};
  command.examples = {
      {"assay plan configs/message-size.ini", "what a campaign would measure, and how long it takes"},
      {"assay plan quick", "the same of a campaign that comes with the program; 'assay list campaigns' names them"},
      {"assay plan configs/quick.ini --topology 'pack:2 l3:4 core:8 pu:2'", "the same for another machine"},
      {"assay plan configs/quick.ini --format json", "the points for other programs"}};
  command.run = &run_plan;
  return command;
}

}  // namespace assay
