// SPDX-License-Identifier: Apache-2.0
// Where a launcher comes from, what is missing where there is none; and series that have threads in ranks, found
// without planning anything.
#include "app/campaign/launcher.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <ostream>
#include <string_view>
#include <utility>

#include "app/cli/mpi.hpp"
#include "app/config/resolved.hpp"
#include "base/error.hpp"
#include "platform/file/append_file.hpp"
#include "platform/process/program.hpp"
#include "run/session/launches.hpp"
#include "text/ini.hpp"
#include "text/printable.hpp"

namespace assay {
namespace {

constexpr const char* mpirun_launcher = "mpirun -np {n}";

[[noreturn]] void refuse_launcher(const std::string& what, const std::string& remedy) {
  throw ConfigError(
      Problem{{"launcher"}, what, "series whose members are ranks are measured in launches", remedy, true});
}

}  // namespace

std::optional<LauncherSetup> launcher_of(const CampaignPlan& plan, std::size_t cpus, AppContext& context,
                                         TerminationSignals& signals, Journal& journal) {
  if (std::ranges::none_of(plan.series, is_launched)) return std::nullopt;
  LauncherSetup setup;
  setup.words = launcher_words(plan.launcher.empty() ? mpirun_launcher : plan.launcher);
  const bool is_asked_for = !plan.launcher.empty();
  const bool is_there = program_on_path(setup.words.front()).has_value();
  const auto program = rank_program();
  if (!is_asked_for && !(is_there && program)) return std::nullopt;
  if (!is_there)
    refuse_launcher("'" + printable(setup.words.front()) + "' is not on the path",
                    "install it, or name another launcher with --launcher");
  if (!program)
    refuse_launcher("there is no assay-mpi in the folder of this program",
                    "build it where MPI is installed (ASSAY_MPI=ON)");
  setup.program = *program;
  setup.configuration = resolved_text(launched_part(plan));
  setup.has_threads = has_threads_in_ranks(plan);
  setup.patience = plan.launch_deadline;
  setup.relaunches = plan.relaunches;
  setup.cpus = cpus;
  setup.interrupt = Interrupt{signals.descriptor(), [&signals] { return signals.finish_requested(); }};
  setup.is_urgent = [&signals] { return signals.requested(); };
  setup.tell = [&context](const std::string& text) { context.err << text << std::flush; };
  setup.keep = [&journal] { journal.sync(); };
  return setup;
}

namespace {

constexpr std::size_t largest_source = 1024 * 1024;
constexpr const char* threads_factor = "threads";  // members of a rank; 1 unless it is set
constexpr const char* level_factor = "level";      // of the pattern in which threads of a rank call the library
constexpr const char* level_without = "single";

using Keys = std::map<std::string, std::string>;  // of a series, with their values as text

bool has_factor(const Description& measurement, const char* name) {
  return std::ranges::find(measurement.factors, name, &Factor::name) != measurement.factors.end();
}

bool is_for_ranks(const Description& measurement) {
  return std::ranges::find(measurement.traits.vehicles, "mpi") != measurement.traits.vehicles.end();
}

bool is_set_otherwise(const Keys& keys, const char* key, const std::string& without) {
  const auto found = keys.find(key);
  return found != keys.end() && found->second != without;
}

bool may_have_threads(const Keys& keys, const Registry& registry) {
  const auto name = keys.find("measurement");
  if (name == keys.end()) return false;
  const auto* const entry = registry.find(name->second);
  if (entry == nullptr) return true;
  const Description& measurement = entry->description;
  if (!is_for_ranks(measurement)) return false;
  if (has_factor(measurement, threads_factor) && is_set_otherwise(keys, threads_factor, "1")) return true;
  return has_factor(measurement, level_factor) &&
         (!keys.contains(level_factor) || is_set_otherwise(keys, level_factor, level_without));
}

bool is_readable(const CampaignSource& source) {
  std::error_code ignored;
  return source.text || std::filesystem::is_regular_file(source.name, ignored);
}

// The keys of each section; nothing where the source cannot be read as a campaign.
std::optional<std::map<std::string, Keys>> sections_of(const CampaignSource& source) {
  try {
    const IniFile content = parse_ini(source.text ? *source.text : read_file(source.name, largest_source), source.name);
    if (!content.problems.empty()) return std::nullopt;
    std::map<std::string, Keys> sections;
    for (const IniEntry& entry : content.entries) sections[entry.section][entry.key] = plain_text(entry.value);
    return sections;
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

// What an override changes by its last word: which series it is for does not matter.
bool may_add_threads(const std::string& text) {
  const std::string_view key = std::string_view(text).substr(0, std::min(text.find('='), text.size()));
  for (const char* word : {threads_factor, level_factor, "measurement"})
    if (key.ends_with(word)) return true;
  return false;
}

}  // namespace

bool has_threads_in_ranks(const CampaignPlan& plan) {
  return std::ranges::any_of(plan.series, [](const SeriesPlan& series) {
    if (!is_launched(series)) return false;
    const auto differ = [&](const std::string& factor, const Value& without) {
      const auto is_other = [&](const Value& level) { return level != without; };
      const auto is_it = [&](const FactorDomain& one) { return one.name == factor; };
      const auto found = std::ranges::find_if(series.factors, is_it);
      return found != series.factors.end() && std::ranges::any_of(found->domain.levels, is_other);
    };
    return differ(threads_factor, std::int64_t{1}) || differ(level_factor, std::string(level_without));
  });
}

bool may_have_threads_in_ranks(const std::vector<CampaignSource>& sources, const std::vector<std::string>& overrides,
                               const Registry& registry) {
  if (std::ranges::any_of(overrides, may_add_threads)) return true;
  for (const CampaignSource& source : sources) {
    if (!is_readable(source)) continue;
    const auto sections = sections_of(source);
    if (!sections) return true;
    for (const auto& [section, keys] : *sections)
      if (may_have_threads(keys, registry)) return true;
  }
  return false;
}

Facts thread_level_fact(const CampaignPlan& plan, const RankTeams* ranks) {
  if (ranks == nullptr && std::ranges::none_of(plan.series, is_launched)) return {};
  const char* const wanted = std::getenv("ASSAY_MPI_THREAD_LEVEL");
  std::string level = wanted != nullptr ? wanted : "";
  if (level.empty()) level = has_threads_in_ranks(plan) ? "multiple" : "single";
  return {{"mpi.thread_level", ranks != nullptr ? ranks->thread_level() : level}};
}

}  // namespace assay
