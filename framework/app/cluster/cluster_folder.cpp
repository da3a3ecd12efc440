// SPDX-License-Identifier: Apache-2.0
// Files of a cluster's results.
#include "app/cluster/cluster_folder.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "platform/file/append_file.hpp"
#include "record/journal/journal.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

namespace fs = std::filesystem;

constexpr const char* problem_suffix = ".problem";
constexpr const char* presence_suffix = ".present";
constexpr const char* lost_suffix = ".lost";
constexpr std::size_t longest_problem = 65536;

std::string without(const std::string& text, const std::string& suffix) {
  return text.ends_with(suffix) ? text.substr(0, text.size() - suffix.size()) : std::string();
}

std::vector<std::string> entries(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) names.push_back(entry.path().filename().string());
  return names;
}

/// The nodes by member: where a launch has several ranks on a node, members are the first ones.
std::vector<std::string> nodes_in(const std::vector<Record>& records) {
  std::vector<std::string> nodes;
  for (const Record& record : records) {
    const auto* session = std::get_if<SessionRecord>(&record);
    if (session == nullptr) continue;
    const auto fact = std::ranges::find(session->facts, nodes_fact, &Facts::value_type::first);
    if (fact == session->facts.end()) continue;
    nodes.clear();
    std::istringstream words(fact->second);
    for (std::string word; words >> word;)
      if (std::ranges::find(nodes, word) == nodes.end()) nodes.push_back(word);
  }
  return nodes;
}

bool is_complete(const std::vector<Record>& records) {
  return std::ranges::any_of(records, [](const Record& record) {
    const auto* end = std::get_if<EndRecord>(&record);
    return end != nullptr && end->reason == "complete";
  });
}

}  // namespace

void refuse_cluster(const std::string& command, const std::string& directory) {
  if (ClusterFolder(directory).exists())
    throw ConfigError(Problem{{command},
                              shown_path(directory) + " contains a cluster's results",
                              "they are derived from those of its nodes and links",
                              "'assay cluster FILE --output DIR' continues it"});
}

bool ClusterFolder::exists() const { return fs::is_directory(path_ / "nodes"); }

void ClusterFolder::prepare() const {
  std::error_code ignored;
  fs::remove_all(turns(), ignored);
  for (const fs::path& folder : {path_, path_ / "nodes", fs::path(turns()), path_ / "links"})
    ensure_private_directory(folder.string());
}

void ClusterFolder::note_presence(const std::string& name, int rank) const {
  write_file(node(name) + presence_suffix, std::to_string(rank));
}

void ClusterFolder::note_problem(const std::string& name, const std::string& text) const {
  std::error_code ignored;
  const std::string file = node(name) + problem_suffix;
  if (text.empty())
    fs::remove(file, ignored);
  else
    write_file(file, text);
}

std::vector<std::string> ClusterFolder::names() const {
  std::vector<std::string> names;
  for (const std::string& entry : entries(path_ / "nodes"))
    if (auto name = without(entry, presence_suffix); !name.empty()) names.push_back(std::move(name));
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> ClusterFolder::names_by_rank() const {
  constexpr std::size_t longest_rank = 32;
  std::vector<std::pair<int, std::string>> ranked;
  for (std::string& name : names()) {
    const std::string text = read_file(node(name) + presence_suffix, longest_rank);
    int rank = 0;
    std::from_chars(text.data(), text.data() + text.size(), rank);
    ranked.emplace_back(rank, std::move(name));
  }
  std::ranges::sort(ranked);
  std::vector<std::string> names;
  for (auto& [rank, name] : ranked) names.push_back(std::move(name));
  return names;
}

bool ClusterFolder::has_launch(const std::string& folder) const {
  std::error_code ignored;
  return fs::exists(fs::path(folder) / journal_name, ignored) && is_complete(read_journal(folder).records);
}

std::optional<LinkLaunch> ClusterFolder::launch_in(const std::string& folder) const {
  std::error_code ignored;
  if (!fs::exists(fs::path(folder) / journal_name, ignored)) return std::nullopt;
  LinkLaunch one;
  one.records = read_journal(folder).records;
  one.nodes = nodes_in(one.records);
  return one;
}

std::vector<std::string> ClusterFolder::lost(std::size_t series) const {
  std::vector<std::string> names;
  std::ifstream file(path_ / "links" / ("screening-" + std::to_string(series) + lost_suffix));
  for (std::string name; std::getline(file, name);) names.push_back(name);
  return names;
}

void ClusterFolder::note_lost(std::size_t series, std::size_t phase, const std::vector<std::string>& names) const {
  auto all = lost(series);
  const std::string before = screening(series, phase) + lost_suffix + '-' + std::to_string(all.size());
  std::string text;
  all.insert(all.end(), names.begin(), names.end());
  for (const std::string& name : all) text += name + '\n';
  write_file((path_ / "links" / ("screening-" + std::to_string(series) + lost_suffix)).string(), text);
  std::error_code ignored;
  fs::rename(screening(series, phase), before, ignored);
  fs::remove(pairs(series, phase), ignored);
}

NodeResults ClusterFolder::results_of(const std::string& name) const {
  NodeResults results{name, {}, {}};
  std::error_code ignored;
  const std::string problem = node(name) + problem_suffix;
  if (fs::exists(problem, ignored)) results.problem = read_plain_file(problem, longest_problem);
  if (!fs::exists(fs::path(node(name)) / journal_name, ignored)) return results;
  const auto wanted = [](const RecordHead& head) {
    return head.type != "begin" && head.type != "visit" && head.type != "incarnation";
  };
  try {
    scan_journal(node(name), wanted, [&](Record record) { results.records.push_back(std::move(record)); });
  } catch (const std::runtime_error& error) {
    results.records.clear();
    results.problem = error.what();
  }
  return results;
}

ClusterResults ClusterFolder::results(int launches) const {
  ClusterResults results;
  for (const std::string& name : names()) results.nodes.push_back(results_of(name));
  for (int number = 0; number < launches; ++number) {
    if (auto one = launch_in(launch(number))) results.launches.push_back(std::move(*one));
  }
  return results;
}

}  // namespace assay
