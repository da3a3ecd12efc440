// SPDX-License-Identifier: Apache-2.0
// Shapes as named classes, split by distance where the tree does not determine it.
#include "platform/placement/placement_classes.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "base/error.hpp"
#include "platform/placement/shapes.hpp"

namespace assay {
namespace {

constexpr std::size_t most_choices = 50'000;  // of memory nodes, for one class
constexpr std::size_t most_tries = 16;        // to find further representatives of a split one

/// Distances between the memory nodes that tokens touch, row by row.
using Signature = std::vector<double>;

[[noreturn]] void refuse_roles(const std::string& text, const std::string& why) {
  Problem problem;
  problem.what = "roles '" + text + "' cannot be used";
  problem.why = why;
  problem.remedy = "write ordered, equal, main+equal, or a word for each member such as a,b,b";
  throw ConfigError(std::move(problem));
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char letter : text) {
    if (letter == ',')
      words.emplace_back();
    else if (letter != ' ')
      words.back() += letter;
  }
  return words;
}

std::vector<int> checked(std::vector<int> roles) {
  if (roles.empty() || roles.size() > PlacementClasses::most_members)
    throw std::invalid_argument("classes are for one to six members, not " + std::to_string(roles.size()));
  return roles;
}

Tokens tokens_of(const ClassesRequest& request) {
  Tokens tokens = request.memory ? home_token : 0;
  for (const int role : request.roles) tokens += token_of(role);
  return tokens;
}

/// All orders of the ranks in which each place has a rank of the same role.
using Exchanges = std::vector<std::vector<std::size_t>>;
Exchanges exchanges_of(const std::vector<int>& roles) {
  std::vector<std::size_t> order(roles.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Exchanges found;
  do {
    bool same = true;
    for (std::size_t i = 0; i < order.size(); ++i) same = same && roles[order[i]] == roles[i];
    if (same) found.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  return found;
}

struct ClassEntry {
  std::size_t shape = 0;
  Signature signature;  ///< empty: the shape is not split
  double share = 1;     ///< of the shape's placements
  PlacementClass known;
  std::vector<std::size_t> order;
  Seats first;
};

/// Whether `a` comes before `b`, among classes of one name too.
bool before(const ClassEntry& a, const ClassEntry& b) {
  if (a.order != b.order) return a.order < b.order;
  if (a.known.tuples != b.known.tuples) return a.known.tuples > b.known.tuples;
  return std::pair(a.first.cpus, a.first.memory) < std::pair(b.first.cpus, b.first.memory);
}

}  // namespace

std::vector<int> parse_roles(const std::string& text, int members) {
  const auto count = static_cast<std::size_t>(std::max(members, 0));
  std::vector<int> roles(count, 0);
  if (text == "equal") return roles;
  for (std::size_t rank = 1; rank < count; ++rank) roles[rank] = text == "main+equal" ? 1 : static_cast<int>(rank);
  if (text == "main+equal" || text == "ordered") return roles;
  const auto words = words_of(text);
  if (words.size() != count)
    refuse_roles(text, "there are " + std::to_string(words.size()) + " words for " + std::to_string(members) +
                           (members == 1 ? " member" : " members"));
  for (std::size_t rank = 0; rank < count; ++rank) {
    if (words[rank].empty()) refuse_roles(text, "a word is missing");
    roles[rank] = static_cast<int>(std::find(words.begin(), words.end(), words[rank]) - words.begin());
  }
  return roles;
}

struct PlacementClasses::Enumeration {
  Enumeration(MachineTree given, const ClassesRequest& request)
      : tree(std::move(given)),
        roles(checked(request.roles)),
        exchanges(exchanges_of(roles)),
        shapes(tree, request.most),
        seater(tree, shapes, roles),
        plain(by_tree()) {
    if (request.memory && paths().memories().empty()) throw std::out_of_range("the machine shows no memory nodes");
    try {
      for (const std::size_t shape : std::vector<std::size_t>(shapes.all(tokens_of(request)))) take(shape);
    } catch (const TooManyShapes&) {
      throw std::length_error("more than " + std::to_string(request.most) + " classes");
    }
    if (entries.size() > request.most)
      throw std::length_error("more than " + std::to_string(request.most) + " classes");
    describe();
  }

  const TreePaths& paths() const { return shapes.paths(); }

  void take(std::size_t shape) {
    if (plain) {
      entries.emplace_back().shape = shape;
      return;
    }
    auto parts = split(shape, seater, exchanges);
    if (!parts) ++unrefined;
    if (!parts || parts->size() == 1) {
      entries.emplace_back().shape = shape;
      return;
    }
    double all = 0;
    for (const auto& [signature, part] : *parts) all += part.share;
    for (auto& [signature, part] : *parts) {
      part.shape = shape;
      part.signature = signature;
      part.share /= all;
      entries.push_back(std::move(part));
    }
  }

  /// Whether the tree determines the distances of all pairs.
  bool by_tree() {
    const auto& memories = paths().memories();
    for (const int memory : memories)
      if (static_cast<std::size_t>(memory) >= tree.distances.size()) return true;
    for (const int cpu : paths().cpus())
      if (paths().local_memory(cpu) < 0) return true;
    const std::vector<int> pair{0, 1};
    Shapes of_pairs(tree, most_choices);
    const Seater pairs(tree, of_pairs, pair);
    const auto& all = of_pairs.all(token_of(0) + token_of(1));
    return std::all_of(all.begin(), all.end(), [&](std::size_t shape) {
      const auto parts = split(shape, pairs, {{0, 1}});
      return parts && parts->size() == 1;
    });
  }

  /// The placements of a shape by distance; nothing when there are too many to look at.
  std::optional<std::map<Signature, ClassEntry>> split(std::size_t shape, const Seater& by, const Exchanges& orders) {
    std::map<Signature, ClassEntry> parts;
    const bool complete = by.each_choice_of_memory(shape, 0, most_choices, [&](const Seats& seats) {
      const auto [part, is_new] = parts.try_emplace(signature_of(seats, orders));
      ClassEntry& entry = part->second;
      entry.share = is_new ? 1 : entry.share + 1;
    });
    return complete ? std::optional(std::move(parts)) : std::nullopt;
  }

  double distance(int from, int to) const {
    return tree.distances[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
  }

  /// The least over all exchanges.
  Signature signature_of(const Seats& seats, const Exchanges& orders) const {
    Signature least;
    for (const auto& order : orders) {
      std::vector<int> nodes;
      for (const std::size_t rank : order) nodes.push_back(paths().local_memory(seats.cpus[rank]));
      if (seats.memory >= 0) nodes.push_back(seats.memory);
      Signature one;
      for (const int a : nodes)
        for (const int b : nodes) one.push_back(distance(a, b));
      if (least.empty() || one < least) least = std::move(one);
    }
    return least;
  }

  std::vector<Seats> representatives(const ClassEntry& entry, std::size_t count) const {
    if (entry.signature.empty()) return seater.several(entry.shape, count);
    std::vector<Seats> found;
    for (std::size_t i = 0; i < most_tries && found.size() < count; ++i) {
      const auto matching = of_signature(entry, spread_fraction(i));
      const std::size_t step = std::max<std::size_t>(1, matching.size() / (count - found.size()));
      for (std::size_t j = 0; j < matching.size() && found.size() < count; j += step)
        if (std::find(found.begin(), found.end(), matching[j]) == found.end()) found.push_back(matching[j]);
    }
    return found;
  }

  std::vector<Seats> of_signature(const ClassEntry& entry, double where) const {
    std::vector<Seats> matching;
    seater.each_choice_of_memory(entry.shape, where, most_choices, [&](const Seats& seats) {
      if (signature_of(seats, exchanges) == entry.signature) matching.push_back(seats);
    });
    return matching;
  }

  std::string distance_text(const Seats& seats) const {
    std::string text = "~d";
    for (std::size_t b = 0; b < seats.cpus.size(); ++b)
      for (std::size_t a = 0; a < b; ++a) {
        const int from = paths().local_memory(seats.cpus[a]);
        const int to = paths().local_memory(seats.cpus[b]);
        for (const double d : {distance(from, to), distance(to, from)}) {
          text += (text.size() == 2 ? "" : "/") + std::to_string(static_cast<long long>(d));
          if (distance(from, to) == distance(to, from)) break;
        }
      }
    return text;
  }

  std::string name_of(const ClassEntry& entry) const {
    std::string name = class_name(tree, paths(), entry.first);
    if (entry.signature.empty() || entry.first.cpus.size() < 2) return name;
    return name.insert(std::min(name.find('@'), name.size()), distance_text(entry.first));
  }

  void describe() {
    for (ClassEntry& entry : entries) {
      entry.known.tuples = shapes[entry.shape].tuples * entry.share;
      entry.known.shares_cpu = shapes[entry.shape].shares_cpu;
      entry.first = representatives(entry, 1).at(0);
      entry.order = nearness(tree, paths(), entry.first);
    }
    std::sort(entries.begin(), entries.end(), before);
    std::map<std::string, int> seen;
    for (ClassEntry& entry : entries) {
      std::string name = name_of(entry);
      const int number = ++seen[name];
      if (number > 1) name.insert(std::min(name.find('@'), name.size()), "~" + std::to_string(number));
      entry.known.name = std::move(name);
      index[{entry.shape, entry.signature}] = list.size();
      list.push_back(entry.known);
    }
  }

  std::size_t find(const Seats& seats) {
    if (seats.cpus.size() != roles.size()) throw std::out_of_range("a placement of another number of members");
    std::vector<std::pair<std::size_t, Tokens>> leaves;
    for (std::size_t rank = 0; rank < roles.size(); ++rank)
      leaves.emplace_back(paths().leaf_of_cpu(seats.cpus[rank]), token_of(roles[rank]));
    if (seats.memory >= 0) leaves.emplace_back(paths().leaf_of_memory(seats.memory), home_token);
    const std::size_t shape = shapes.of(leaves);
    const auto found = index.find({shape, {}});
    if (found != index.end()) return found->second;
    return index.at({shape, plain ? Signature() : signature_of(seats, exchanges)});
  }

  MachineTree tree;
  std::vector<int> roles;
  Exchanges exchanges;
  Shapes shapes;
  Seater seater;
  bool plain;  ///< distances add nothing
  std::size_t unrefined = 0;
  std::vector<ClassEntry> entries;
  std::vector<PlacementClass> list;
  std::map<std::pair<std::size_t, Signature>, std::size_t> index;
};

PlacementClasses::PlacementClasses(MachineTree tree, const ClassesRequest& request)
    : enumeration_(std::make_unique<Enumeration>(std::move(tree), request)) {}
PlacementClasses::~PlacementClasses() = default;
PlacementClasses::PlacementClasses(PlacementClasses&&) noexcept = default;
PlacementClasses& PlacementClasses::operator=(PlacementClasses&&) noexcept = default;

const std::vector<PlacementClass>& PlacementClasses::all() const { return enumeration_->list; }

std::vector<Seats> PlacementClasses::representatives(std::size_t index, std::size_t count) const {
  return enumeration_->representatives(enumeration_->entries.at(index), count);
}

std::size_t PlacementClasses::find(const Seats& seats) const { return enumeration_->find(seats); }

std::size_t PlacementClasses::unrefined() const { return enumeration_->unrefined; }

}  // namespace assay
