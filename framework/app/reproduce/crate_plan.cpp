// SPDX-License-Identifier: Apache-2.0
// A stored configuration, planned as a whole or series by series.
#include "app/reproduce/crate_plan.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include "app/config/plugins.hpp"
#include "app/config/quick.hpp"
#include "app/config/variants.hpp"
#include "base/error.hpp"
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

  CampaignPlan plan(const std::set<std::string>& series) const {
    Overrides overrides = overrides_;
    overrides.set = settings_for(overrides_.set, series);
    return stored_plan(configuration_.with(series, plugins_), name_, overrides, catalogue_, topology_);
  }

  /// Plans what can be, and names what cannot.
  CratePlan plan_the_rest(const std::set<std::string>& wanted) {
    leave_out_plugins();
    CratePlan found;
    std::set<std::string> possible;
    for (const std::string& one : series()) {
      if (!wanted.contains(one)) continue;
      try {
        plan({one});
        possible.insert(one);
      } catch (const ConfigError& error) {
        found.not_run.push_back({one, joined(with(lost_plugins_, reason_of(error)), "; ")});
      }
    }
    if (!possible.empty()) found.plan = plan(possible);
    return found;
  }

 private:
  static std::vector<std::string> with(std::vector<std::string> texts, std::string last) {
    texts.push_back(std::move(last));
    return texts;
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
