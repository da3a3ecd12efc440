// SPDX-License-Identifier: Apache-2.0
// Random rounds of pairs that have nothing in common, for tests of some pairs among millions.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tournament.hpp"
#include "stats/screening/fabric.hpp"

namespace assay {

/// `rounds` perfect matchings of all nodes: in each of them every node meets one other (of an odd number, one sits
/// out). No two nodes meet twice where there are more nodes than rounds, and none meets one of its own leaf switch as
/// far as that can be had: a pair of two switches shows both of them, and nodes under one switch are not compared with
/// each other only. Such unions of random matchings are expanders with high probability (Friedman, A Proof of Alon's
/// Second Eigenvalue Conjecture, 2008), so that effects of all nodes can be estimated from them. Equal for equal seeds.
/// As many rounds as all pairs need are those of a tournament.
std::vector<std::vector<Match>> random_matchings(const Fabric& fabric, std::size_t rounds, std::uint64_t seed);

}  // namespace assay
