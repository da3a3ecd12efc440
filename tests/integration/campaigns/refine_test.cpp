// SPDX-License-Identifier: Apache-2.0
// Adaptive levels through the real binary: levels between the listed ones, and an end of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/programs/program.hpp"

namespace assay::test {
namespace {

std::set<std::int64_t> levels_of(const Scratch& folder, const std::string& series, const std::string& factor) {
  std::set<std::int64_t> levels;
  for (const auto& point : points_of(campaign_records(folder), series))
    levels.insert(std::get<std::int64_t>(point.point.level(factor)));
  return levels;
}

TEST(Refine, SpendsNothingOnAStraightLine) {
  const Scratch folder;
  const auto finished = run_campaign_text(folder, R"(
[precision]
warm-up = 0ms
[series.line]
measurement = synthetic/burst
burst = 1, 8, 64, 512, 4096 refine 5%
placement = unbound
)");
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(levels_of(folder, "line", "burst"), (std::set<std::int64_t>{1, 8, 64, 512, 4096}));
}

TEST(Refine, APipeSweepAddsLevelsNobodyListed) {
  const Scratch folder;
  const auto finished = run_campaign_text(folder, R"(
[precision]
rule = fixed:40
max-points = 14
incarnations = 1
[series.pipe]
measurement = logp/round_trip
channel = pipe
bytes = 1, 64Ki refine 5%
placement = same-pu
)");
  ASSERT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  const auto levels = levels_of(folder, "pipe", "bytes");
  EXPECT_GE(levels.size(), 9U) << "the powers of four, at least";
  EXPECT_LE(levels.size(), 14U);
  EXPECT_EQ(*levels.begin(), 1);
  EXPECT_EQ(*levels.rbegin(), 65536);
}

}  // namespace
}  // namespace assay::test
