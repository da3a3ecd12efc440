// SPDX-License-Identifier: Apache-2.0
// Choosing among interchangeable parts: spread over the machine, off CPU 0, or all of them.
#include "platform/placement/shapes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

namespace assay {
namespace {

constexpr std::size_t of_core = 1;  // position in Topology::relations()

}  // namespace

double spread_fraction(std::size_t i) {
  double fraction = 0;
  for (double digit = 0.5; i > 0; i /= 2, digit /= 2) fraction += i % 2 == 0 ? 0 : digit;
  return fraction;
}

Seater::Seater(const MachineTree& tree, const Shapes& shapes, const std::vector<int>& roles)
    : tree_(tree),
      shapes_(shapes),
      roles_(roles),
      near_cpu0_(tree.nodes.size(), false),
      several_memories_(tree.nodes.size(), false) {
  const TreePaths& paths = shapes.paths();
  if (paths.has_cpu(0))
    for (std::size_t node = paths.leaf_of_cpu(0); node != TreePaths::none; node = paths.parent(node))
      near_cpu0_[node] = true;
  std::vector<std::set<int>> memories(tree.nodes.size());
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    if (tree.nodes[i].cpu >= 0) memories[i].insert(paths.local_memory(tree.nodes[i].cpu));
    if (tree.nodes[i].memory >= 0) memories[i].insert(tree.nodes[i].memory);
    several_memories_[i] = memories[i].size() > 1;
    if (i > 0) memories[paths.parent(i)].insert(memories[i].begin(), memories[i].end());
  }
}

Seater::Seating Seater::whole(std::size_t shape, double where) const {
  Ranks ranks(most_roles);
  for (std::size_t rank = 0; rank < roles_.size(); ++rank)
    ranks[static_cast<std::size_t>(roles_[rank])].push_back(static_cast<int>(rank));
  return {shape, 0, std::move(ranks), where};
}

/// True when the seating is onto one leaf.
bool Seater::sit(const Seating& seating, Seats& seats) const {
  const MachineNode& node = tree_.nodes[seating.node];
  if (!node.is_leaf()) return false;
  if (node.memory >= 0) seats.memory = node.memory;
  for (const auto& ranks : seating.ranks)
    for (const int rank : ranks) seats.cpus[static_cast<std::size_t>(rank)] = node.cpu;
  return true;
}

/// The parts with their ranks, first ranks first, not yet on a node.
std::vector<Seater::Seating> Seater::parts_of(const Seating& seating) const {
  auto shapes = shapes_[seating.shape].parts;
  const auto first_role = [this](std::size_t shape) { return std::countr_zero(shapes_[shape].tokens) / 4; };
  std::stable_sort(shapes.begin(), shapes.end(),
                   [&](std::size_t a, std::size_t b) { return first_role(a) < first_role(b); });
  std::vector<Seating> parts;
  std::vector<std::size_t> dealt(most_roles, 0);
  for (const std::size_t shape : shapes) {
    Ranks ranks(most_roles);
    for (std::size_t role = 0; role < most_roles; ++role)
      for (int n = count_in(shapes_[shape].tokens, static_cast<int>(role)); n > 0; --n)
        ranks[role].push_back(seating.ranks[role][dealt[role]++]);
    parts.push_back({shape, 0, std::move(ranks), 0});
  }
  return parts;
}

std::vector<std::size_t> Seater::candidates(const Seating& seating, std::size_t of) const {
  auto nodes = tree_.nodes[seating.node].children;
  std::erase_if(nodes, [&](std::size_t node) { return shapes_.class_of(node) != of; });
  return nodes;
}

/// 2 where the shape on that node needs CPU 0, 1 where it needs its core, else 0.
int Seater::cost_at_cpu0(std::size_t shape, std::size_t node) const {
  if (!near_cpu0_[node]) return 0;
  if (tree_.nodes[node].is_leaf()) return 2;
  const auto& children = tree_.nodes[node].children;
  const auto zero = std::find_if(children.begin(), children.end(), [this](std::size_t c) { return near_cpu0_[c]; });
  const std::size_t of = shapes_.class_of(*zero);
  const auto room =
      std::count_if(children.begin(), children.end(), [&](std::size_t c) { return shapes_.class_of(c) == of; });
  std::ptrdiff_t used = 0;
  int least = 2;
  for (const std::size_t part : shapes_[shape].parts) {
    if (shapes_[part].of != of) continue;
    ++used;
    least = std::min(least, cost_at_cpu0(part, *zero));
  }
  const int of_core_itself = tree_.nodes[node].relation == of_core ? 1 : 0;
  return std::max(of_core_itself, used < room ? 0 : least);
}

