// SPDX-License-Identifier: Apache-2.0
// Classes of placements and their representatives, from the relations between the usable CPUs; and an index beside a
// list of them.
#include "platform/placement/placement.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>
#include <utility>

#include "text/words.hpp"

namespace assay {
namespace {

constexpr std::string_view unbound_word = "unbound";
constexpr std::string_view bound_word = "bound";

using Cpus = std::vector<int>;

bool is_relation(std::string_view word) {
  const auto& known = Topology::relations();
  return std::find(known.begin(), known.end(), word) != known.end();
}

/// Position in the order from near to far.
std::ptrdiff_t distance(const Relation& relation) {
  const auto& known = Topology::relations();
  return std::find(known.begin(), known.end(), relation) - known.begin();
}

/// The most CPUs found that are pairwise so related, up to `members`. Relations nest like the hardware tree, and
/// `order` follows that tree: so the gaps between neighbours contain everything. A wider gap ends a group, and a gap of
/// the wanted relation begins a new block within the group, of which one CPU is taken.
Cpus pairwise(const Topology& topology, const Cpus& order, const Relation& wanted, std::size_t members) {
  Cpus best;
  Cpus group;
  for (std::size_t i = 0; i < order.size() && best.size() < members; ++i) {
    const Relation gap = i == 0 ? Relation() : topology.relation(order[i - 1], order[i]);
    if (distance(gap) > distance(wanted)) group.clear();
    if (group.empty() || gap == wanted) group.push_back(order[i]);
    if (group.size() > best.size()) best = group;
  }
  return best;
}

/// `order` without the CPUs of which `unwanted` is true.
Cpus without(Cpus order, const std::function<bool(int)>& unwanted) {
  std::erase_if(order, unwanted);
  return order;
}

/// Sets to choose from, the best first: most interrupts are served by CPU 0.
std::vector<Cpus> preferences(const Topology& topology) {
  const Cpus& all = topology.by_nearness();
  if (std::find(all.begin(), all.end(), 0) == all.end()) return {all};
  const auto near_zero = [&](int cpu) { return distance(topology.relation(0, cpu)) <= distance("smt"); };
  return {without(all, near_zero), without(all, [](int cpu) { return cpu == 0; }), all};
}

Cpus related(const Topology& topology, const Relation& wanted, std::size_t members) {
  Cpus found;
  for (const Cpus& order : preferences(topology)) {
    found = pairwise(topology, order, wanted, members);
    if (found.size() == members) break;
  }
  return found;
}

/// The CPU for a member that sits alone, or for all that share one.
int single_cpu(const Topology& topology) {
  for (const Cpus& order : preferences(topology))
    if (!order.empty()) return order.front();
  return topology.usable().at(0);
}

PlacementChoice chosen(std::string_view word, Cpus cpus) { return {Placement{std::string(word), std::move(cpus)}, {}}; }

PlacementChoice refused(std::string why) { return {std::nullopt, std::move(why)}; }

std::string too_few(const Topology& topology, const Relation& wanted, std::size_t members, std::size_t found) {
  const std::string most = found > 1 ? "there are at most " + std::to_string(found) : "there are none";
  return "needs " + std::to_string(members) + " CPUs that are pairwise " + wanted + ", " + most + "; " +
         topology.usable_text();
}

PlacementChoice place_related(const Topology& topology, const Relation& wanted, std::size_t members) {
  if (members < 2) return refused("needs two members or more");
  if (wanted == "same-pu") return chosen(wanted, Cpus(members, single_cpu(topology)));
  Cpus cpus = related(topology, wanted, members);
  if (cpus.size() < members) return refused(too_few(topology, wanted, members, cpus.size()));
  return chosen(wanted, std::move(cpus));
}

PlacementChoice place_bound(const Topology& topology, int members) {
  if (members != 1) return refused("is for one member; for more, a relation says how they are bound");
  return chosen(bound_word, {single_cpu(topology)});
}

std::vector<std::string_view> split(std::string_view list) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t to = std::min(list.find('+', from), list.size());
    parts.push_back(list.substr(from, to - from));
    from = to + 1;
  }
  return parts;
}

bool is_list(std::string_view word) {
  const auto parts = split(word);
  return std::all_of(parts.begin(), parts.end(), is_whole_number);
}

/// The CPU of that index, if it is usable.
std::optional<int> usable_cpu(const Topology& topology, std::string_view text) {
  int cpu = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cpu);
  const Cpus& usable = topology.usable();
  if (error != std::errc() || !std::binary_search(usable.begin(), usable.end(), cpu)) return std::nullopt;
  return cpu;
}

PlacementChoice place_listed(const Topology& topology, std::string_view word, std::size_t members) {
  const auto parts = split(word);
  if (parts.size() != members)
    return refused("lists " + std::to_string(parts.size()) + " CPUs for " + std::to_string(members) + " members");
  Cpus cpus;
  for (const std::string_view part : parts) {
    const auto cpu = usable_cpu(topology, part);
    if (!cpu) return refused("CPU " + std::string(part) + " is not usable; " + topology.usable_text());
    cpus.push_back(*cpu);
  }
  return chosen(word, std::move(cpus));
}

bool is_word(std::string_view word) { return word == unbound_word || word == bound_word || is_relation(word); }

/// Nothing, "@4+5", "@memory=1" or both in this order.
bool is_suffix(std::string_view text) {
  constexpr std::string_view home = "@memory=";
  if (const auto at = text.find(home); at != text.npos) {
    if (text.size() == at + home.size()) return false;
    text = text.substr(0, at);
  }
  return text.empty() || (text[0] == '@' && is_list(text.substr(1)));
}

}  // namespace

bool Placement::shares_cpu() const { return std::set<int>(cpus.begin(), cpus.end()).size() < cpus.size(); }

std::vector<std::string> placement_words(const Topology& topology, int members) {
  std::vector<std::string> words{std::string(unbound_word)};
  if (members == 1) words.emplace_back(bound_word);
  for (const Relation& relation : Topology::relations())
    if (place(topology, relation, members).placement) words.push_back(relation);
  return words;
}

PlacementChoice place(const Topology& topology, std::string_view word, int members) {
  if (members < 1) return refused("needs a member");
  if (word == unbound_word) return chosen(word, {});
  if (word == bound_word) return place_bound(topology, members);
  if (is_relation(word)) return place_related(topology, Relation(word), static_cast<std::size_t>(members));
  if (is_list(word)) return place_listed(topology, word, static_cast<std::size_t>(members));
  return refused("is not a placement");
}

std::string_view placement_base(std::string_view word) { return word.substr(0, word.find('@')); }

bool is_placement_word(std::string_view word) {
  std::string_view base = placement_base(word);
  if (!is_suffix(word.substr(base.size()))) return false;
  // The name of a class has more behind the word that it begins with.
  if (const auto end = base.find_first_of("(:~"); end != base.npos) return is_word(base.substr(0, end));
  return is_word(base) || is_list(base) || base == "close" || base == "spread" || is_part_name(base);
}

void PlacementTable::push_back(Placement placement) {
  index_[placement.name].push_back(list_.size());
  list_.push_back(std::move(placement));
}

const Placement* PlacementTable::find(const std::string& name, int members) const {
  const auto named = index_.find(name);
  if (named == index_.end()) return nullptr;
  for (const std::size_t i : named->second)
    if (!list_[i].bound() || std::cmp_equal(list_[i].cpus.size(), members)) return &list_[i];
  return nullptr;
}

}  // namespace assay
