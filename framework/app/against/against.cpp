// SPDX-License-Identifier: Apache-2.0
// Finding out what was named: a directory with a journal, or a file to be run.
#include "app/against/against.hpp"

#include <filesystem>
#include <sstream>

#include "app/campaign/resume_campaign.hpp"
#include "app/cluster/cluster_folder.hpp"
#include "app/config/variants.hpp"
#include "app/results/results.hpp"
#include "text/ini.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view series_prefix = "series.";

// A journal's file stands for its directory.
fs::path directory_or_file(const std::string& given) {
  const fs::path path = fs::path(given);
  return path.filename() == journal_name ? path.parent_path() : path;
}

// The lines of a resolved configuration without the two sides.
std::string without_sides(const std::string& configuration) {
  std::istringstream lines(configuration);
  std::string text;
  bool is_side = false;
  bool is_series = false;
  const std::string levels = std::string(variant_factor_name) + " = " + before_variant + ", " + now_variant;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('[')) {
      is_side = line == std::string("[variant.") + before_variant + "]" ||
                line == std::string("[variant.") + now_variant + "]";
      is_series = line.starts_with("[series.");
    }
    if (!is_side && !(is_series && line == levels)) text += line + "\n";
  }
  return text;
}

void read_campaign(Against& against) {
  refuse_cluster("--against", against.path);
  require_results("--against", against.path);
  const Origin origin = origin_of(against.path);
  if (!origin.is_measured)
    throw ResultError("--against " + shown_path(against.path) +
                      ": that campaign was stopped before it measured anything; name another one");
  against.facts = origin.facts;
  against.configuration = origin.configuration;
  const IniFile settings = parse_ini(origin.configuration, against.path + ": configuration");
  for (const IniEntry& entry : settings.entries) {
    if (entry.section.starts_with(series_prefix) && entry.key == "measurement")
      against.measurements[entry.section.substr(series_prefix.size())] = entry.value;
    if (entry.section == "campaign" && entry.key == "plugins") against.plugins = split_paths(plain_text(entry.value));
    if (entry.section == std::string("variant.") + before_variant && entry.key == "against")
      against.had_two_sides = true;
  }
  if (against.had_two_sides) against.configuration = without_sides(against.configuration);
}

}  // namespace

Against look_at(const std::string& given) {
  Against against{{"--against " + shown(given)}, {}};
  std::error_code error;
  const fs::path path = fs::canonical(directory_or_file(given.empty() ? "?" : given), error);
  if (error)
    throw ConfigError(Problem{against.at, "there is nothing of that name", error.message(),
                              "name the directory of an earlier campaign, or the path of another build of assay"});
  against.path = path.string();
  against.is_campaign = fs::is_directory(path);
  if (against.is_campaign) read_campaign(against);
  return against;
}

CampaignSource campaign_of(const Against& against) {
  if (!against.is_campaign)
    throw ConfigError(Problem{against.at, "that is a program, and no campaign is named",
                              "only a directory of results says what was measured",
                              "name a campaign file, a campaign or a measurement before --against"});
  return {against.path + ": configuration", against.configuration};
}

}  // namespace assay
