// SPDX-License-Identifier: Apache-2.0
// Settings out of resolved configurations, facts out of sessions.
#include "app/results/comparability.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "text/ini.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

constexpr std::array<const char*, 2> hard_fact_names{"cpu.model", "kernel.architecture"};
constexpr std::array<const char*, 25> soft_facts{"host.name",          "cpu.microcode",
                                                 "cpu.usable",         "cpu.governor",
                                                 "cpu.turbo",          "cpu.smt",
                                                 "cpu.isolated",       "clock.source",
                                                 "kernel.name",        "kernel.release",
                                                 "kernel.version",     "kernel.parameters",
                                                 "libc.version",       "libc.threads",
                                                 "virtual.hypervisor", "virtual.container",
                                                 "cgroup.cpu_quota",   "process.scheduling",
                                                 "process.preload",    "process.address_randomisation",
                                                 "memory.page_bytes",  "memory.transparent_huge_pages",
                                                 "build.compiler",     "build.flags",
                                                 "assay.version"};

std::string session_fact(const std::vector<Record>& records, std::string_view key) {
  const auto* session = last_of<SessionRecord>(records);
  return session == nullptr ? std::string() : fact_of(session->facts, key);
}

bool is_known(const std::string& fact) { return !fact.empty() && !fact.starts_with("not available"); }

std::string difference(const std::string& what, const std::string& a, const std::string& b) {
  return what + " differs: " + a + " in A, " + b + " in B";
}

// A configuration's values by "section.key".
std::map<std::string, std::string> settings_of(const std::vector<Record>& records) {
  std::map<std::string, std::string> settings;
  const auto* campaign = last_of<CampaignRecord>(records);
  if (campaign == nullptr) return settings;
  for (const IniEntry& entry : parse_ini(campaign->configuration, "configuration").entries)
    settings[entry.section + "." + entry.key] = entry.value;
  return settings;
}

void compare_settings(const std::vector<Record>& a, const std::vector<Record>& b, Comparability& found) {
  const auto of_b = settings_of(b);
  for (const auto& [key, value] : settings_of(a)) {
    const auto other = of_b.find(key);
    if (other == of_b.end() || other->second == value) continue;
    constexpr std::string_view series = "series.";
    constexpr std::string_view warm_up = ".warm-up";
    if (key == "campaign.clock")
      found.refusals.push_back(difference("the clock", value, other->second));
    else if (key.starts_with(series) && key.ends_with(warm_up))
      found.series.emplace(key.substr(series.size(), key.size() - series.size() - warm_up.size()),
                           difference("the warm-up", value, other->second));
  }
}

void compare_facts(const std::vector<Record>& a, const std::vector<Record>& b, Comparability& found) {
  for (const char* key : hard_fact_names) {
    const auto x = session_fact(a, key);
    const auto y = session_fact(b, key);
    if (x == y) continue;
    (is_known(x) && is_known(y) ? found.refusals : found.notes).push_back(difference(key, x, y));
  }
  for (const char* key : soft_facts) {
    const auto x = session_fact(a, key);
    const auto y = session_fact(b, key);
    if (x != y) found.notes.push_back(difference(key, x, y));
  }
}

// Sessions of one side that were not measured on one machine.
void check_machine(const std::vector<Record>& records, const std::string& name, Comparability& found) {
  for (const char* key : hard_fact_names) {
    const auto last = session_fact(records, key);
    for (const Record& record : records) {
      const auto* session = std::get_if<SessionRecord>(&record);
      const auto fact = session == nullptr ? last : session_fact({*session}, key);
      if (fact == last || !is_known(fact) || !is_known(last)) continue;
      found.refusals.push_back("the sessions of " + name + " are of different machines: " + key + " " + fact + " and " +
                               last);
      break;
    }
  }
}

}  // namespace

Comparability comparability(const std::vector<Record>& a, const std::vector<Record>& b) {
  Comparability found;
  if (schedule_of(a) != schedule_of(b))
    found.refusals.push_back(difference("the schedule", schedule_of(a), schedule_of(b)));
  check_machine(a, "A", found);
  check_machine(b, "B", found);
  compare_settings(a, b, found);
  compare_facts(a, b, found);
  return found;
}

std::string first_level(const std::vector<Record>& records, const std::string& factor,
                        const std::vector<std::string>& levels) {
  for (const auto& [key, value] : settings_of(records)) {
    if (!key.starts_with("series.") || !key.ends_with("." + factor)) continue;
    const auto first = plain_text(trimmed(value.substr(0, value.find(','))));
    if (std::ranges::find(levels, first) != levels.end()) return first;
  }
  return levels.front();
}

std::string schedule_of(const std::vector<Record>& records) {
  const auto* campaign = last_of<CampaignRecord>(records);
  return campaign == nullptr ? std::string() : campaign->schedule;
}

}  // namespace assay
