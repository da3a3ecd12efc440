// SPDX-License-Identifier: Apache-2.0
// What can be done to a word of a cache line.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

enum class LineOperation : std::uint8_t {
  load,
  store,
  cas,       ///< compare-and-swap that finds what it expects
  cas_fail,  ///< one that does not
  fetch_add,
  exchange,
  test_and_set  ///< of the word's first byte
};

/// Their words, in the order of the values.
inline std::vector<std::string> line_operations() {
  return {"load", "store", "cas", "cas-fail", "fetch-add", "exchange", "test-and-set"};
}

/// Whether the line is another one afterwards, or may be: a processor may write back what a comparison refused.
constexpr bool may_change(LineOperation operation) { return operation != LineOperation::load; }

/// Whether it reads the line and writes it, at once.
constexpr bool is_atomic_update(LineOperation operation) {
  return operation != LineOperation::load && operation != LineOperation::store;
}

/// What an operation returns of a word that is `key`: its first byte, in test-and-set; a store returns nothing, for
/// which `key` stands.
constexpr std::uint64_t returned_of(LineOperation operation, std::uint64_t key) {
  return operation == LineOperation::test_and_set ? 0 : key;
}

/// A word whose first and last bytes are 0 and that is not 0: test-and-set finds a byte that is clear, and no
/// processor takes the line for one that is empty.
constexpr std::uint64_t key_from(std::uint64_t bits) { return (bits & 0x00ff'ffff'ffff'ff00U) | 0x100U; }

/// Calls `use` with the operation of that word as a compile-time constant: use.template operator()<operation>().
template <class Use>
decltype(auto) with_operation(std::string_view word, Use&& use) {
  using enum LineOperation;
  if (word == "store") return std::forward<Use>(use).template operator()<store>();
  if (word == "cas") return std::forward<Use>(use).template operator()<cas>();
  if (word == "cas-fail") return std::forward<Use>(use).template operator()<cas_fail>();
  if (word == "fetch-add") return std::forward<Use>(use).template operator()<fetch_add>();
  if (word == "exchange") return std::forward<Use>(use).template operator()<exchange>();
  if (word == "test-and-set") return std::forward<Use>(use).template operator()<test_and_set>();
  if (word == "load") return std::forward<Use>(use).template operator()<load>();
  throw std::invalid_argument("there is no operation '" + std::string(word) + "' on a cache line");
}

}  // namespace assay
