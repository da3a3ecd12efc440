// SPDX-License-Identifier: Apache-2.0
// Words taken apart, classes looked up, representatives named.
#include "platform/placement/placer.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "platform/placement/machine_parts.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

constexpr std::string_view home_mark = "@memory=";
constexpr std::size_t most_known = 20'000;  // classes enumerated to look one up
constexpr int most_classified = 4;          // members, where classes were not requested

PlacementChoice refused_choice(std::string why) { return {std::nullopt, std::move(why)}; }

std::string list_text(const std::vector<int>& cpus) {
  std::string text;
  for (const int cpu : cpus) text += (text.empty() ? "" : "+") + std::to_string(cpu);
  return text;
}

std::string counted(double number) {
  if (number < 1e15) return std::to_string(static_cast<long long>(number));
  return "more than 10^15";
}

void check(double number, std::size_t most, const std::string& of) {
  if (number > static_cast<double>(most)) throw std::length_error(counted(number) + of);
}

Seats seats_of(const Placement& placement) { return {placement.cpus, placement.memory}; }

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

Placer::Placer(const Topology& topology, std::size_t most)
    : topology_(topology), most_(most), tree_(topology.tree()), paths_(tree_) {}

/// nullptr where there are too many.
const PlacementClasses* Placer::known_classes(int members, bool memory) {
  const std::pair key(members, memory);
  if (const auto known = classes_.find(key); known != classes_.end()) return &known->second;
  try {
    const ClassesRequest request{parse_roles("ordered", members), memory, std::max(most_, most_known)};
    return &classes_.emplace(key, PlacementClasses(tree_, request)).first->second;
  } catch (const std::length_error&) {
    return nullptr;
  }
}

std::string Placer::class_of(const Placement& placement) {
  const auto members = static_cast<int>(placement.cpus.size());
  if (members < 1 || members > PlacementClasses::most_members) return {};
  const PlacementClasses* classes = known_classes(members, placement.memory >= 0);
  return classes == nullptr ? std::string() : classes->all()[classes->find(seats_of(placement))].name;
}

Placement Placer::named(Placement placement) {
  const auto members = static_cast<int>(placement.cpus.size());
  if (members <= most_classified || classes_.contains({members, placement.memory >= 0}))
    placement.group = class_of(placement);
  return placement;
}

PlacementChoice Placer::place(const std::string& word, int members) {
  const auto home_at = std::min(word.find(home_mark), word.size());
  const std::string home = home_at < word.size() ? word.substr(home_at + home_mark.size()) : std::string();
  const std::string where = word.substr(0, home_at);
  const auto list_at = where.find('@');
  PlacementChoice choice;
  if (!home.empty() && !is_whole_number(home))
    choice = place_class(word, members);
  else if (list_at != where.npos)
    choice = with_home(place_on(where.substr(0, list_at), where.substr(list_at + 1), members), home);
  else
    choice = with_home(place_base(where, members), home);
  if (!choice.placement) return choice;
  choice.placement->name = word;
  choice.placement = named(std::move(*choice.placement));
  return choice;
}

PlacementChoice Placer::place_base(const std::string& base, int members) {
  if (is_part_name(base)) return place_in_part(topology_, base, members);
  if (base != "close" && base != "spread")
    return base.find_first_of("(:~") == base.npos ? assay::place(topology_, base, members) : place_class(base, members);
  if (members < 2) return refused_choice("needs two members or more");
  return {Placement{base, base == "close" ? close_together(tree_, members) : far_apart(tree_, members)}, {}};
}

PlacementChoice Placer::place_class(const std::string& name, int members) {
  if (members > PlacementClasses::most_members) return refused_choice("classes have names for up to six members");
  const bool memory = name.find(home_mark) != name.npos;
  if (memory && paths_.memories().empty()) return refused_choice("the machine shows no memory nodes");
  const PlacementClasses* classes = known_classes(members, memory);
  if (classes == nullptr) return refused_choice("there are too many classes to look for one");
  const auto& all = classes->all();
  const auto found = std::ranges::find(all, name, &PlacementClass::name);
  if (found == all.end())
    return refused_choice("there is no such class; 'assay placements --members " + std::to_string(members) +
                          (memory ? " --memory" : "") + "' lists them");
  const auto seats = classes->representatives(static_cast<std::size_t>(found - all.begin()), 1).at(0);
  return {Placement{name, seats.cpus, seats.memory}, {}};
}

