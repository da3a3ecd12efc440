// SPDX-License-Identifier: Apache-2.0
// Short identities of texts, for indexes of more things than their names should cost memory for.
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace assay {

/// Stands for a text in an index. Of a million texts two have the same key by chance once in 10^26 indexes.
struct TextKey {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend auto operator<=>(const TextKey&, const TextKey&) = default;
};

/// The 128-bit FNV-1a hash (Fowler, Noll and Vo; RFC 9923): the same across runs and machines.
TextKey text_key(std::string_view text);

/// For unordered containers. A key is a hash already.
struct TextKeyHash {
  std::size_t operator()(const TextKey& key) const { return key.low; }
};

}  // namespace assay
