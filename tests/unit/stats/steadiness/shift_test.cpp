// SPDX-License-Identifier: Apache-2.0
// Whether sessions differ: by more than chance, and by more than matters.
#include "stats/steadiness/shift.hpp"

#include <gmock/gmock-matchers.h>

#include "base/rng.hpp"

namespace assay::test {
namespace {

/// Incarnations of sessions about their centres.
std::vector<IncarnationMedian> incarnations(const std::vector<double>& centres, int each, double noise, Rng& rng) {
  std::vector<IncarnationMedian> all;
  for (std::size_t session = 0; session < centres.size(); ++session)
    for (int i = 0; i < each; ++i)
      all.push_back(
          {static_cast<int>(session), static_cast<int>(all.size()), centres[session] * (1 + noise * rng.normal()), 8});
  return all;
}

TEST(Shift, OneSessionCannotDiffer) {
  Rng rng(1);
  EXPECT_EQ(shift_of(incarnations({100}, 5, 0.1, rng), 0.1), "");
  EXPECT_EQ(shift_of({}, 0.1), "");
}

TEST(Shift, IsToldWhereItIsMoreThanChanceAndMatters) {
  Rng rng(2);
  EXPECT_NE(shift_of(incarnations({100, 110}, 5, 0.005, rng), 2), "");
  EXPECT_EQ(shift_of(incarnations({100, 101}, 5, 0.0005, rng), 2), "") << "significant, but too small to matter";
  EXPECT_EQ(shift_of(incarnations({100, 104}, 3, 0.1, rng), 2), "") << "large, but processes differ as much";
  EXPECT_THAT(shift_of(incarnations({100, 100, 120}, 4, 0.005, rng), 2), testing::HasSubstr("session 3"));
}

TEST(Shift, WithoutSpreadAnyDifferenceThatMattersIsTold) {
  Rng rng(3);
  EXPECT_NE(shift_of(incarnations({100, 110}, 1, 0, rng), 2), "");
  EXPECT_NE(shift_of(incarnations({100, 110}, 3, 0, rng), 2), "");
  EXPECT_EQ(shift_of(incarnations({100, 101}, 3, 0, rng), 2), "");
}

TEST(Shift, IsSeldomToldWhereThereIsNone) {
  int told = 0;
  constexpr int trials = 4000;
  for (int i = 0; i < trials; ++i) {
    Rng rng(static_cast<std::uint64_t>(100 + i));
    told += shift_of(incarnations({100, 100}, 3 + i % 4, 0.02, rng), 0).empty() ? 0 : 1;
  }
  EXPECT_LT(told, trials * 15 / 1000);
}

}  // namespace
}  // namespace assay::test
