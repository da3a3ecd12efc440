// SPDX-License-Identifier: Apache-2.0
// From the settings given to the plan: campaign, catalogue, then each series.
#include "app/config/config.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <map>

#include "app/config/plugins.hpp"
#include "app/config/precision.hpp"
#include "app/config/quick.hpp"
#include "app/config/resolved.hpp"
#include "app/config/series_context.hpp"
#include "app/config/series_factors.hpp"
#include "app/config/series_plan.hpp"
#include "app/config/variants.hpp"
#include "base/rng.hpp"
#include "base/typed.hpp"
#include "platform/clock/system_clock.hpp"
#include "record/layout/layouts.hpp"
#include "text/ini.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

constexpr std::int64_t least_memory = std::int64_t{64} << 20U;
constexpr std::size_t most_large_points = 10000000;
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
    plan.seed = typed<std::uint64_t>("seed").value_or(stable_hash(plan.title));
    plan.output = text("output").value_or(default_output(plan.title));
    plan.time_limit = typed<Nanoseconds>("time-limit");
    plan.reserve = typed<Nanoseconds>("reserve").value_or(plan.reserve);
    plan.breaker = {count("max-failures"), typed<double>("max-failed").value_or(1)};
    plan.sessions = count("sessions");
    plan.every = typed<Nanoseconds>("every").value_or(Nanoseconds{});
    plan.schedule = text("schedule") == "consecutive" ? Schedule::consecutive : Schedule::interleaved;
    plan.layout = read_layout();
    plan.counter_clock = text("clock") == "counter";
    plan.max_workers = count("max-workers");
    plan.limits.memory = read_memory();
    plan.limits.keep_cores = text("keep-cores") == "yes";
    plan.launcher = text("launcher").value_or("");
    plan.relaunches = count("relaunch");
    plan.launch_deadline = typed<Nanoseconds>("launch-deadline").value_or(plan.launch_deadline);
    plan.plugins = read_plugins();
    plan.plugin_deadline = typed<Nanoseconds>("plugin-deadline").value_or(plan.plugin_deadline);
    plan.durability = read_durability();
    return plan;
  }

  const Setting* find(const std::string& key) const {
    const auto found = settings_.find("campaign." + key);
    return found == settings_.end() ? nullptr : &found->second;
  }

 private:
  template <class T>
  std::optional<T> typed(const std::string& key) const {
    const Setting* setting = find(key);
    return setting == nullptr ? std::nullopt : setting->as<T>();
  }
  std::optional<std::string> text(const std::string& key) const { return typed<std::string>(key); }
  // The setting has a default; where it was refused, no campaign comes of what is read.
  int count(const std::string& key) const { return static_cast<int>(typed<std::int64_t>(key).value_or(1)); }

  // A file is named in full, so that the campaign finds it from wherever it goes on.
  std::string read_layout() {
    const Setting& setting = *find("layout");
    std::string name = plain_text(setting.value);
    try {
      if (!find_layout(name))
        problems_.add(setting.at, "unknown layout " + shown(name), {}, suggestion(name, layout_names()));
    } catch (const ConfigError& error) {
      problems_.add_all(error.problems());
    }
    const bool is_file = name.find('/') != name.npos || name.ends_with(".ini");
    return is_file ? std::filesystem::absolute(name).lexically_normal().string() : name;
  }

  std::optional<std::uint64_t> read_memory() {
    const auto bytes = typed<std::int64_t>("worker-memory");
    if (!bytes || *bytes >= least_memory) return bytes;
    problems_.add(find("worker-memory")->at, "worker-memory is too small", "a worker alone takes more",
                  "write 64Mi or more");
    return std::nullopt;
  }

  Durability read_durability() {
    const Setting& setting = *find("durability");
    const auto durability = parse_durability(plain_text(setting.value));
    if (!durability)
      problems_.add(setting.at, "unknown durability " + shown(setting.value), {},
                    "write point, none, or how often to sync, as in 'interval 5s'");
    return durability.value_or(Durability{});
  }

  std::vector<std::string> read_plugins() { return plugin_paths(split_paths(text("plugins").value_or(""))); }

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
  std::map<std::string, std::string> plugins;  ///< path of the one that has it, by name of the measurement
  bool complete = true;
};
Known known_measurements(const Catalogue& catalogue, const CampaignPlan& plan, const Setting* setting,
                         Problems& problems) {
  Known known{catalogue.built_in, {}};
  if (plan.plugins.empty()) return known;
  for (PluginReport& report : catalogue.describe_plugins(plan.plugins, plan.plugin_deadline)) {
    if (report.problem) {
      report.problem->where = item_of(*setting, report.path);
      problems.add_all({*report.problem});
      known.complete = false;
    }
    for (const Description& found : report.measurements) known.plugins[found.name] = report.path;
    std::ranges::move(report.measurements, std::back_inserter(known.measurements));
  }
  return known;
}

// A variant's plugins replace the campaign's in its workers; another program has its own idea of them.
void check_plugins(const Variant& variant, const Catalogue& catalogue, const CampaignPlan& plan, const Where& at,
                   Problems& problems) {
  if (variant.plugins.empty() || !variant.program.empty()) return;
  for (PluginReport& report : catalogue.describe_plugins(variant.plugins, plan.plugin_deadline)) {
    if (!report.problem) continue;
    report.problem->where = at;
    problems.add_all({*report.problem});
  }
}

