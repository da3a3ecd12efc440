// SPDX-License-Identifier: Apache-2.0
// Orbits of placements under a tree's automorphisms, by memoised enumeration: in time proportional to their number,
// whatever the number of CPUs.
#include "platform/placement/shapes.hpp"

#include <algorithm>
#include <functional>

namespace assay {
namespace {

double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

/// n (n - 1) ... over k factors.
double falling(int n, int k) {
  double product = 1;
  for (int i = 0; i < k; ++i) product *= n - i;
  return product;
}

/// How often each item of an ascending list stands in it.
std::vector<int> repeats(const std::vector<std::size_t>& items) {
  std::vector<int> counts;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i == 0 || items[i] != items[i - 1]) counts.push_back(0);
    ++counts.back();
  }
  return counts;
}

}  // namespace

Shapes::Shapes(const MachineTree& tree, std::size_t most)
    : tree_(tree), paths_(tree), most_(most), classes_(tree.nodes.size()) {
  classify();
}

void Shapes::classify() {
  // Bottom-up: a node's children come after it.
  std::map<std::tuple<std::size_t, std::string, std::string, int, std::vector<std::size_t>>, std::size_t> numbers;
  for (std::size_t i = tree_.nodes.size(); i-- > 0;) {
    const MachineNode& node = tree_.nodes[i];
    std::vector<std::size_t> below;
    for (const std::size_t child : node.children) below.push_back(classes_[child]);
    std::sort(below.begin(), below.end());
    const int sort = node.cpu >= 0 ? 1 : node.memory >= 0 ? 2 : 0;
    const auto [known, is_new] =
        numbers.emplace(std::tuple(node.relation, node.label, node.kind, sort, below), kinds_.size());
    classes_[i] = known->second;
    if (!is_new) continue;
    Class& made = kinds_.emplace_back(Class{sort == 1, sort == 2, {}});
    for (const std::size_t part : below) {
      if (made.parts.empty() || made.parts.back().first != part) made.parts.emplace_back(part, 0);
      ++made.parts.back().second;
    }
  }
}

const std::vector<std::size_t>& Shapes::list(std::size_t of, Tokens tokens) {
  const auto known = lists_.find({of, tokens});
  if (known != lists_.end()) return known->second;
  std::vector<std::size_t> found;
  const Class& kind = kinds_[of];
  if (kind.is_cpu || kind.is_memory) {
    const bool fits = kind.is_memory ? tokens == home_token : tokens < home_token;
    if (fits) found.push_back(made(of, tokens, {}));
  } else {
    choose(of, tokens, {.left = tokens, .last = tokens}, found);
  }
  return lists_.emplace(std::pair(of, tokens), std::move(found)).first->second;
}

/// Adds a part to those chosen: never more tokens than the part before, and of equal tokens never an earlier shape, so
/// that each multiset of parts is found once.
void Shapes::choose(std::size_t of, Tokens tokens, const Choice& choice, std::vector<std::size_t>& found) {
  if (choice.left == 0) {
    if (found.size() == most_) throw TooManyShapes();
    auto parts = choice.parts;
    std::sort(parts.begin(), parts.end());
    found.push_back(made(of, tokens, std::move(parts)));
    return;
  }
  for (const Tokens part : takings(choice.left)) {
    if (part > choice.last) continue;
    const auto& shapes = pool(of, part);
    const bool same = part == choice.last && !choice.parts.empty();
    for (std::size_t i = same ? choice.next : 0; i < shapes.size(); ++i) {
      if (!has_room(of, choice.parts, shapes[i])) continue;
      Choice next{.left = choice.left - part, .last = part, .next = i, .parts = choice.parts};
      next.parts.push_back(shapes[i]);
      choose(of, tokens, next, found);
    }
  }
}

