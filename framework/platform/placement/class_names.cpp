// SPDX-License-Identifier: Apache-2.0
// Names from the relations of the members: nested where they are not all the same.
#include "platform/placement/shapes.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "platform/topology/topology.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

using Ranks = std::vector<std::size_t>;

/// One word where all are the same.
std::string merged(const std::vector<std::string>& parts) {
  const bool same = std::adjacent_find(parts.begin(), parts.end(), std::not_equal_to<>()) == parts.end();
  return same ? parts.front() : joined(parts, "/");
}

class Names {
 public:
  Names(const MachineTree& tree, const TreePaths& paths, const Seats& seats)
      : tree_(tree), paths_(paths), seats_(seats) {}

  std::string relations() const {
    if (seats_.cpus.size() == 1) return "bound";
    Ranks ranks(seats_.cpus.size());
    std::iota(ranks.begin(), ranks.end(), std::size_t{0});
    return nested(ranks, true);
  }

  std::string kinds() const {
    std::vector<std::string> words;
    for (const int cpu : seats_.cpus) words.push_back(tree_.nodes[paths_.leaf_of_cpu(cpu)].kind);
    const std::string text = merged(words);
    return text.empty() ? text : ":" + text;
  }

  std::string home() const {
    if (seats_.memory < 0) return {};
    std::vector<std::string> words;
    for (const int cpu : seats_.cpus) words.push_back(home_of(cpu));
    const std::string& type = tree_.nodes[paths_.leaf_of_memory(seats_.memory)].label;
    return "@memory=" + merged(words) + (type.empty() ? "" : ":" + type);
  }

 private:
  std::size_t between(std::size_t a, std::size_t b) const { return paths_.relation(seats_.cpus[a], seats_.cpus[b]); }

  std::string home_of(int cpu) const {
    const std::size_t beside = paths_.parent(paths_.leaf_of_memory(seats_.memory));
    const std::size_t above = paths_.common(beside, paths_.leaf_of_cpu(cpu));
    return above == beside ? "local" : Topology::relations().at(tree_.nodes[above].relation);
  }

  std::size_t farthest(const Ranks& ranks) const {
    std::size_t most = 0;
    for (const std::size_t a : ranks)
      for (const std::size_t b : ranks) most = std::max(most, a == b ? 0 : between(a, b));
    return most;
  }

  /// Relations nest: those nearer than the farthest form groups.
  std::string nested(const Ranks& ranks, bool outermost) const {
    if (ranks.size() == 1) return std::to_string(ranks.front());
    const std::size_t most = farthest(ranks);
    std::vector<Ranks> groups;
    for (const std::size_t rank : ranks) {
      const auto group = std::find_if(groups.begin(), groups.end(), [&](const Ranks& known) {
        return most > 0 && between(known.front(), rank) < most;
      });
      if (group == groups.end())
        groups.push_back({rank});
      else
        group->push_back(rank);
    }
    const std::string& word = Topology::relations().at(most);
    if (outermost && groups.size() == ranks.size()) return word;
    std::vector<std::string> parts;
    for (const Ranks& group : groups) parts.push_back(nested(group, false));
    return word + "(" + joined(parts, "/") + ")";
  }

  const MachineTree& tree_;
  const TreePaths& paths_;
  const Seats& seats_;
};

}  // namespace

std::string class_name(const MachineTree& tree, const TreePaths& paths, const Seats& seats) {
  const Names names(tree, paths, seats);
  return names.relations() + names.kinds() + names.home();
}

std::vector<std::size_t> nearness(const MachineTree& tree, const TreePaths& paths, const Seats& seats) {
  std::vector<std::size_t> pairs;
  for (std::size_t b = 0; b < seats.cpus.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) pairs.push_back(paths.relation(seats.cpus[a], seats.cpus[b]));
  std::vector<std::size_t> key{std::accumulate(pairs.begin(), pairs.end(), std::size_t{0})};
  key.insert(key.end(), pairs.begin(), pairs.end());
  for (const int cpu : seats.cpus) {
    if (seats.memory < 0) break;
    const std::size_t beside = paths.parent(paths.leaf_of_memory(seats.memory));
    const std::size_t above = paths.common(beside, paths.leaf_of_cpu(cpu));
    key.push_back(above == beside ? 0 : tree.nodes[above].relation);
  }
  return key;
}

}  // namespace assay
