// SPDX-License-Identifier: Apache-2.0
// Reading without complaint, and never more than the beginning of a journal: somebody waits for the next letter.
#include "app/shell/named_campaigns.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <variant>

#include "platform/file/append_file.hpp"
#include "record/journal/journal.hpp"

namespace assay {

namespace {

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
  if (!fs::is_regular_file(path)) return {};
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

}  // namespace

NamedCampaigns named_campaigns(const std::vector<std::string>& line, const Registry& registry) {
  NamedCampaigns all;
  for (const std::string& word : line) {
    try {
      if (const auto text = campaign_text(word); !text.empty()) take(parse_ini(text, word), registry, all);
    } catch (const std::exception&) {
      continue;  // nobody has asked for a report
    }
  }
  return all;
}

}  // namespace assay
