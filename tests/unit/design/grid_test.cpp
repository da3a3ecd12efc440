// SPDX-License-Identifier: Apache-2.0
// Random orders that are computed number by number.
#include "design/grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace assay {
namespace {

std::vector<std::uint64_t> order(std::uint64_t size, std::uint64_t seed) {
  const Permutation permutation(size, Rng(seed));
  std::vector<std::uint64_t> numbers(size);
  for (std::uint64_t i = 0; i < size; ++i) numbers[i] = permutation(i);
  return numbers;
}

TEST(Permutation, HasEveryNumberOnce) {
  for (const std::uint64_t size : {1U, 2U, 3U, 4U, 5U, 16U, 17U, 1000U, 4096U, 4097U, 100'000U}) {
    auto numbers = order(size, 7);
    std::ranges::sort(numbers);
    std::vector<std::uint64_t> all(size);
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    EXPECT_EQ(numbers, all) << size;
  }
}

TEST(Permutation, IsTheSeeds) {
  EXPECT_EQ(order(1000, 1), order(1000, 1));
  EXPECT_NE(order(1000, 1), order(1000, 2));
}

TEST(Permutation, EachNumberIsAsLikelyAtEachPlace) {
  constexpr std::size_t size = 10;
  constexpr int seeds = 20'000;
  std::vector<std::vector<int>> counts(size, std::vector<int>(size));
  for (int seed = 0; seed < seeds; ++seed) {
    const auto numbers = order(size, static_cast<std::uint64_t>(seed));
    for (std::size_t place = 0; place < size; ++place) ++counts[place][numbers[place]];
  }
  double chi = 0;
  for (const auto& row : counts)
    for (const int count : row) chi += (count - seeds / 10.0) * (count - seeds / 10.0) / (seeds / 10.0);
  EXPECT_LT(chi, 130) << "81 degrees of freedom; the seeds are fixed";
}

}  // namespace
}  // namespace assay
