// SPDX-License-Identifier: Apache-2.0
// A plan in which series are measured by the other side too.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "app/against/against.hpp"
#include "app/against/of_then.hpp"
#include "app/config/resolved.hpp"
#include "app/config/series_factors.hpp"
#include "app/results/comparing.hpp"
#include "record/provenance.hpp"
#include "run/session/campaign.hpp"
#include "run/session/launches.hpp"
#include "stats/comparison/comparison.hpp"
#include "text/number_format.hpp"
#include "text/suggest.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

// Who measures as `before`.
struct BeforeSide {
  std::optional<OtherProgram> program;  ///< none: this program
  std::vector<std::string> plugins;     ///< none: those of the plan
  bool is_of_then = true;               ///< the program that is asked about, not a substitute for it
  std::vector<std::string> notes;
};

std::string text_of(const OtherProgram& program) {
  return program.path + " (" + program.version + ", build " + program.build + ")";
}

BeforeSide named_program(const CampaignPlan& plan, const Against& against) {
  BeforeSide side;
  side.program = examine_program(against.path, plan.plugins, against.at);
  const ThisProgram own = this_program();
  side.notes.push_back("before is " + text_of(*side.program) + "; now is this program, " + own.path + " (" +
                       version_line() + ", build " + own.build + ")");
  if (side.program->build == own.build)
    side.notes.emplace_back("before and now are the same build: what differs between them is chance");
  return side;
}

void add_program_of_then(BeforeSide& side, const Against& against, const std::vector<std::string>& plugins) {
  ProgramOfThen then = program_of_then(against.facts, plugins, against.at);
  const std::string whose = "the program that measured " + against.path;
  if (then.is_this) {
    side.notes.push_back("before and now are both this program, which is " + whose +
                         ": what changed since then is not the program");
  } else if (then.other) {
    side.notes.push_back("before is " + whose + ", " + text_of(*then.other) + "; now is this program");
    side.program = std::move(then.other);
  } else {
    side.is_of_then = false;
    side.notes.push_back(whose + " cannot be had: " + then.lack + "; before and now are both this program, so that " +
                         "between them only plugins and settings can differ, and a change of the program shows " +
                         "between then and again, as one of the machine does; to distinguish the two, keep a copy of "
                         "each build, and name it with --against");
  }
}

BeforeSide side_of_then(const CampaignPlan& plan, const Against& against) {
  BeforeSide side;
  PluginsOfThen plugins = plugins_of_then(against.facts, against.plugins, plan.plugins);
  for (const std::string& lack : plugins.lacks)
    side.notes.push_back("plugin " + lack + ": before and now both load that of today");
  if (!plugins.paths.empty()) side.notes.push_back("before loads the plugins of then: " + joined(plugins.paths));
  add_program_of_then(side, against, plugins.paths.empty() ? plan.plugins : plugins.paths);
  if (!plugins.lacks.empty()) side.is_of_then = false;
  side.plugins = std::move(plugins.paths);
  return side;
}

bool has_words(const Factor& theirs, const Domain& domain) {
  return theirs.words.empty() || std::ranges::all_of(domain.levels, [&](const Value& level) {
           const auto* word = std::get_if<std::string>(&level);
           return word == nullptr || std::ranges::find(theirs.words, *word) != theirs.words.end();
         });
}

// Why another program's workers do not time the same for a series; empty where they do.
std::string unlike(const SeriesPlan& series, const std::vector<Description>& theirs) {
  const auto found = std::ranges::find(theirs, series.measurement.name, &Description::name);
  const std::string name = "measurement '" + series.measurement.name + "'";
  if (found == theirs.end()) return "before has no " + name;
  if (found->version != series.measurement.version)
    return name + " is of version " + std::to_string(found->version) + " before and of version " +
           std::to_string(series.measurement.version) + " now: they time different things";
  for (const Factor& factor : series.measurement.factors) {
    const auto domain = std::ranges::find(series.factors, factor.name, &FactorDomain::name);
    const auto other = std::ranges::find(found->factors, factor.name, &Factor::name);
    if (domain == series.factors.end()) continue;
    const bool is_own = has_patterns(series.measurement) && other == found->factors.end();
    if (is_own) continue;  // a name that the series gave levels to itself
    if (other == found->factors.end() || !has_words(*other, domain->domain))
      return name + " has no factor '" + factor.name + "' with these levels before";
  }
  return {};
}

// Why a series cannot be measured by both sides.
std::string why_alone(const SeriesPlan& series, const Against& against, const BeforeSide& side) {
  if (std::ranges::find(series.factors, variant_factor_name, &FactorDomain::name) != series.factors.end())
    return "it has variants of its own";
  if (is_launched(series)) return "its members are ranks, which are always this program's";
  if (against.is_campaign) {
    const auto then = against.measurements.find(series.name);
    if (then == against.measurements.end()) return "that campaign has no such series";
    if (then->second != series.measurement.name) return "it was " + then->second + " in that campaign";
  }
  return side.program ? unlike(series, side.program->measurements) : std::string();
}

