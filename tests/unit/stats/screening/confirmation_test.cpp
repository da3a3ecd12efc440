// SPDX-License-Identifier: Apache-2.0
// Verdicts on suspects by made-up confirmations: what one suspect's tests suffice for, they do not among many.
#include "stats/screening/confirmation.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

constexpr std::size_t repetitions = 24;

/// The first suspect takes `effect` more, the others nothing. Every twenty suspects have the same noise.
std::vector<Confirmed> judged(std::size_t suspects, double effect) {
  std::vector<Suspect> units(suspects);
  std::vector<ConfirmationTime> times;
  for (std::size_t r = 0; r < repetitions; ++r) {
    const double drift = 0.3 * static_cast<double>(r);
    Rng rng(r + 1);
    for (std::size_t i = 0; i < 8; ++i)
      times.push_back({{{800 + i, 850 + i}, ConfirmationTest::control, r}, drift + 0.05 * rng.normal()});
    for (std::size_t i = 0; i < suspects; ++i) {
      if (i % 20 == 0) rng = Rng(100 + r);
      units[i].unit = {UnitKind::node, i, 0};
      times.push_back({{{i, 900 + i}, i, r}, drift + (i == 0 ? effect : 0) + 0.05 * rng.normal()});
    }
  }
  return judge_confirmations(units, Fabric(2000), times, {}, {});
}

TEST(Confirmations, AmongManySuspectsOneNeedsMoreEvidence) {
  const double p = judged(20, 0.06).front().p;
  ASSERT_GT(p, 1e-9);
  EXPECT_GT(judged(400, 0.06).front().p, 5 * p) << "twenty times as many may be slow by chance";
}

TEST(Confirmations, ADriftThatAllHaveIsNoEffect) {
  const auto all = judged(10, 0.2);
  EXPECT_EQ(all.front().verdict, ScreenVerdict::slow);
  EXPECT_NEAR(all.front().ratio, 1.22, 0.05);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_NE(all[i].verdict, ScreenVerdict::slow);
}

}  // namespace
}  // namespace assay
