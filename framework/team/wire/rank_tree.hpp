// SPDX-License-Identifier: Apache-2.0
// The binomial tree over ranks, and messages up and down it in O(log p) steps.
#pragma once
#include <vector>

#include "team/wire/wire.hpp"

namespace assay {

/// The parent of a position above 0: the position without its lowest bit.
int tree_parent(int position);
/// The children of a position among `count`, largest subtree first: who goes through them in this order is through
/// after log2(count) steps on every path.
std::vector<int> tree_children(int position, int count);

/// Brings equally long records of all ranks to rank 0, by rank; elsewhere the result is of no use. All ranks call it.
std::vector<std::byte> gather_bytes(Wire& wire, std::span<const std::byte> own);
/// Brings rank 0's bytes to all ranks, which all call it.
void broadcast_bytes(Wire& wire, std::span<std::byte> bytes);

/// The values of all ranks by rank, on rank 0; elsewhere those of the rank's subtree.
template <class Value>
std::vector<Value> gather(Wire& wire, const Value& own) {
  static_assert(std::is_trivially_copyable_v<Value>);
  const std::vector<std::byte> bytes = gather_bytes(wire, std::as_bytes(std::span(&own, 1)));
  std::vector<Value> values(bytes.size() / sizeof(Value));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// Rank 0's value, on all ranks.
template <class Value>
Value broadcast(Wire& wire, Value value) {
  static_assert(std::is_trivially_copyable_v<Value>);
  broadcast_bytes(wire, std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

}  // namespace assay
