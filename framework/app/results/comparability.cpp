// SPDX-License-Identifier: Apache-2.0
// The facts that make another machine, and those that do not; settings out of resolved configurations, facts out of
// sessions.
#include "app/results/comparability.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "run/series/identity.hpp"
#include "text/ini.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

constexpr std::array<std::string_view, 19> hard{
    "assay.version", "assay.revision",   "build.compiler",      "build.flags",       "build.type",
    "build.library", "clock.source",     "cpu.model",           "cpu.topology",      "cpu.usable",
    "cpu.smt",       "kernel.name",      "kernel.architecture", "libc.version",      "libc.threads",
    "mpi.library",   "mpi.thread_level", "process.scheduling",  "virtual.hypervisor"};

constexpr std::array<std::string_view, 12> soft{"host.name",
                                                "kernel.boot_id",
                                                "kernel.release",
                                                "kernel.version",
                                                "kernel.parameters",
                                                "cpu.turbo",
                                                "cpu.microcode",
                                                "cpu.governor",
                                                "cgroup.cpu_quota",
                                                "memory.page_bytes",
                                                "memory.transparent_huge_pages",
                                                "kernel.numa_balancing"};

Facts among(const Facts& facts, std::span<const std::string_view> keys) {
  Facts kept;
  for (const auto& fact : facts)
    if (std::ranges::find(keys, fact.first) != keys.end()) kept.push_back(fact);
  return kept;
}

}  // namespace

Facts hard_facts(const Facts& facts) { return among(facts, hard); }

std::vector<std::string> hard_differences(const Facts& then, const Facts& now) {
  return differences(hard_facts(then), hard_facts(now));
}

std::vector<std::string> soft_differences(const Facts& then, const Facts& now) {
  return differences(among(then, soft), among(now, soft));
}

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

// Two values, one of each side.
class Difference {
 public:
  explicit Difference(const SideNames& names) : names_(names) {}
  std::string operator()(const std::string& what, const std::string& a, const std::string& b) const {
    return what + " differs: " + a + " " + names_.a + ", " + b + " " + names_.b;
  }

 private:
  const SideNames& names_;
};

// A configuration's values by "section.key".
std::map<std::string, std::string> settings_of(const std::vector<Record>& records) {
  std::map<std::string, std::string> settings;
  const auto* campaign = last_of<CampaignRecord>(records);
  if (campaign == nullptr) return settings;
  for (const IniEntry& entry : parse_ini(campaign->configuration, "configuration").entries)
    settings[entry.section + "." + entry.key] = entry.value;
  return settings;
}

