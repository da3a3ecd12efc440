// SPDX-License-Identifier: Apache-2.0
// Caches as a kernel lists them, and how chains follow from the outer one.
#include "memory/latency.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "api/measurement.hpp"
#include "support/environment/scratch.hpp"

namespace assay {
namespace {

constexpr std::size_t mebi = std::size_t{1} << 20U;
constexpr std::size_t gibi = std::size_t{1} << 30U;

void list(const test::Scratch& scratch, const std::string& name, const std::string& type, const std::string& size) {
  const auto folder = scratch.path() / name;
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "type") << type << "\n";
  std::ofstream(folder / "size") << size << "\n";
}

TEST(OuterCache, IsTheLargestOneForData) {
  const test::Scratch scratch;
  list(scratch, "index0", "Data", "32K");
  list(scratch, "index1", "Instruction", "64M");
  list(scratch, "index2", "Unified", "512K");
  EXPECT_EQ(outer_cache(scratch.path().string()), 512U << 10U);
  list(scratch, "index3", "Unified", "32M");
  EXPECT_EQ(outer_cache(scratch.path().string()), 32 * mebi);
  list(scratch, "index4", "Unified", "1G");
  EXPECT_EQ(outer_cache(scratch.path().string()), gibi);
}

TEST(OuterCache, IsNotKnownWhereNothingIsListed) {
  const test::Scratch scratch;
  EXPECT_EQ(outer_cache((scratch.path() / "nowhere").string()), 0U);
  list(scratch, "index0", "Unified", "");
  EXPECT_EQ(outer_cache(scratch.path().string()), 0U);
}

TEST(WarmUpOfAChain, IsARoundAsFarAsACacheHoldsIt) {
  const std::size_t two_outer = 2 * 32 * mebi / cache_line;
  EXPECT_EQ(warm_up_of(two_outer, 32 * mebi), ChainWarmUp::round);
  EXPECT_EQ(warm_up_of(two_outer + 1, 32 * mebi), ChainWarmUp::pages);
  EXPECT_EQ(warm_up_of(256 * mebi / 128, 260 * mebi), ChainWarmUp::round) << "256 MiB at a stride of 128 fit there";
  EXPECT_EQ(warm_up_of((std::size_t{1} << 22U) + 1, 260 * mebi), ChainWarmUp::pages) << "longer than a visit";
  EXPECT_EQ(warm_up_of(std::size_t{1} << 20U, 0), ChainWarmUp::round);
  EXPECT_EQ(warm_up_of((std::size_t{1} << 20U) + 1, 0), ChainWarmUp::pages);
}

TEST(MainMemoryRange, HasFourTimesTheLinesOfTheOuterCache) {
  EXPECT_EQ(main_memory_range(32 * mebi, 128, 32 * gibi), 256 * mebi) << "a line in 128 bytes";
  EXPECT_EQ(main_memory_range(32 * mebi, 64, 32 * gibi), 128 * mebi);
  EXPECT_EQ(main_memory_range(32 * mebi, 16, 32 * gibi), 128 * mebi) << "four places share a line";
  EXPECT_EQ(main_memory_range(260 * mebi, 128, 32 * gibi), 2080 * mebi);
  EXPECT_EQ(main_memory_range(2 * mebi, 128, 32 * gibi), 64 * mebi) << "the least";
  EXPECT_EQ(main_memory_range(0, 128, 32 * gibi), 256 * mebi) << "nothing is stated";
  EXPECT_EQ(main_memory_range(32 * mebi, 48, 32 * gibi) % 48, 0U);
}

TEST(MainMemoryRange, IsAQuarterOfMemoryAtMost) {
  EXPECT_EQ(main_memory_range(260 * mebi, 128, 8 * gibi), 2 * gibi);
  EXPECT_EQ(main_memory_range(32 * mebi, 128, 600 * mebi), 150 * mebi) << "still twice the outer cache";
  EXPECT_THROW(main_memory_range(32 * mebi, 128, 500 * mebi), Unsupported);
  EXPECT_THROW(main_memory_range(2 * mebi, 128, 255 * mebi), Unsupported);
  EXPECT_EQ(main_memory_range(0, 128, 300 * mebi), 75 * mebi);
  EXPECT_THROW(main_memory_range(0, 128, 200 * mebi), Unsupported);
}

}  // namespace
}  // namespace assay
