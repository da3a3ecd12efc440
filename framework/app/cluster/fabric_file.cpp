// SPDX-License-Identifier: Apache-2.0
// Lines of keys and host lists.
#include "app/cluster/fabric_file.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "base/error.hpp"
#include "text/suggest.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

constexpr std::size_t most_hosts = 1'000'000;
constexpr std::size_t most_lost_named = 4;

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

std::size_t number_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    throw std::invalid_argument("'" + std::string(text) + "' is no number");
  return number;
}

/// "0-2" and "07", with the leading zeros that they are written with.
void add_range(std::string_view range, const std::string& before, std::vector<std::string>& found) {
  const std::size_t dash = range.find('-');
  const std::string_view low = range.substr(0, dash);
  const std::string_view high = dash == std::string_view::npos ? low : range.substr(dash + 1);
  const std::size_t first = number_in(low);
  const std::size_t last = number_in(high);
  if (last < first || last - first >= most_hosts)
    throw std::invalid_argument("'" + std::string(range) + "' is no range");
  for (std::size_t number = first; number <= last; ++number) {
    std::string digits = std::to_string(number);
    if (digits.size() < low.size()) digits.insert(0, low.size() - digits.size(), '0');
    found.push_back(before + digits);
  }
}

/// Every name so far, continued in each way.
std::vector<std::string> continued(const std::vector<std::string>& names, std::string_view ranges) {
  std::vector<std::string> found;
  for (const std::string& name : names)
    for (std::size_t from = 0; from <= ranges.size();) {
      const std::size_t comma = std::min(ranges.find(',', from), ranges.size());
      add_range(ranges.substr(from, comma - from), name, found);
      from = comma + 1;
    }
  if (found.size() > most_hosts) throw std::invalid_argument("more than a million names");
  return found;
}

void add_hosts(std::string_view pattern, std::vector<std::string>& hosts) {
  std::vector<std::string> names{""};
  while (!pattern.empty()) {
    const std::size_t open = std::min(pattern.find('['), pattern.size());
    for (std::string& name : names) name += pattern.substr(0, open);
    pattern.remove_prefix(open);
    if (pattern.empty()) break;
    const std::size_t close = pattern.find(']');
    if (close == std::string_view::npos) throw std::invalid_argument("'[' without ']'");
    names = continued(names, pattern.substr(1, close - 1));
    pattern.remove_prefix(close + 1);
  }
  hosts.insert(hosts.end(), names.begin(), names.end());
}

/// One line that names a switch.
struct SwitchLine {
  int line = 0;
  std::vector<std::string> nodes;
  std::vector<std::string> switches;
};

class TopologyText {
 public:
  TopologyText(const std::string& file, std::string_view text) : file_(file) {
    std::istringstream lines{std::string(text)};
    int number = 0;
    for (std::string line; std::getline(lines, line);) read(++number, line.substr(0, line.find('#')));
    for (const auto& [name, one] : switches_)
      for (const std::string& below : one.switches) {
        if (!switches_.contains(below))
          problems_.push_back({{file_, one.line, 0},
                               "switch '" + name + "' connects '" + below + "'",
                               "no line names a switch of this name",
                               "add 'SwitchName=" + below + " Nodes=...'"});
        above_[below] = name;
      }
  }

  NamedFabric fabric(const std::vector<std::string>& nodes) {
    NamedFabric named;
    named.nodes = nodes;
    std::map<std::string, std::string> leaf_of;
    for (const auto& [name, one] : switches_)
      for (const std::string& node : one.nodes) add_node(leaf_of, node, name, one.line);
    std::vector<std::size_t> leaves;
    std::vector<std::string> lost;
    for (const std::string& node : nodes) {
      const auto found = leaf_of.find(node);
      if (found == leaf_of.end())
        lost.push_back(node);
      else
        leaves.push_back(number_of(named.leaves, found->second));
    }
    if (!lost.empty()) add_lost(lost);
    if (!problems_.empty()) throw ConfigError(problems_);
    std::vector<std::size_t> groups;
    for (const std::string& leaf : named.leaves)
      groups.push_back(number_of(named.groups, group_of(leaf, named.leaves)));
    named.fabric = Fabric(std::move(leaves), std::move(groups));
    return named;
  }

