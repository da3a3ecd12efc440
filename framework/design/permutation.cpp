// SPDX-License-Identifier: Apache-2.0
// Rounds of a Feistel network.
#include "design/permutation.hpp"

namespace assay {

Permutation::Permutation(std::uint64_t size, Rng rng) : size_(size) {
  while (std::uint64_t{1} << (2 * half_) < size) ++half_;
  for (std::uint64_t& key : keys_) key = rng.next();
}

std::uint64_t Permutation::operator()(std::uint64_t place) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_) - 1;
  do {
    for (const std::uint64_t key : keys_) {
      const std::uint64_t right = place & mask;
      place = right << half_ | ((place >> half_ ^ scattered(right ^ key)) & mask);
    }
  } while (place >= size_);
  return place;
}

}  // namespace assay
