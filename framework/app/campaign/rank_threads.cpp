// SPDX-License-Identifier: Apache-2.0
// Series that have threads in ranks, found in campaign files without planning anything.
#include "app/campaign/rank_threads.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>

#include "base/error.hpp"
#include "platform/file/append_file.hpp"
#include "run/session/launches.hpp"
#include "text/ini.hpp"

namespace assay {

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