// Builds the plan of each series that names a known measurement.
class SeriesBuilder {
 public:
  SeriesBuilder(const GivenSettings& given, const Settings& precision, const std::vector<Variant>& variants,
                const Topology& topology, Problems& problems, std::size_t most_points)
      : given_(given),
        precision_(precision),
        variants_(variants),
        topology_(topology),
        problems_(problems),
        most_points_(most_points) {}

  std::optional<SeriesPlan> build(const NamedSection& header, const Known& known) {
    const Description* found = find_measurement(header, known);
    if (found == nullptr) return std::nullopt;
    const Description measurement = with_series_factors(*found, header, given_, problems_);
    const auto derive_keys = given_.keys(header.section(), "derive.");
    auto settings = merge(series_schema(header.section(), measurement, derive_keys), given_.sources, problems_.list());
    settings.insert(precision_.begin(), precision_.end());
    auto plan =
        series_plan({header, measurement, settings, variants_, topology_, problems_, most_points_}, derive_keys);
    const auto plugin = known.plugins.find(measurement.name);
    if (plugin != known.plugins.end()) plan.plugin = plugin->second;
    return plan;
  }

 private:
  const Description* find_measurement(const NamedSection& header, const Known& known) {
    const Setting* setting = given_.find(header.section(), "measurement");
    if (setting == nullptr) {
      if (has_malformed_line(header)) return nullptr;  // it may be the measurement's, and was reported
      problems_.add(header.at, "series '" + header.name + "' has no measurement", {},
                    "write measurement = NAME; 'assay list' shows the names");
      return nullptr;
    }
    for (const Description& measurement : known.measurements)
      if (measurement.name == setting->value) return &measurement;
    if (!known.complete) return nullptr;  // it may be the missing plugin's, which was reported
    const auto near = nearest(setting->value, names_of(known.measurements));
    problems_.add(setting->at, "unknown measurement " + shown(setting->value), {},
                  near.empty() ? "'assay list' shows the names" : "did you mean '" + near + "'?");
    return nullptr;
  }

  // Whether a line of the section could not be read.
  bool has_malformed_line(const NamedSection& header) const {
    const auto follows = [&](const Where& at) { return at.file == header.at.file && at.line > header.at.line; };
    return std::ranges::any_of(given_.malformed, [&](const Where& at) {
      return follows(at) && std::ranges::none_of(given_.series, [&](const NamedSection& other) {
               return follows(other.at) && other.at.line <= at.line;
             });
    });
  }

  const GivenSettings& given_;
  const Settings& precision_;
  const std::vector<Variant>& variants_;
  const Topology& topology_;
  Problems& problems_;
  std::size_t most_points_;
};

// A limit within which no point of a series could even be warmed up.
void check_time_limit(const CampaignPlan& plan, const CampaignReader& reader, Problems& problems) {
  for (const SeriesPlan& series : plan.series)
    if (plan.time_limit && plan.time_limit->count <= series.precision.warm_up.count)
      problems.add(reader.find("time-limit")->at, "time-limit is smaller than one point",
                   duration_text(*plan.time_limit) + ", and warm-up = " + duration_text(series.precision.warm_up) +
                       " of series '" + series.name + "'",
                   "raise time-limit, or lower warm-up");
}

std::vector<std::string> names_of(const std::vector<CampaignSource>& sources) {
  std::vector<std::string> names;
  for (const CampaignSource& source : sources) names.push_back(source.name);
  return names;
}

// What the settings given ask for; throws unless it is all right. `sources` are named where there is nothing better to
// name.
CampaignPlan plan_of(const GivenSettings& given, const std::vector<CampaignSource>& sources, const Catalogue& catalogue,
                     const Topology& topology, Problems& problems, std::size_t most_points) {
  const auto campaign = merge({"campaign", options_of("campaign"), campaign_hint}, given.sources, problems.list());
  const auto precision = merge({"precision", options_of("precision"), precision_hint}, given.sources, problems.list());
  read_precision(precision, "precision", problems);

  CampaignReader reader(campaign, problems);
  auto plan = reader.read(sources.empty() ? "" : sources.front().title());
  const auto known = known_measurements(catalogue, plan, reader.find("plugins"), problems);
  plan.variants = read_variants(given, problems);
  for (std::size_t i = 0; i < plan.variants.size(); ++i)
    check_plugins(plan.variants[i], catalogue, plan, given.variants[i].at, problems);
  SeriesBuilder builder(given, precision, plan.variants, topology, problems, most_points);
  for (const NamedSection& header : given.series)
    if (auto series = builder.build(header, known)) plan.series.push_back(std::move(*series));
  check_time_limit(plan, reader, problems);
  problems.raise(names_of(sources));
  plan.configuration = resolved_text(plan);
  return plan;
}

}  // namespace

CampaignPlan load_plan(const std::vector<CampaignSource>& sources, const Overrides& overrides,
                       const Catalogue& catalogue, const Topology& topology) {
  Problems problems;
  const auto given = gather(sources, overrides.set, overrides.series, problems, overrides.options);
  const auto most_points = overrides.allow_large ? most_large_points : usual_most_levels;
  auto plan = plan_of(given, sources, catalogue, topology, problems, most_points);
  if (overrides.output) plan.output = *overrides.output;
  if (overrides.quick) make_quick(plan, overrides.set);
  return plan;
}

CampaignPlan stored_plan(const std::string& configuration, const std::string& name, const Overrides& overrides,
                         const Catalogue& catalogue, const Topology& topology) {
  Problems problems;
  const auto given = gather_resolved(configuration, name, overrides.set, problems);
  // As large as it was allowed to be when it was begun.
  return plan_of(given, {name}, catalogue, topology, problems, most_large_points);
}

}  // namespace assay
