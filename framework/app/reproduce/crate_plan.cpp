// SPDX-License-Identifier: Apache-2.0
// A stored configuration, planned as a whole or series by series.
#include "app/reproduce/crate_plan.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>

#include "app/config/plugins.hpp"
#include "app/config/quick.hpp"
#include "app/config/variants.hpp"
#include "base/error.hpp"
#include "base/factor.hpp"
#include "record/crate/crate.hpp"
#include "text/ini.hpp"
#include "text/suggest.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

constexpr std::string_view series_stem = "series.";

/// A configuration's text that parts can be taken out of.
class Configuration {
 public:
  Configuration(const std::string& text, const std::string& name) : text_(text), file_(parse_ini(text, name)) {}

  std::vector<std::string> series() const {
    std::vector<std::string> names;
    for (const IniSection& section : file_.sections)
      if (section.name.starts_with(series_stem)) names.push_back(section.name.substr(series_stem.size()));
    return names;
  }
  /// Without the series that `keep` does not name, and with these plugins. Lines keep their numbers.
  std::string with(const std::set<std::string>& keep, const std::vector<std::string>& plugins) const {
    std::istringstream lines(text_);
    std::string kept;
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      const IniSection* section = section_of(++number);
      const bool is_kept = section == nullptr || !section->name.starts_with(series_stem) ||
                           keep.contains(section->name.substr(series_stem.size()));
      if (const IniEntry* entry = plugins_at(number))
        line = plugins.empty() ? "" : entry->key + " = " + value_text(joined(plugins));
      kept += (is_kept ? line : "") + '\n';
    }
    return kept;
  }
  std::vector<std::string> plugins() const {
    for (const IniEntry& entry : file_.entries)
      if (is_plugins(entry)) return plugin_paths(split_paths(plain_text(entry.value)));
    return {};
  }

  /// The levels of a series' placement, as they are written.
  std::vector<std::string> placements(const std::string& series) const {
    std::vector<std::string> levels;
    for (const IniEntry& entry : file_.entries)
      if (entry.section == std::string(series_stem) + series && entry.key == "placement")
        for (const Value& level : parse_domain(entry.value, FactorKind::categorical).domain.levels) {
          Domain one;
          one.levels = {level};
          levels.push_back(to_text(one));
        }
    return levels;
  }

 private:
  static bool is_plugins(const IniEntry& entry) { return entry.section == "campaign" && entry.key == "plugins"; }
  const IniSection* section_of(int line) const {
    const IniSection* found = nullptr;
    for (const IniSection& section : file_.sections)
      if (section.at.line <= line) found = &section;
    return found;
  }
  const IniEntry* plugins_at(int line) const {
    const auto found = std::ranges::find_if(
        file_.entries, [&](const IniEntry& entry) { return is_plugins(entry) && entry.key_at.line == line; });
    return found == file_.entries.end() ? nullptr : &*found;
  }

  const std::string& text_;
  IniFile file_;
};

// Settings of a series are for that series only.
std::vector<std::string> settings_for(const std::vector<std::string>& set, const std::set<std::string>& series) {
  std::vector<std::string> kept;
  for (const std::string& one : set) {
    const std::string section = one.substr(0, one.find('='));
    const auto dot = section.rfind('.');
    const bool is_of_series = section.starts_with(series_stem) && dot >= series_stem.size();
    if (!is_of_series || series.contains(section.substr(series_stem.size(), dot - series_stem.size())))
      kept.push_back(one);
  }
  return kept;
}

std::string reason_of(const ConfigError& error) {
  std::vector<std::string> texts;
  for (const Problem& problem : error.problems())
    texts.push_back(problem.what + (problem.why.empty() ? "" : ": " + problem.why));
  return joined(texts, "; ", 3);
}

// A measurement may be that of a plugin that is not here.
bool is_unknown(const ConfigError& error) {
  return std::ranges::any_of(error.problems(),
                             [](const Problem& problem) { return problem.what.starts_with("unknown measurement"); });
}

/// Plans subsets of one crate's series.
class Planner {
 public:
  Planner(const ReadCrate& crate, const Overrides& overrides, const Catalogue& catalogue, const Topology& topology)
      : name_(crate.folder + '/' + crate_campaign_name),
        configuration_(crate.configuration, name_),
        overrides_(overrides),
        catalogue_(catalogue),
        topology_(topology),
        plugins_(configuration_.plugins()) {}

