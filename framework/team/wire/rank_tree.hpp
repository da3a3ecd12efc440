// SPDX-License-Identifier: Apache-2.0
// How ranks reach all others in O(log p) steps, over any wire: messages up and down a binomial tree, and a barrier.
#pragma once
#include <cstdint>
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

/// The dissemination barrier (Hensgen, Finkel and Manber, International Journal of Parallel Programming 17, 1988): in
/// step k each rank notifies the one 2^k further and receives from the one 2^k before, so that after the last step it
/// has heard of all, whether or not their number is a power of two.
class DisseminationBarrier {
 public:
  explicit DisseminationBarrier(Wire& wire) : wire_(wire) {}
  /// Returns when all ranks have called it as often. Throws WireError when another rank is in a different call or step:
  /// then ranks have not done the same.
  void wait();

 private:
  void hear(int from, std::uint32_t step);

  Wire& wire_;
  std::uint32_t calls_ = 0;
};

}  // namespace assay