/// Exchanges the node with CPU 0, at position `zero`, so that the part that gets it, if any, can keep off CPU 0.
void Seater::keep_off(std::ptrdiff_t zero, const std::vector<Seating*>& wanting,
                      std::vector<std::size_t>& nodes) const {
  const auto node = nodes.begin() + zero;
  const auto cost = [&](const Seating* part) { return cost_at_cpu0(part->shape, *node); };
  const auto parts = static_cast<std::ptrdiff_t>(wanting.size());
  if (zero >= parts || cost(wanting[static_cast<std::size_t>(zero)]) == 0) return;
  const auto cheapest = std::min_element(wanting.begin(), wanting.end(),
                                         [&](const Seating* a, const Seating* b) { return cost(a) < cost(b); });
  if (cost(*cheapest) > 0 && wanting.size() < nodes.size())
    std::rotate(node, node + 1, nodes.end());  // left out
  else
    std::iter_swap(node, nodes.begin() + (cheapest - wanting.begin()));
}

void Seater::choose_nodes(const Seating& seating, std::vector<Seating>& parts, bool off_cpu0) const {
  std::set<std::size_t> done;
  for (const Seating& first : parts) {
    const std::size_t of = shapes_[first.shape].of;
    if (!done.insert(of).second) continue;
    std::vector<Seating*> wanting;
    for (Seating& part : parts)
      if (shapes_[part.shape].of == of) wanting.push_back(&part);
    auto nodes = candidates(seating, of);
    const double at = seating.where * static_cast<double>(nodes.size());
    std::rotate(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(at), nodes.end());
    const auto zero = std::find_if(nodes.begin(), nodes.end(), [this](std::size_t n) { return near_cpu0_[n]; });
    if (off_cpu0 && zero != nodes.end()) keep_off(zero - nodes.begin(), wanting, nodes);
    for (std::size_t i = 0; i < wanting.size(); ++i) {
      wanting[i]->node = nodes[i];
      wanting[i]->where = at - std::floor(at);
    }
  }
}

void Seater::place(const Seating& seating, bool off_cpu0, Seats& seats) const {
  if (sit(seating, seats)) return;
  auto parts = parts_of(seating);
  choose_nodes(seating, parts, off_cpu0);
  for (const Seating& part : parts) place(part, off_cpu0, seats);
}

Seats Seater::seat(std::size_t shape, double where, bool off_cpu0) const {
  Seats seats = nobody();
  place(whole(shape, where), off_cpu0, seats);
  return seats;
}

/// Members of one role in order, so that an exchange of them is no other placement.
Seats Seater::canonical(const Seats& seats) const {
  Seats sorted = seats;
  for (std::size_t a = 0; a < roles_.size(); ++a)
    for (std::size_t b = a + 1; b < roles_.size(); ++b)
      if (roles_[a] == roles_[b] && sorted.cpus[b] < sorted.cpus[a]) std::swap(sorted.cpus[a], sorted.cpus[b]);
  return sorted;
}

std::vector<Seats> Seater::several(std::size_t shape, std::size_t count) const {
  std::vector<Seats> found;
  std::vector<Seats> known;
  const double existing = shapes_[shape].tuples;
  const std::size_t tries = 64 + 16 * count;
  for (const bool off_cpu0 : {true, false})
    for (std::size_t i = 0; i < tries && found.size() < count && static_cast<double>(found.size()) < existing; ++i) {
      const Seats seats = seat(shape, spread_fraction(i), off_cpu0);
      const Seats key = canonical(seats);
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      known.push_back(key);
      found.push_back(seats);
    }
  return found;
}

/// A walk over all ways to choose the parts that decide which memory nodes are touched.
class MemoryChoices {
 public:
  MemoryChoices(const Seater& seater, std::size_t most, const std::function<void(const Seats&)>& visit)
      : seater_(seater), left_(most), visit_(visit) {}

  bool walk(std::vector<Seater::Seating> open, const Seats& seats) {
    if (open.empty()) {
      if (left_ == 0) return false;
      --left_;
      visit_(seats);
      return true;
    }
    const Seater::Seating seating = open.back();
    open.pop_back();
    if (!seater_.several_memories_[seating.node]) {
      Seats next = seats;
      seater_.place(seating, true, next);
      return walk(std::move(open), next);
    }
    return assign(seating, seater_.parts_of(seating), 0, open, seats);
  }

 private:
  /// Every injective choice of nodes for the parts from `index` on.
  bool assign(const Seater::Seating& seating, std::vector<Seater::Seating> parts, std::size_t index,
              const std::vector<Seater::Seating>& open, const Seats& seats) {
    if (index == parts.size()) {
      auto all = open;
      all.insert(all.end(), parts.begin(), parts.end());
      return walk(std::move(all), seats);
    }
    for (const std::size_t node : seater_.candidates(seating, seater_.shapes_[parts[index].shape].of)) {
      const auto taken = std::any_of(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(index),
                                     [&](const Seater::Seating& part) { return part.node == node; });
      if (taken) continue;
      parts[index].node = node;
      parts[index].where = seating.where;
      if (!assign(seating, parts, index + 1, open, seats)) return false;
    }
    return true;
  }

  const Seater& seater_;
  std::size_t left_;
  const std::function<void(const Seats&)>& visit_;
};

bool Seater::each_choice_of_memory(std::size_t shape, double where, std::size_t most,
                                   const std::function<void(const Seats&)>& visit) const {
  return MemoryChoices(*this, most, visit).walk({whole(shape, where)}, nobody());
}

}  // namespace assay
