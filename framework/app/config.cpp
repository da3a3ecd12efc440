// SPDX-License-Identifier: Apache-2.0
// From the request to the plan: campaign, catalogue, then each series.
#include "app/config.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <limits>

#include "app/ini.hpp"
#include "app/precision.hpp"
#include "app/resolved.hpp"
#include "app/series_plan.hpp"
#include "app/suggest.hpp"
#include "app/variants.hpp"
#include "base/rng.hpp"
#include "base/typed.hpp"
#include "platform/system_clock.hpp"

namespace assay {

namespace {

constexpr const char* campaign_hint = "'assay describe campaign' lists the keys";
constexpr const char* precision_hint = "'assay describe precision' lists the keys";

// The title in letters that are safe in the name of a directory.
std::string file_name_of(std::string title) {
  std::replace_if(
      title.begin(), title.end(),
      [](unsigned char c) { return !(c < 0x80 && (std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.')); }, '-');
  return title;
}

// "assay-TITLE-20260131-120000".
std::string default_output(const std::string& title) {
  std::string time;
  for (const char letter : utc_now()) {
    if (letter >= '0' && letter <= '9') time += letter;
    if (letter == 'T') time += '-';
  }
  return "assay-" + file_name_of(title) + "-" + time;
}

// Reads the keys of [campaign].
class CampaignReader {
 public:
  CampaignReader(const Settings& settings, Problems& problems) : settings_(settings), problems_(problems) {}

  CampaignPlan read(const std::string& default_title) {
    CampaignPlan plan;
    plan.title = text("title").value_or(default_title);
    plan.seed = typed("seed", read_seed).value_or(stable_hash(plan.title));
    plan.output = text("output").value_or(default_output(plan.title));
    plan.time_limit = typed("time-limit", read_duration);
    plan.sessions = positive("sessions");
    plan.every = typed("every", read_duration).value_or(Nanoseconds{});
    plan.schedule = word("schedule", {"interleaved", "consecutive"}) == "consecutive" ? Schedule::consecutive
                                                                                      : Schedule::interleaved;
    plan.counter_clock = word("clock", {"monotonic", "counter"}) == "counter";
    plan.max_workers = positive("max-workers");
    plan.plugins = read_plugins();
    return plan;
  }

  const Setting* find(const std::string& key) const {
    const auto found = settings_.find("campaign." + key);
    return found == settings_.end() ? nullptr : &found->second;
  }

 private:
  std::optional<std::string> text(const std::string& key) const {
    const Setting* setting = find(key);
    return setting == nullptr ? std::nullopt : std::optional(plain_text(setting->value));
  }

  template <class T>
  std::optional<T> typed(const std::string& key, Typed<T> (*reader)(std::string_view)) {
    const Setting* setting = find(key);
    if (setting == nullptr) return std::nullopt;
    auto result = reader(setting->value);
    if (!result.value)
      problems_.add(setting->at, key + ": " + shown(setting->value) + " " + result.what, {}, result.remedy);
    return result.value;
  }

  // One of a few words; the setting has a default.
  std::string word(const std::string& key, const std::vector<std::string>& words) {
    const Setting& setting = *find(key);
    if (std::find(words.begin(), words.end(), setting.value) == words.end())
      problems_.add(setting.at, "unknown " + key + " " + shown(setting.value), {}, suggestion(setting.value, words));
    return setting.value;
  }

  // A count from 1 on; the setting has a default.
  int positive(const std::string& key) {
    const auto count = typed(key, read_count).value_or(1);
    if (count >= 1 && count <= std::numeric_limits<int>::max()) return static_cast<int>(count);
    problems_.add(find(key)->at, key + " is out of range", {}, "write a number from 1 on");
    return 1;
  }

  std::vector<std::string> read_plugins() {
    const auto paths = split_paths(text("plugins").value_or(""));
    if (!paths.empty()) require_folders(paths, find("plugins")->at, "plugin", problems_);
    return paths;
  }

  const Settings& settings_;
  Problems& problems_;
};

std::vector<std::string> names_of(const std::vector<Description>& measurements) {
  std::vector<std::string> names;
  for (const Description& measurement : measurements) names.push_back(measurement.name);
  return names;
}

// What can be measured, plugins included; complete unless a plugin could not be asked.
struct Known {
  std::vector<Description> measurements;
  bool complete = true;
};
Known known_measurements(const Catalogue& catalogue, const std::vector<std::string>& plugins, const Where& at,
                         Problems& problems) {
  Known known{catalogue.built_in};
  if (plugins.empty()) return known;
  try {
    for (Description& found : catalogue.describe_plugins(plugins)) {
      const auto names = names_of(known.measurements);
      if (std::find(names.begin(), names.end(), found.name) == names.end())
        known.measurements.push_back(std::move(found));
    }
  } catch (const PluginError& error) {
    problems.add_environment(at, "a plugin cannot be used", error.what());
    known.complete = false;
  }
  return known;
}

// Builds the plan of each series that names a known measurement.
class SeriesBuilder {
 public:
  SeriesBuilder(const Request& request, const Settings& precision, const std::vector<Variant>& variants,
                const Topology& topology, Problems& problems)
      : request_(request), precision_(precision), variants_(variants), topology_(topology), problems_(problems) {}

  std::optional<SeriesPlan> build(const NamedSection& header, const Known& known) {
    const Description* measurement = find_measurement(header, known);
    if (measurement == nullptr) return std::nullopt;
    const auto derive_keys = request_.keys(header.section(), "derive.");
    auto settings =
        merge(series_schema(header.section(), *measurement, derive_keys), request_.sources, problems_.list());
    settings.insert(precision_.begin(), precision_.end());
    return series_plan({header, *measurement, settings, variants_, topology_, problems_}, derive_keys);
  }

 private:
  const Description* find_measurement(const NamedSection& header, const Known& known) {
    const Setting* setting = request_.find(header.section(), "measurement");
    if (setting == nullptr) {
      problems_.add(header.at, "series '" + header.name + "' has no measurement", {},
                    "write measurement = NAME; 'assay list' shows the names");
      return nullptr;
    }
    for (const Description& measurement : known.measurements)
      if (measurement.name == setting->value) return &measurement;
    if (!known.complete) return nullptr;  // it may be the missing plugin's, which was told
    const auto near = nearest(setting->value, names_of(known.measurements));
    problems_.add(setting->at, "unknown measurement " + shown(setting->value), {},
                  near.empty() ? "'assay list' shows the names" : "did you mean '" + near + "'?");
    return nullptr;
  }

  const Request& request_;
  const Settings& precision_;
  const std::vector<Variant>& variants_;
  const Topology& topology_;
  Problems& problems_;
};

// What a request asks for; throws unless it is all right. `files` are named where there is nothing better to name.
CampaignPlan plan_of(const Request& request, const std::vector<std::string>& files, const Catalogue& catalogue,
                     const Topology& topology, Problems& problems) {
  const auto campaign = merge({"campaign", options_of("campaign"), campaign_hint}, request.sources, problems.list());
  const auto precision =
      merge({"precision", options_of("precision"), precision_hint}, request.sources, problems.list());
  read_precision(precision, "precision", problems);

  CampaignReader reader(campaign, problems);
  auto plan = reader.read(files.empty() ? "" : std::filesystem::path(files.front()).stem().string());
  const Where plugins_at = plan.plugins.empty() ? Where{} : reader.find("plugins")->at;
  const auto known = known_measurements(catalogue, plan.plugins, plugins_at, problems);
  plan.variants = read_variants(request, problems);
  SeriesBuilder builder(request, precision, plan.variants, topology, problems);
  for (const NamedSection& header : request.series)
    if (auto series = builder.build(header, known)) plan.series.push_back(std::move(*series));
  problems.raise(files);
  plan.configuration = resolved_text(plan);
  return plan;
}

}  // namespace

CampaignPlan load_plan(const std::vector<std::string>& files, const Overrides& overrides, const Catalogue& catalogue,
                       const Topology& topology) {
  Problems problems;
  const auto request = gather(files, overrides.set, overrides.series, problems);
  auto plan = plan_of(request, files, catalogue, topology, problems);
  if (overrides.output) plan.output = *overrides.output;
  return plan;
}

CampaignPlan stored_plan(const std::string& configuration, const std::string& name, const Overrides& overrides,
                         const Catalogue& catalogue, const Topology& topology) {
  Problems problems;
  const auto request = gather_resolved(configuration, name, overrides.set, problems);
  auto plan = plan_of(request, {name}, catalogue, topology, problems);
  const auto& given = request.sources.front();
  if (std::ranges::find(given, "sessions", &Given::key) == given.end()) plan.sessions = 1;
  return plan;
}

}  // namespace assay