  static std::size_t number_of(std::vector<std::string>& names, const std::string& name) {
    const auto found = std::ranges::find(names, name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    names.push_back(name);
    return names.size() - 1;
  }

 private:
  void read(int number, const std::string& line) {
    std::istringstream words(line);
    std::string name;
    SwitchLine one{number, {}, {}};
    for (std::string word; words >> word;) {
      const std::size_t equals = std::min(word.find('='), word.size());
      const std::string key = lower(word.substr(0, equals));
      const std::string value = equals < word.size() ? word.substr(equals + 1) : "";
      if (key == "switchname" || key == "blockname") name = value;
      if (key == "nodes") one.nodes = hosts(number, value);
      if (key == "switches") one.switches = hosts(number, value);
    }
    if (!name.empty()) switches_[name] = std::move(one);
  }

  static std::string lower(std::string text) {
    for (char& letter : text)
      if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    return text;
  }

  std::vector<std::string> hosts(int line, const std::string& list) {
    try {
      return hosts_in(list);
    } catch (const std::invalid_argument& error) {
      problems_.push_back({{file_, line, 0},
                           "the host list '" + list + "' cannot be read",
                           error.what(),
                           "write it as Slurm does: n[0-31,40]"});
      return {};
    }
  }

  void add_node(std::map<std::string, std::string>& leaf_of, const std::string& node, const std::string& leaf,
                int line) {
    const auto [place, is_new] = leaf_of.try_emplace(node, leaf);
    if (!is_new && place->second != leaf)
      problems_.push_back({{file_, line, 0},
                           "node '" + node + "' is under two switches",
                           "'" + place->second + "' and '" + leaf + "' both have it",
                           "leave it under one of them"});
  }

  void add_lost(std::vector<std::string> lost) {
    const std::size_t count = lost.size();
    if (lost.size() > most_lost_named) lost.resize(most_lost_named);
    problems_.push_back({{file_, 0, 0},
                         std::to_string(count) + " of the nodes measured are under no switch: " + joined(lost) +
                             (count > most_lost_named ? ", ..." : ""),
                         "no line 'SwitchName=... Nodes=...' has them",
                         "add them, or measure without --topology"});
  }

  /// The switches above a leaf, from the leaf on.
  std::vector<std::string> way_up(const std::string& leaf) const {
    std::vector<std::string> way{leaf};
    for (auto up = above_.find(leaf); up != above_.end() && way.size() <= switches_.size();
         up = above_.find(way.back()))
      way.push_back(up->second);
    return way;
  }

  /// What is below the switch that all these leaves have in common.
  std::string group_of(const std::string& leaf, const std::vector<std::string>& leaves) const {
    const auto way = way_up(leaf);
    const auto is_above_all = [&](const std::string& name) {
      return std::ranges::all_of(leaves, [&](const std::string& other) {
        const auto others = way_up(other);
        return std::ranges::find(others, name) != others.end();
      });
    };
    const auto top = std::ranges::find_if(way, is_above_all);
    // Where leaves are right below it, they are no groups.
    const auto below = top - way.begin();
    if (top == way.end()) return way.size() > 1 ? way.back() : "";
    return below >= 2 ? way[static_cast<std::size_t>(below - 1)] : "";
  }

  std::string file_;
  std::map<std::string, SwitchLine> switches_;
  std::map<std::string, std::string> above_;
  std::vector<Problem> problems_;
};

/// The name up to its last number; nothing where it has none.
std::optional<std::string> without_last_number(std::string_view name) {
  std::size_t end = name.size();
  while (end > 0 && !is_digit(name[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  return end == 0 ? std::nullopt : std::optional(std::string(name.substr(0, begin)));
}

}  // namespace

std::string name_of(const NamedFabric& fabric, const FabricUnit& unit) {
  const std::string kind(to_text(unit.kind));
  if (unit.kind == UnitKind::node) return kind + ' ' + fabric.nodes.at(unit.first);
  if (unit.kind == UnitKind::pair)
    return kind + ' ' + fabric.nodes.at(unit.first) + " - " + fabric.nodes.at(unit.second);
  if (unit.kind == UnitKind::trunk)
    return kind + ' ' + fabric.groups.at(unit.first) + " - " + fabric.groups.at(unit.second);
  if (unit.kind == UnitKind::group) return kind + ' ' + fabric.groups.at(unit.first);
  std::vector<std::string> nodes;
  for (const std::size_t node : fabric.fabric.nodes_of(unit.first))
    if (nodes.size() < most_lost_named) nodes.push_back(fabric.nodes.at(node));
  const bool is_cut = nodes.size() < fabric.fabric.nodes_of(unit.first).size();
  return kind + ' ' + fabric.leaves.at(unit.first) + " (" + joined(nodes) + (is_cut ? ", ...)" : ")");
}

std::vector<std::string> hosts_in(std::string_view list) {
  std::vector<std::string> hosts;
  std::size_t from = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char letter = i < list.size() ? list[i] : ',';
    depth += letter == '[' ? 1 : letter == ']' ? -1 : 0;
    if (letter != ',' || (depth != 0 && i < list.size())) continue;
    if (i > from) add_hosts(list.substr(from, i - from), hosts);
    from = i + 1;
  }
  return hosts;
}

NamedFabric fabric_from_text(const std::string& file, std::string_view text, const std::vector<std::string>& nodes) {
  return TopologyText(file, text).fabric(nodes);
}

NamedFabric fabric_from_names(const std::vector<std::string>& nodes) {
  NamedFabric named;
  named.nodes = nodes;
  std::vector<std::size_t> leaves;
  std::vector<std::size_t> groups;
  for (const std::string& node : nodes)
    leaves.push_back(TopologyText::number_of(named.leaves, without_last_number(node).value_or("")));
  for (const std::string& leaf : named.leaves)
    groups.push_back(TopologyText::number_of(named.groups, without_last_number(leaf).value_or("")));
  named.fabric = Fabric(std::move(leaves), std::move(groups));
  return named;
}

NamedFabric unknown_fabric(const std::vector<std::string>& nodes) { return {Fabric(nodes.size()), nodes, {}, {}}; }

}  // namespace assay