/// A list that has to be what is said of it.
PlacementChoice Placer::place_on(const std::string& base, const std::string& list, int members) {
  PlacementChoice choice = assay::place(topology_, list, members);
  if (!choice.placement) return choice;
  const auto& cpus = choice.placement->cpus;
  bool is_related = members > 1;
  for (std::size_t b = 0; b < cpus.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) is_related = is_related && topology_.relation(cpus[a], cpus[b]) == base;
  if (is_related || (base == "bound" && members == 1)) return choice;
  const std::string found = class_of(*choice.placement);
  if (found != base) return refused_choice("CPUs " + list + " are " + (found.empty() ? "something else" : found));
  return choice;
}

PlacementChoice Placer::with_home(PlacementChoice choice, const std::string& home) const {
  if (home.empty() || !choice.placement) return choice;
  int node = -1;
  std::from_chars(home.data(), home.data() + home.size(), node);
  const auto& nodes = paths_.memories();
  if (std::ranges::find(nodes, node) == nodes.end())
    return refused_choice("there is no memory node " + home + " that may be used; there are " +
                          (nodes.empty() ? "none" : list_text(nodes)));
  choice.placement->memory = node;
  return choice;
}

std::vector<Placement> Placer::representatives(const Placement& first, std::size_t count) {
  std::vector<Placement> found{first};
  const auto members = static_cast<int>(first.cpus.size());
  if (count < 2 || members < 1 || members > PlacementClasses::most_members) return found;
  const PlacementClasses* classes = known_classes(members, first.memory >= 0);
  if (classes == nullptr) return found;
  const std::string base = first.name.substr(0, first.name.find('@'));
  const std::size_t index = classes->find(seats_of(first));
  for (const Seats& seats : classes->representatives(index, count)) {
    if (found.size() == count) break;
    if (seats == seats_of(first)) continue;
    const std::string home = seats.memory < 0 ? "" : std::string(home_mark) + std::to_string(seats.memory);
    found.push_back({base + "@" + list_text(seats.cpus) + home, seats.cpus, seats.memory, first.group});
  }
  return found;
}

std::vector<Placement> Placer::classes(int members, bool memory, std::size_t representatives) {
  if (memory && paths_.memories().empty()) throw std::out_of_range("the machine shows no memory nodes");
  const PlacementClasses* classes = known_classes(members, memory);
  if (classes == nullptr)
    throw std::length_error("more than " + counted(static_cast<double>(std::max(most_, most_known))) + " classes");
  check(static_cast<double>(classes->all().size()), most_, " classes");
  std::vector<Placement> list;
  for (std::size_t i = 0; i < classes->all().size(); ++i) {
    const auto seats = classes->representatives(i, 1).at(0);
    const std::string& name = classes->all()[i].name;
    for (Placement& one : this->representatives({name, seats.cpus, seats.memory, name}, representatives))
      list.push_back(std::move(one));
  }
  check(static_cast<double>(list.size()), most_, " representatives");
  return list;
}

std::vector<Placement> Placer::all(int members) {
  const auto& cpus = topology_.usable();
  const auto wanted = static_cast<std::size_t>(members);
  if (wanted > cpus.size())
    throw std::out_of_range(std::to_string(members) + " members need as many CPUs; " + topology_.usable_text());
  double number = 1;
  for (std::size_t i = 0; i < wanted; ++i)
    number *= std::max(0.0, static_cast<double>(cpus.size()) - static_cast<double>(i));
  check(number, most_, " placements");
  std::vector<Placement> list;
  extend({}, wanted, list);
  return list;
}

/// Adds every placement that begins with these CPUs.
void Placer::extend(const std::vector<int>& chosen, std::size_t members, std::vector<Placement>& list) {
  if (chosen.size() == members) return list.push_back(named({list_text(chosen), chosen}));
  for (const int cpu : topology_.usable()) {
    if (std::ranges::find(chosen, cpu) != chosen.end()) continue;
    auto more = chosen;
    more.push_back(cpu);
    extend(more, members, list);
  }
}

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