void compare_settings(const std::vector<Record>& a, const std::vector<Record>& b, const Difference& difference,
                      Comparability& found) {
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

void compare_facts(const std::vector<Record>& a, const std::vector<Record>& b, const Difference& difference,
                   OtherMachines machines, Comparability& found) {
  const bool refuses = machines == OtherMachines::refused;
  for (const char* key : hard_fact_names) {
    const auto x = session_fact(a, key);
    const auto y = session_fact(b, key);
    if (x == y) continue;
    (refuses && is_known(x) && is_known(y) ? found.refusals : found.notes).push_back(difference(key, x, y));
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

Facts facts_of(const ShownCampaign& campaign) {
  const auto* session = last_of<SessionRecord>(campaign.records);
  return session == nullptr ? Facts() : session->facts;
}

// Campaigns of one average are hardly ever of one boot.
Facts beside_boot(Facts facts) {
  std::erase_if(facts, [](const auto& fact) { return fact.first == "kernel.boot_id"; });
  return facts;
}

std::string campaign_fact(const ShownCampaign& campaign, std::string_view key) {
  return fact_of(facts_of(campaign), key);
}

// What may differ from run to run of one configuration.
bool is_of_the_run(const std::string& key) {
  return key == "campaign.title" || key == "campaign.seed" || key == "campaign.layout" ||
         key == "campaign.time-limit" || key == "campaign.sessions" || key == "campaign.every";
}

std::map<std::string, std::string> settings_of(const ShownCampaign& campaign) {
  std::map<std::string, std::string> settings;
  if (const auto* record = last_of<CampaignRecord>(campaign.records))
    for (const IniEntry& entry : parse_ini(record->configuration, "configuration").entries)
      if (!is_of_the_run(entry.section + "." + entry.key)) settings[entry.section + "." + entry.key] = entry.value;
  return settings;
}

// " (series one, two and 41 more)"
std::string in_series(const std::set<std::string>& names) {
  constexpr std::size_t told = 3;
  std::string text;
  std::size_t left = names.size();
  for (const std::string& name : names) {
    if (names.size() - left == told) break;
    text += (text.empty() ? " (series " : ", ") + name;
    --left;
  }
  if (left > 0) text += " and " + std::to_string(left) + " more";
  return text.empty() ? text : text + ")";
}

// What is set, without the name of the series, and that name.
std::pair<std::string, std::string> key_and_series(const std::string& key) {
  constexpr std::string_view series = "series.";
  const auto dot = key.rfind('.');
  if (!key.starts_with(series) || dot < series.size()) return {key, ""};
  return {key.substr(dot + 1), key.substr(series.size(), dot - series.size())};
}

// What differs alike in several series is reported once.
std::vector<std::string> differing_settings(const ShownCampaign& a, const ShownCampaign& b) {
  const auto of_a = settings_of(a);
  const auto of_b = settings_of(b);
  const auto value = [](const auto& settings, const std::string& key) {
    const auto found = settings.find(key);
    return found == settings.end() ? std::string("nothing") : found->second;
  };
  std::map<std::string, std::set<std::string>> series_of;
  for (const auto* settings : {&of_a, &of_b})
    for (const auto& [full_key, ignored] : *settings) {
      if (value(of_a, full_key) == value(of_b, full_key)) continue;
      const auto [key, series] = key_and_series(full_key);
      auto& found = series_of[key + " is " + value(of_a, full_key) + " in " + a.name + " and " + value(of_b, full_key) +
                              " in " + b.name];
      if (!series.empty()) found.insert(series);
    }
  std::vector<std::string> notes;
  for (const auto& [difference, series] : series_of) notes.push_back(difference + in_series(series));
  return notes;
}

}  // namespace

Comparability comparability(const std::vector<Record>& a, const std::vector<Record>& b, const SideNames& names,
                            OtherMachines machines) {
  Comparability found;
  const Difference difference(names);
  if (schedule_of(a) != schedule_of(b))
    found.refusals.push_back(difference("the schedule", schedule_of(a), schedule_of(b)));
  check_machine(a, "A", found);
  check_machine(b, "B", found);
  compare_settings(a, b, difference, found);
  compare_facts(a, b, difference, machines, found);
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

std::vector<std::string> require_one_system(std::span<const ShownCampaign> campaigns) {
  if (campaigns.size() < 2) throw ResultError("an average needs two campaigns or more; name their directories");
  std::vector<std::string> notes;
  const ShownCampaign& first = campaigns.front();
  for (const ShownCampaign& other : campaigns.subspan(1)) {
    std::vector<std::string> refusals = comparability(first.records, other.records).refusals;
    for (std::string& difference : hard_differences(facts_of(first), facts_of(other)))
      refusals.push_back(std::move(difference));
    if (campaign_fact(first, "kernel.release") != campaign_fact(other, "kernel.release"))
      refusals.push_back("kernel.release is " + campaign_fact(first, "kernel.release") + " and " +
                         campaign_fact(other, "kernel.release"));
    const std::string tag = campaign_fact(first, "run.tag");
    if (!tag.empty() && tag == campaign_fact(other, "run.tag")) refusals.emplace_back("they are the same campaign");
    if (!refusals.empty())
      throw ResultError(first.name + " and " + other.name + " are not of one system: " + joined(refusals, "; ") +
                        "; show them side by side without --average, or compare them");
    for (const std::string& note : soft_differences(beside_boot(facts_of(first)), beside_boot(facts_of(other))))
      notes.push_back(other.name + ": " + note);
    for (std::string& note : differing_settings(first, other)) notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace assay