  std::vector<std::string> series() const { return configuration_.series(); }

  CampaignPlan plan(const std::set<std::string>& series, std::vector<std::string> further = {}) const {
    Overrides overrides = overrides_;
    overrides.set = settings_for(overrides_.set, series);
    std::ranges::move(further, std::back_inserter(overrides.set));
    return stored_plan(configuration_.with(series, plugins_), name_, overrides, catalogue_, topology_);
  }

  /// Plans what can be, and names what cannot.
  CratePlan plan_the_rest(const std::set<std::string>& wanted) {
    leave_out_plugins();
    CratePlan found;
    std::set<std::string> possible;
    std::vector<std::string> settings;
    for (const std::string& one : series()) {
      if (!wanted.contains(one)) continue;
      const auto levels = configuration_.placements(one);
      std::string why = refusal(one, {});
      if (!why.empty() && levels.size() > 1) why = leave_out_placements(one, levels, settings, found.not_run);
      if (why.empty())
        possible.insert(one);
      else
        found.not_run.push_back({one, std::move(why)});
    }
    if (!possible.empty()) found.plan = plan(possible, settings);
    return found;
  }

 private:
  // Why a series cannot be planned; empty where it can.
  std::string refusal(const std::string& series, const std::vector<std::string>& settings) const {
    try {
      plan({series}, settings);
      return {};
    } catch (const ConfigError& error) {
      const auto lost = is_unknown(error) ? lost_plugins_ : std::vector<std::string>();
      return joined(lost, "; ") + (lost.empty() ? "" : "; ") + reason_of(error);
    }
  }

  // Keeps the placements of a series that are here, by a further setting. Returns why it cannot be planned at all.
  std::string leave_out_placements(const std::string& series, const std::vector<std::string>& levels,
                                   std::vector<std::string>& settings, std::vector<NotRun>& not_run) const {
    const std::string key = std::string(series_stem) + series + ".placement=";
    std::vector<std::string> kept;
    std::vector<NotRun> lost;
    for (const std::string& level : levels) {
      std::string why = refusal(series, {key + level});
      if (why.empty())
        kept.push_back(level);
      else
        lost.push_back({series, std::move(why)});
    }
    if (kept.empty()) return lost.front().why;
    not_run.insert(not_run.end(), lost.begin(), lost.end());
    settings.push_back(key + joined(kept));
    return {};
  }

  // A plugin that cannot be loaded would keep every series from being planned.
  void leave_out_plugins() {
    if (plugins_.empty()) return;
    const auto reports = catalogue_.describe_plugins(plugins_, plugin_deadline);
    plugins_.clear();
    for (const PluginReport& report : reports) {
      if (!report.problem) plugins_.push_back(report.path);
      if (report.problem) lost_plugins_.push_back(report.problem->what + ": " + report.problem->why);
    }
  }

  std::string name_;
  Configuration configuration_;
  const Overrides& overrides_;
  const Catalogue& catalogue_;
  const Topology& topology_;
  std::vector<std::string> plugins_;
  std::vector<std::string> lost_plugins_;
};

std::set<std::string> wanted_series(const std::string& command, const std::vector<std::string>& all,
                                    const std::vector<std::string>& asked) {
  for (const std::string& one : asked)
    if (std::ranges::find(all, one) == all.end())
      throw ConfigError(Problem{{command}, "the crate has no series " + shown(one), {}, suggestion(one, all)});
  return asked.empty() ? std::set<std::string>(all.begin(), all.end())
                       : std::set<std::string>(asked.begin(), asked.end());
}

}  // namespace

CratePlan plan_of_crate(const std::string& command, const ReadCrate& crate, const Overrides& overrides,
                        const Catalogue& catalogue, const Topology& topology) {
  Planner planner(crate, overrides, catalogue, topology);
  const auto wanted = wanted_series(command, planner.series(), overrides.series);
  CratePlan found;
  try {
    found.plan = planner.plan(wanted);
  } catch (const ConfigError&) {
    found = planner.plan_the_rest(wanted);
  }
  for (const SeriesPlan& series : found.plan.series)
    for (const std::string& level : series.refused) found.not_run.push_back({series.name, level});
  if (overrides.output) found.plan.output = *overrides.output;
  if (overrides.quick && !found.plan.series.empty()) make_quick(found.plan, overrides.set);
  return found;
}

}  // namespace assay