/// What a part can get of these tokens, largest number first.
const std::vector<Tokens>& Shapes::takings(Tokens tokens) {
  const auto known = takings_.find(tokens);
  if (known != takings_.end()) return known->second;
  std::vector<Tokens> found{0};
  for (int role = 0; role <= most_roles; ++role)
    for (std::size_t i = 0, size = found.size(); i < size; ++i)
      for (int n = 1; n <= count_in(tokens, role); ++n)
        found.push_back(found[i] + static_cast<Tokens>(n) * token_of(role));
  std::sort(found.begin(), found.end(), std::greater<>());
  found.pop_back();  // nothing is no part
  return takings_.emplace(tokens, std::move(found)).first->second;
}

const std::vector<std::size_t>& Shapes::pool(std::size_t of, Tokens tokens) {
  const auto known = pools_.find({of, tokens});
  if (known != pools_.end()) return known->second;
  std::vector<std::size_t> all;
  for (const auto& part : kinds_[of].parts) {
    const auto& some = list(part.first, tokens);
    all.insert(all.end(), some.begin(), some.end());
  }
  return pools_.emplace(std::pair(of, tokens), std::move(all)).first->second;
}

bool Shapes::has_room(std::size_t of, const std::vector<std::size_t>& parts, std::size_t shape) const {
  const std::size_t wanted = shapes_[shape].of;
  const auto used =
      std::count_if(parts.begin(), parts.end(), [&](std::size_t part) { return shapes_[part].of == wanted; });
  for (const auto& [kind, count] : kinds_[of].parts)
    if (kind == wanted) return used < count;
  return false;
}

std::size_t Shapes::made(std::size_t of, Tokens tokens, std::vector<std::size_t> parts) {
  const auto [known, is_new] = known_.emplace(Key(of, tokens, parts), shapes_.size());
  if (!is_new) return known->second;
  Shape shape{of, tokens, std::move(parts), false, 1};
  if (kinds_[of].is_cpu) {
    int members = 0;
    for (int role = 0; role < most_roles; ++role) members += count_in(tokens, role);
    shape.shares_cpu = members > 1;
  }
  for (const std::size_t part : shape.parts) shape.shares_cpu = shape.shares_cpu || shapes_[part].shares_cpu;
  shape.tuples = tuples_of(shape);
  shapes_.push_back(std::move(shape));
  return known->second;
}

/// Ways to choose children for the parts, where equal parts are interchangeable; to deal the tokens of each role out to
/// the parts; and to put them onto each part.
double Shapes::tuples_of(const Shape& shape) const {
  if (shape.parts.empty()) return 1;
  double ways = 1;
  for (const auto& [kind, count] : kinds_[shape.of].parts) {
    const auto used = std::count_if(shape.parts.begin(), shape.parts.end(),
                                    [&, wanted = kind](std::size_t part) { return shapes_[part].of == wanted; });
    ways *= falling(count, static_cast<int>(used));
  }
  for (const int count : repeats(shape.parts)) ways /= factorial(count);
  for (int role = 0; role <= most_roles; ++role) {
    ways *= factorial(count_in(shape.tokens, role));
    for (const std::size_t part : shape.parts) ways /= factorial(count_in(shapes_[part].tokens, role));
  }
  for (const std::size_t part : shape.parts) ways *= shapes_[part].tuples;
  return ways;
}

std::size_t Shapes::of(const std::vector<std::pair<std::size_t, Tokens>>& leaves) {
  std::map<std::size_t, Tokens, std::greater<>> occupied;  // children before parents
  for (const auto& [leaf, tokens] : leaves)
    for (std::size_t node = leaf; node != TreePaths::none; node = paths_.parent(node)) occupied[node] += tokens;
  std::map<std::size_t, std::vector<std::size_t>> parts;
  std::size_t shape = 0;
  for (const auto& [node, tokens] : occupied) {
    auto& below = parts[node];
    std::sort(below.begin(), below.end());
    shape = made(classes_[node], tokens, below);
    if (node != 0) parts[paths_.parent(node)].push_back(shape);
  }
  return shape;
}

}  // namespace assay
