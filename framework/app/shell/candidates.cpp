// SPDX-License-Identifier: Apache-2.0
// Names from the program's own tables, and from the campaigns that the line names.
#include "app/shell/completion.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "api/measurement.hpp"
#include "app/config/campaign_source.hpp"
#include "app/results/formats.hpp"
#include "app/results/topics.hpp"
#include "app/shell/guide.hpp"
#include "app/shell/manual.hpp"
#include "platform/file/append_file.hpp"
#include "record/journal/journal.hpp"
#include "record/layout/layouts.hpp"
#include "record/table/column_table.hpp"
#include "stats/rule/stopping_rule.hpp"
#include "text/ini.hpp"

namespace assay {

namespace {

/// A series of one of them.
struct NamedSeries {
  std::string name;
  const Description* measurement = nullptr;  ///< null: of a plugin, or not given
  std::string measurement_name;
  std::vector<std::pair<std::string, std::vector<std::string>>> keys;  ///< with their levels
};

/// What they have, in the order of the line.
struct NamedCampaigns {
  std::vector<NamedSeries> series;
  std::vector<std::string> variants;
};

namespace fs = std::filesystem;

constexpr std::size_t largest_campaign = std::size_t{1} << 20U;
constexpr std::size_t longest_line = std::size_t{4} << 20U;

std::string first_line(const fs::path& journal) {
  std::ifstream file(journal, std::ios::binary);
  std::string text(longest_line, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  const auto end = text.find('\n');
  return end == text.npos ? "" : text.substr(0, end + 1);
}

std::string configuration_of(const fs::path& journal) {
  std::string configuration;
  scan_journal_text(
      first_line(journal), journal.string(), journal.parent_path().string(), [](const RecordHead&) { return true; },
      [&](const Record& record) {
        if (const auto* campaign = std::get_if<CampaignRecord>(&record)) configuration = campaign->configuration;
      });
  return configuration;
}

// The text of the campaign that a word names, empty where it names none.
std::string campaign_text(const std::string& word) {
  const fs::path path(word);
  if (fs::is_directory(path)) {
    const auto journal = path / journal_name;
    return fs::is_regular_file(journal) ? configuration_of(journal) : "";
  }
  if (!fs::is_regular_file(path)) {
    const auto known = known_campaigns(campaign_folders());
    const auto named = std::ranges::find(known, word, &KnownCampaign::name);
    return named == known.end() ? "" : read_file(named->path, largest_campaign);
  }
  if (path.extension() == ".jsonl") return configuration_of(path);
  return path.extension() == ".ini" ? read_file(word, largest_campaign) : "";
}

std::vector<std::string> levels_of(std::string_view domain) {
  std::vector<std::string> levels;
  while (!domain.empty()) {
    const auto comma = std::min(domain.find(','), domain.size());
    std::string level(domain.substr(0, comma));
    std::erase(level, ' ');
    levels.push_back(std::move(level));
    domain.remove_prefix(std::min(comma + 1, domain.size()));
  }
  return levels;
}

const Description* described(const Registry& registry, const std::string& name) {
  const auto found =
      std::ranges::find_if(registry.entries(), [&](const Entry& e) { return e.description.name == name; });
  return found == registry.entries().end() ? nullptr : &found->description;
}

// Adds the sections of one file.
void take(const IniFile& file, const Registry& registry, NamedCampaigns& all) {
  constexpr std::string_view series = "series.";
  constexpr std::string_view variant = "variant.";
  for (const IniSection& section : file.sections) {
    if (section.name.starts_with(variant)) all.variants.push_back(section.name.substr(variant.size()));
    if (!section.name.starts_with(series)) continue;
    NamedSeries one;
    one.name = section.name.substr(series.size());
    for (const IniEntry& entry : file.entries) {
      if (entry.section != section.name) continue;
      const auto value = plain_text(entry.value);
      if (entry.key == "measurement") one.measurement_name = value;
      one.keys.emplace_back(entry.key, levels_of(value));
    }
    one.measurement = described(registry, one.measurement_name);
    all.series.push_back(std::move(one));
  }
}

/// Takes the words that are files of at most 1 MiB, or results, whose configuration stands at the beginning of their
/// journal. Whatever is wrong with one, it is left out.
NamedCampaigns named_campaigns(const std::vector<std::string>& line, const Registry& registry) {
  NamedCampaigns all;
  for (const std::string& word : line) {
    try {
      if (const auto text = campaign_text(word); !text.empty()) take(parse_ini(text, word), registry, all);
    } catch (const std::exception&) {
      continue;  // no report was requested
    }
  }
  return all;
}

using Candidates = std::vector<Candidate>;

bool is_plain(const std::string& text) {
  constexpr std::string_view others = "+-_./:=@%,";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || others.find(c) != others.npos;
  });
}

Candidates of_layouts() {
  Candidates found;
  for (const std::string& name : layout_names()) found.push_back({name, find_layout(name)->summary});
  return found;
}

Candidates of_formats() {
  Candidates found;
  for (const ExportFormat& format : export_formats()) found.push_back({format.name, format.summary});
  return found;
}

Candidates of_topics(const Registry& registry) {
  Candidates found;
  for (const char* section : {"campaign", "precision", "series", "variant"})
    found.push_back({section, "keys of a section"});
  for (const std::string& rule : rule_names()) found.push_back({rule, rule_help(rule).summary});
  for (const Entry& entry : registry.entries()) found.push_back({entry.description.name, entry.description.summary});
  std::vector<Description> descriptions;
  for (const Entry& entry : registry.entries()) descriptions.push_back(entry.description);
  for (const Topic& topic : all_topics(descriptions)) found.push_back({topic.name, topic.text});
  return found;
}

Candidates of_commands() {
  Candidates found;
  for (const CommandInfo& command : shown_commands()) found.push_back({command.name, command.summary});
  return found;
}

Candidates of_pages() {
  Candidates found;
  for (const Page& page : manual({})) found.push_back({page.name, "section " + std::to_string(page.section)});
  return found;
}

Candidates of_series(const NamedCampaigns& campaigns) {
  Candidates found;
  for (const NamedSeries& series : campaigns.series) found.push_back({series.name, series.measurement_name});
  return found;
}

Candidates of_factors(const NamedCampaigns& campaigns) {
  Candidates found;
  for (const NamedSeries& series : campaigns.series)
    if (series.measurement != nullptr)
      for (const Factor& factor : series.measurement->factors) found.push_back({factor.name, factor.summary});
  for (const OptionInfo& option : options_of("series"))
    if (option.type.name == "domain") found.push_back({option.name, option.help});
  return found;
}

Candidates of_quantities(const NamedCampaigns& campaigns) {
  Candidates found;
  for (const NamedSeries& series : campaigns.series)
    if (series.measurement != nullptr)
      for (const Quantity& quantity : series.measurement->quantities)
        found.push_back({quantity.name, quantity.summary});
  return found;
}

// Those that a series requests, with their factors.
std::vector<std::pair<std::string, std::string>> asked_levels(const NamedCampaigns& campaigns) {
  std::set<std::string> factors;
  for (const Candidate& factor : of_factors(campaigns)) factors.insert(factor.text);
  std::vector<std::pair<std::string, std::string>> found;
  for (const NamedSeries& series : campaigns.series)
    for (const auto& [key, levels] : series.keys) {
      if (!factors.contains(key)) continue;
      for (const std::string& level : levels)
        if (level.find("..") == level.npos) found.emplace_back(key, level);
    }
  return found;
}

Candidates of_levels(const NamedCampaigns& campaigns) {
  Candidates found;
  for (const auto& [factor, level] : asked_levels(campaigns)) found.push_back({level, factor});
  for (const std::string& variant : campaigns.variants) found.push_back({variant, "variant"});
  return found;
}

Candidates of_filters(const NamedCampaigns& campaigns) {
  Candidates found;
  for (const NamedSeries& series : campaigns.series) {
    found.push_back({"series=" + series.name, series.measurement_name});
    found.push_back({"measurement=" + series.measurement_name, {}});
  }
  for (const Candidate& quantity : of_quantities(campaigns))
    found.push_back({"quantity=" + quantity.text, quantity.meaning});
  for (const char* name : {"series=", "measurement=", "quantity=", "regime=", "verdict="}) found.push_back({name, {}});
  for (const auto& [factor, level] : asked_levels(campaigns)) found.push_back({factor + "=" + level, {}});
  for (const Candidate& factor : of_factors(campaigns)) found.push_back({factor.text + "=", factor.meaning});
  return found;
}

Candidates of_columns(const NamedCampaigns& campaigns) {
  Candidates found;
  for (const ColumnInfo& column : all_columns()) found.push_back({std::string(column.name), {}});
  for (Candidate& factor : of_factors(campaigns)) found.push_back(std::move(factor));
  return found;
}

void add_keys(Candidates& found, const std::string& prefix, const std::string& section) {
  for (const OptionInfo& option : options_of(section)) found.push_back({prefix + option.name + "=", option.help});
}

Candidates of_settings(const NamedCampaigns& campaigns) {
  Candidates found;
  for (const char* section : {"campaign", "precision"}) add_keys(found, std::string(section) + ".", section);
  for (const NamedSeries& series : campaigns.series) {
    const auto prefix = "series." + series.name + ".";
    if (series.measurement != nullptr)
      for (const Factor& factor : series.measurement->factors)
        found.push_back({prefix + factor.name + "=", factor.summary});
    for (const char* section : {"series", "precision"}) add_keys(found, prefix, section);
    for (const auto& [key, levels] : series.keys) found.push_back({key + "=", "of all series that set it"});
  }
  for (const std::string& variant : campaigns.variants) add_keys(found, "variant." + variant + ".", "variant");
  return found;
}

Candidates all_of(ValueKind kind, const std::vector<std::string>& line, const Registry& registry) {
  const auto campaigns = named_campaigns(line, registry);
  switch (kind) {
    case ValueKind::series:
      return of_series(campaigns);
    case ValueKind::setting:
      return of_settings(campaigns);
    case ValueKind::column:
      return of_columns(campaigns);
    case ValueKind::filter:
      return of_filters(campaigns);
    case ValueKind::factor:
      return of_factors(campaigns);
    case ValueKind::level:
      return of_levels(campaigns);
    case ValueKind::quantity:
      return of_quantities(campaigns);
    default:
      return {};
  }
}

// What can be run without a file: campaigns that come with the program, and measurements.
Candidates of_campaigns(const Registry& registry) {
  Candidates found;
  for (const KnownCampaign& campaign : known_campaigns(campaign_folders()))
    found.push_back({campaign.name, "a campaign that comes with the program"});
  for (const Entry& entry : registry.entries()) found.push_back({entry.description.name, entry.description.summary});
  return found;
}

Candidates of_kind(ValueKind kind, const std::vector<std::string>& line, const Registry& registry) {
  switch (kind) {
    case ValueKind::campaign:
      return of_campaigns(registry);
    case ValueKind::layout:
      return of_layouts();
    case ValueKind::format:
      return of_formats();
    case ValueKind::topic:
      return of_topics(registry);
    case ValueKind::command:
      return of_commands();
    case ValueKind::page:
      return of_pages();
    default:
      return all_of(kind, line, registry);
  }
}

}  // namespace

std::vector<Candidate> candidates(ValueKind kind, const std::vector<std::string>& line, const Registry& registry) {
  std::set<std::string> seen;
  Candidates found;
  for (Candidate& candidate : of_kind(kind, line, registry))
    if (is_plain(candidate.text) && seen.insert(candidate.text).second) found.push_back(std::move(candidate));
  return found;
}

}  // namespace assay
