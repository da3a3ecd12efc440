// SPDX-License-Identifier: Apache-2.0
// Partners and rounds of confirmations.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "stats/screening/confirmation.hpp"

namespace assay {
namespace {

constexpr double usual_z = 1;
constexpr std::size_t fewest_controls = 4;
constexpr std::size_t controls_share = 10;  // one for so many suspects
constexpr std::size_t nodes_per_pair = 32;
constexpr int tries = 30;

Match ordered_pair(std::size_t a, std::size_t b) { return {std::min(a, b), std::max(a, b)}; }

bool contains(const Fabric& fabric, const FabricUnit& unit, std::size_t node) {
  switch (unit.kind) {
    case UnitKind::group:
      return fabric.group_of(node) == unit.first;
    case UnitKind::leaf:
      return fabric.leaf_of(node) == unit.first;
    case UnitKind::trunk:
      return false;
    default:
      return node == unit.first || (unit.kind == UnitKind::pair && node == unit.second);
  }
}

std::size_t any_of(const std::vector<std::size_t>& nodes, Rng& rng) { return nodes[rng.below(nodes.size())]; }

}  // namespace

ConfirmationPlan::ConfirmationPlan(const Fabric& fabric, std::span<const Suspect> suspects, const PairModel& model,
                                   std::uint64_t seed)
    : fabric_(fabric), suspects_(suspects), seed_(seed) {
  choose_healthy(model);
  for (const Suspect& suspect : suspects) add_ends(suspect.unit);
}

void ConfirmationPlan::choose_healthy(const PairModel& model) {
  std::set<FabricUnit> units;
  for (const Suspect& suspect : suspects_) units.insert(suspect.unit);
  std::vector<std::size_t> in_no_suspect;
  for (std::size_t node = 0; node < fabric_.nodes(); ++node) {
    if (units.contains({UnitKind::node, node, 0})) continue;
    clean_.push_back(node);
    if (units.contains({UnitKind::leaf, fabric_.leaf_of(node), 0})) continue;
    if (units.contains({UnitKind::group, fabric_.group_of(node), 0})) continue;
    in_no_suspect.push_back(node);
    if (std::abs(model.node[node]) <= usual_z * model.node_error) healthy_.push_back(node);
  }
  if (healthy_.size() < fewest_controls) healthy_ = in_no_suspect;
  if (healthy_.size() < 2) healthy_ = clean_;
}

void ConfirmationPlan::add_ends(const FabricUnit& unit) {
  std::vector<std::size_t>& ends = ends_.emplace_back();
  std::vector<std::size_t>& others = others_.emplace_back();
  if (unit.kind == UnitKind::node || unit.kind == UnitKind::pair) ends = {unit.first};
  if (unit.kind == UnitKind::pair) others = {unit.second};
  const auto add_where = [this](std::vector<std::size_t>& nodes, const FabricUnit& larger) {
    std::ranges::copy_if(clean_, std::back_inserter(nodes),
                         [&](std::size_t node) { return contains(fabric_, larger, node); });
  };
  if (unit.kind == UnitKind::leaf || unit.kind == UnitKind::group) add_where(ends, unit);
  if (unit.kind == UnitKind::trunk) {
    add_where(ends, {UnitKind::group, unit.first, 0});
    add_where(others, {UnitKind::group, unit.second, 0});
  }
}

std::size_t ConfirmationPlan::partner_for(std::size_t node, const FabricUnit& unit, Rng& rng) const {
  std::size_t partner = node;
  for (int tried = 0; tried < tries; ++tried) {
    partner = any_of(healthy_, rng);
    const bool is_near = fabric_.has_leaves() && fabric_.leaf_of(partner) == fabric_.leaf_of(node);
    if (partner != node && !is_near && !contains(fabric_, unit, partner)) break;
  }
  return partner;
}

std::optional<Match> ConfirmationPlan::pair_for(std::size_t suspect, Rng& rng) const {
  const FabricUnit& unit = suspects_[suspect].unit;
  const bool has_two_ends = unit.kind == UnitKind::trunk || unit.kind == UnitKind::pair;
  if (ends_[suspect].empty() || (has_two_ends ? others_[suspect] : healthy_).empty()) return std::nullopt;
  const std::size_t node = any_of(ends_[suspect], rng);
  const std::size_t partner = has_two_ends ? any_of(others_[suspect], rng) : partner_for(node, unit, rng);
  return partner == node ? std::nullopt : std::optional(ordered_pair(node, partner));
}

std::vector<ConfirmationTest> ConfirmationPlan::tests(std::span<const std::size_t> suspects,
                                                      std::size_t repetition) const {
  Rng rng = Rng(seed_).substream("confirmation/" + std::to_string(repetition));
  std::vector<ConfirmationTest> found;
  for (const std::size_t suspect : suspects)
    if (const auto pair = pair_for(suspect, rng)) found.push_back({*pair, suspect, repetition});
  const std::size_t controls = std::max(fewest_controls, suspects.size() / controls_share);
  for (std::size_t i = 0; i < controls && healthy_.size() > 1; ++i) {
    const std::size_t node = any_of(healthy_, rng);
    const std::size_t partner = partner_for(node, {UnitKind::node, node, 0}, rng);
    if (partner != node) found.push_back({ordered_pair(node, partner), ConfirmationTest::control, repetition});
  }
  return found;
}

std::vector<std::vector<ConfirmationTest>> ConfirmationPlan::rounds(std::span<const ConfirmationTest> tests) const {
  std::vector<std::vector<ConfirmationTest>> rounds;
  std::vector<std::set<std::size_t>> busy;
  const std::size_t most =
      fabric_.has_leaves() ? fabric_.nodes() : std::max<std::size_t>(1, fabric_.nodes() / nodes_per_pair);
  const auto part_of = [&](std::size_t node) { return fabric_.has_leaves() ? fabric_.leaf_of(node) : node; };
  for (const ConfirmationTest& test : tests) {
    const std::size_t one = part_of(test.pair.first);
    const std::size_t two = part_of(test.pair.second);
    std::size_t round = 0;
    while (round < rounds.size() &&
           (rounds[round].size() >= most || busy[round].contains(one) || busy[round].contains(two)))
      ++round;
    if (round == rounds.size()) {
      rounds.emplace_back();
      busy.emplace_back();
    }
    rounds[round].push_back(test);
    busy[round].insert({one, two});
  }
  return rounds;
}

}  // namespace assay
