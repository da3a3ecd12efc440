// SPDX-License-Identifier: Apache-2.0
// The step that a protocol's switch makes in the round trip of known messages, found by adaptive sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "stats/fit/pieces.hpp"
#include "support/laws/refined.hpp"
#include "support/measurements/point_setup.hpp"
#include "synthetic/message_channel.hpp"

namespace assay::test {
namespace {

/// Round trip of one message of the synthetic channel, from its law.
double round_trip(double bytes, std::int64_t eager) {
  Point point;
  for (const Factor& factor : message_factors()) point.set(factor.name, factor.standard);
  point.set("bytes", static_cast<std::int64_t>(bytes));
  point.set("eager", eager);
  const MessageCosts costs = MessageLaw(PointSetup(std::move(point), 2), 4096).costs();
  return 2 * (costs.o_s + costs.way + costs.o_r);
}

/// The neighbours of the step among the sizes that were measured.
double bracket(const Refined& refined, std::int64_t eager) {
  const auto above = refined.answers.upper_bound(static_cast<double>(eager));
  if (above == refined.answers.end() || above == refined.answers.begin()) return 1e9;
  return above->first - std::prev(above)->first;
}

// A different law from 4 KiB on, and at sizes that no start level hits: bracketed to within 128 bytes with at most 40
// sizes between 1 byte and 64 KiB, at the noise of single medians.
TEST(ProtocolStep, IsBracketedTo128BytesWithin40Sizes) {
  for (const std::int64_t eager : {4095, 4096, 3000, 6000})
    for (const double noise : {0.0, 0.005, 0.01, 0.02})
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Curve curve{"messages", 1, 65536, [&](double x) { return round_trip(x, eager); }};
        const Refined refined = refine(curve, {.noise = noise, .max_points = 40, .seed = seed});
        EXPECT_LE(refined.points(), 40U) << eager << ' ' << noise << ' ' << seed;
        EXPECT_LE(bracket(refined, eager), 128) << eager << ' ' << noise << ' ' << seed;
      }
}

// And the pieces of those sizes begin in that bracket.
TEST(ProtocolStep, IsWhereThePiecesOfTheRefinedSizesMeet) {
  constexpr std::int64_t eager = 4096;
  const Curve curve{"messages", 1, 65536, [](double x) { return round_trip(x, eager); }};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Estimates trips;
    for (const auto& [x, y] : refine(curve, {.noise = 0.01, .max_points = 40, .seed = seed}).answers)
      trips.push_back({x, {"median", y, {y * (1 - 0.0196), y * (1 + 0.0196), 0.95}, "visits"}});
    const auto found = pieces({&trips, 1}, 0.05);
    ASSERT_EQ(found.size(), 2U) << seed;
    EXPECT_EQ(found[0].last, 4096) << seed;
    EXPECT_LE(found[1].start.high - found[1].start.low, 128) << seed;
  }
}

}  // namespace
}  // namespace assay::test
