// SPDX-License-Identifier: Apache-2.0
// Greedy walks over a machine's tree.
#include "platform/placement/dispersion.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

namespace assay {
namespace {

constexpr std::size_t core_relation = 1;  // position in Topology::relations()

std::vector<int> repeated(const std::vector<int>& cpus, int members) {
  std::vector<int> all;
  for (std::size_t i = 0; i < static_cast<std::size_t>(members); ++i) all.push_back(cpus[i % cpus.size()]);
  return all;
}

/// 2 for CPU 0, 1 for one that shares its core, else 0.
int interrupted(const TreePaths& paths, int cpu) {
  if (cpu == 0) return 2;
  return paths.has_cpu(0) && paths.relation(0, cpu) <= core_relation ? 1 : 0;
}

class Packer {
 public:
  explicit Packer(const MachineTree& tree)
      : tree_(tree), paths_(tree), room_(tree.nodes.size(), 0), quiet_(tree.nodes.size(), 0) {
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {
      const MachineNode& node = tree.nodes[i];
      if (node.cpu >= 0) room_[i] = 1;
      if (node.cpu >= 0 && interrupted(paths_, node.cpu) == 0) quiet_[i] = 1;
      for (const std::size_t child : node.children) {
        room_[i] += room_[child];
        quiet_[i] += quiet_[child];
      }
    }
  }

  std::vector<int> pack(int members) {
    fill(smallest(0, members), members);
    return cpus_;
  }

 private:
  /// The nearest part below `at` with room for so many, the smallest among equals.
  std::size_t smallest(std::size_t at, int members) const {
    std::size_t best = at;
    for (const std::size_t child : tree_.nodes[at].children) {
      if (room_[child] < members) continue;
      const std::size_t part = smallest(child, members);
      const auto key = [&](std::size_t one) {
        return std::tuple(tree_.nodes[one].relation, room_[one], quiet_[one] < members);
      };
      if (best == at || key(part) < key(best)) best = part;
    }
    return best;
  }

  void fill(std::size_t at, int members) {
    if (members <= 0) return;
    if (tree_.nodes[at].is_leaf()) return cpus_.push_back(tree_.nodes[at].cpu);
    auto children = tree_.nodes[at].children;
    std::erase_if(children, [this](std::size_t child) { return room_[child] == 0; });
    std::stable_sort(children.begin(), children.end(), [this](std::size_t a, std::size_t b) {
      return std::pair(-room_[a], -quiet_[a]) < std::pair(-room_[b], -quiet_[b]);
    });
    for (const std::size_t child : children) {
      const int some = std::min(members, room_[child]);
      fill(some < room_[child] ? smallest(child, some) : child, some);
      members -= some;
    }
  }

  const MachineTree& tree_;
  TreePaths paths_;
  std::vector<int> room_;   ///< CPUs below a node
  std::vector<int> quiet_;  ///< those off the core of CPU 0
  std::vector<int> cpus_;
};

}  // namespace

std::vector<int> close_together(const MachineTree& tree, int members) {
  const auto existing = static_cast<int>(TreePaths(tree).cpus().size());
  return repeated(Packer(tree).pack(std::min(members, existing)), members);
}

std::vector<int> far_apart(const MachineTree& tree, int members) {
  const TreePaths paths(tree);
  struct Candidate {
    int cpu;
    int interrupted;
    std::size_t nearest;
    std::size_t sum;
  };
  std::vector<Candidate> left;
  for (const int cpu : paths.cpus()) left.push_back({cpu, interrupted(paths, cpu), 0, 0});
  std::vector<int> chosen;
  while (!left.empty() && chosen.size() < static_cast<std::size_t>(members)) {
    const auto worse = [](const Candidate& a, const Candidate& b) {
      return std::tuple(a.nearest, a.sum, -a.interrupted) < std::tuple(b.nearest, b.sum, -b.interrupted);
    };
    const auto best = std::max_element(left.begin(), left.end(), worse);
    const int cpu = best->cpu;
    left.erase(best);
    for (Candidate& other : left) {
      const std::size_t relation = paths.relation(cpu, other.cpu);
      other.nearest = chosen.empty() ? relation : std::min(other.nearest, relation);
      other.sum += relation;
    }
    chosen.push_back(cpu);
  }
  return repeated(chosen, members);
}

}  // namespace assay