void require_no_sides(const CampaignPlan& plan, const Against& against) {
  for (const Variant& variant : plan.variants)
    if (variant.name == before_variant || variant.name == now_variant)
      throw ConfigError(Problem{against.at, "the campaign has a variant '" + variant.name + "' of its own",
                                "the two sides are called 'before' and 'now'", "rename it"});
}

void require_other_place(const CampaignPlan& plan, const Against& against) {
  std::error_code ignored;
  if (against.is_campaign && std::filesystem::equivalent(plan.output, against.path, ignored))
    throw ConfigError(Problem{against.at, "the results are to go into that directory too",
                              "a campaign is not measured against itself", "name another directory with --output"});
}

Variant before_side(const Against& against, const BeforeSide& side) {
  Variant before;
  before.name = before_variant;
  before.against = against.path;
  before.plugins = side.plugins;
  if (!side.program) return before;
  before.program = side.program->path;
  before.build = side.program->build;
  return before;
}

// A key that the command line sets is left as it is.
bool is_set(const Overrides& overrides, const std::string& key) {
  const auto ends = [&](const std::string& setting) {
    const std::string name = setting.substr(0, setting.find('='));
    return name == key || name.ends_with("." + key);
  };
  return std::ranges::any_of(overrides.set, ends) ||
         std::ranges::any_of(overrides.options, [&](const Given& option) { return option.key == key; });
}

// As many processes as a comparison of so many points needs to raise an alarm for one of them.
void add_processes(CampaignPlan& plan, std::vector<std::string>& notes) {
  std::size_t points = 0;
  each_planned(plan, [&](const SeriesPlan& /*series*/, const Point& point) {
    if (point.find(variant_factor_name) != nullptr && point.text(variant_factor_name) == now_variant) ++points;
  });
  const int least = least_incarnations(std::max<std::size_t>(points, 1), alarm_level());
  bool raised = false;
  for (SeriesPlan& series : plan.series) {
    Precision& precision = series.precision;
    const bool is_both =
        std::ranges::find(series.factors, variant_factor_name, &FactorDomain::name) != series.factors.end();
    if (!is_both || precision.incarnations >= least) continue;
    precision.incarnations = least;
    precision.rule.max_incarnations = std::max(precision.rule.max_incarnations, least);
    raised = true;
  }
  if (raised)
    notes.push_back("every point has " + std::to_string(least) + " processes of each side at least, without which a " +
                    "change of one of " + std::to_string(points) + " points cannot be found");
}

void give_time(CampaignPlan& plan, const Against& against, const Overrides& overrides,
               std::vector<std::string>& notes) {
  if (!is_set(overrides, "incarnations")) add_processes(plan, notes);
  if (!plan.time_limit || against.had_two_sides || is_set(overrides, "time-limit")) return;
  plan.time_limit = 2 * *plan.time_limit;
  notes.push_back("the campaign's time limit is doubled, to " + rough_duration(*plan.time_limit) +
                  ", since its points are measured twice");
}

// Divides the series; notes those that stay as they are.
void divide(CampaignPlan& plan, const Against& against, BeforeSide& side) {
  std::vector<std::string> alone;
  std::size_t both = 0;
  for (SeriesPlan& series : plan.series) {
    const std::string why = why_alone(series, against, side);
    if (!why.empty()) {
      alone.push_back("series " + series.name + " is measured by this program only: " + why);
      continue;
    }
    FactorDomain sides{variant_factor_name, {}};
    sides.domain.levels = {std::string(before_variant), std::string(now_variant)};
    series.factors.push_back(std::move(sides));
    ++both;
    if (against.is_campaign && has_patterns(series.measurement))
      side.notes.push_back("series " + series.name +
                           " starts programs of its own, those of today on both sides: a "
                           "change of theirs shows between then and again");
  }
  if (both == 0)
    throw ConfigError(Problem{against.at, "no series can be measured by both", joined(alone, "; "),
                              "leave --against out, or name what has these series"});
  side.notes.insert(side.notes.end(), alone.begin(), alone.end());
}

Facts facts_of(const Against& against, const BeforeSide& side) {
  Facts facts{{against_path_fact, against.path},
              {against_kind_fact, against.is_campaign ? against_campaign : "program"},
              {against_program_fact, side.is_of_then ? "yes" : "no"}};
  if (side.program) {
    facts.emplace_back("against.program", side.program->path);
    facts.emplace_back("against.version", side.program->version);
    facts.emplace_back("against.build", side.program->build);
  }
  int number = 0;
  for (const std::string& note : side.notes) facts.emplace_back(against_note_prefix + std::to_string(++number), note);
  return facts;
}

}  // namespace

Facts measure_against(CampaignPlan& plan, const Against& against, const Overrides& overrides) {
  require_no_sides(plan, against);
  require_other_place(plan, against);
  BeforeSide side = against.is_campaign ? side_of_then(plan, against) : named_program(plan, against);
  divide(plan, against, side);
  plan.variants.push_back(before_side(against, side));
  Variant now;
  now.name = now_variant;
  plan.variants.push_back(std::move(now));
  give_time(plan, against, overrides, side.notes);
  plan.configuration = resolved_text(plan);
  return facts_of(against, side);
}

}  // namespace assay
