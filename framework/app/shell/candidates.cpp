// SPDX-License-Identifier: Apache-2.0
// Names from the program's own tables, and from the campaigns that the line names.
#include "app/shell/candidates.hpp"

#include <algorithm>
#include <set>

#include "app/results/formats.hpp"
#include "app/shell/guide.hpp"
#include "app/shell/manual.hpp"
#include "app/shell/named_campaigns.hpp"
#include "record/layout/layouts.hpp"
#include "record/table/column_table.hpp"
#include "stats/rule/stopping_rule.hpp"

namespace assay {

namespace {

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

// Those that a series asks for, with their factors.
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

Candidates of_kind(ValueKind kind, const std::vector<std::string>& line, const Registry& registry) {
  switch (kind) {
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
