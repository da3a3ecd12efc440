// SPDX-License-Identifier: Apache-2.0
// Curves with planted levels: every level is found where it is, at its value, and one that is not there is not found.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "stats/fit/plateaus.hpp"

namespace assay {
namespace {

constexpr int curves = 400;
constexpr double kibi = 1024;
constexpr double mebi = 1024 * kibi;

/// Up to `last` a load takes `latency`; then it changes to the next level's within `octaves`, smoothly.
struct Level {
  double last;
  double latency;
  double octaves;
};
using Levels = std::vector<Level>;

const Levels two{{32 * kibi, 1.1, 0.5}, {512 * mebi, 90, 0}};
const Levels three{{32 * kibi, 1.1, 0}, {2 * mebi, 4, 1}, {512 * mebi, 100, 0}};
const Levels four{{32 * kibi, 1.1, 0.5}, {1 * mebi, 3.6, 1}, {32 * mebi, 14, 1.5}, {512 * mebi, 110, 0}};
const Levels close{{48 * kibi, 1.5, 0.25}, {2 * mebi, 4, 1}, {16 * mebi, 9, 0.5}, {512 * mebi, 80, 0}};

double truth(const Levels& levels, double x) {
  double y = levels[0].latency;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    const double beyond = std::log2(x / levels[i].last);
    if (beyond <= 0) break;
    const double t = levels[i].octaves > 0 ? std::min(1.0, beyond / levels[i].octaves) : 1.0;
    y += (levels[i + 1].latency - levels[i].latency) * t * t * (3 - 2 * t);
  }
  return y;
}

/// Estimates with noise, whose intervals say how much there is.
Estimates drawn(const Levels& levels, int per_octave, double noise, Rng& rng) {
  Estimates all;
  for (int i = 0; kibi * std::exp2(static_cast<double>(i) / per_octave) < 257 * mebi; ++i) {
    const double x = std::round(kibi * std::exp2(static_cast<double>(i) / per_octave));
    const double y = truth(levels, x) * std::exp(noise * rng.normal());
    all.push_back({x, {"median", y, {y * (1 - 2 * noise), y * (1 + 2 * noise), 0.95}, "visits"}});
  }
  return all;
}

std::vector<KnownLevel> caches_of(const Levels& levels) {
  std::vector<KnownLevel> all;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) all.push_back({"L" + std::to_string(i + 1), levels[i].last});
  return all;
}

/// The grid's next abscissa on either side, with room for its rounding.
bool within_a_step(double found, double right, int per_octave) {
  return std::abs(std::log2(found / right)) <= 1.01 / per_octave;
}

bool are_found(const Levels& levels, const std::vector<Plateau>& found, int per_octave) {
  if (found.size() != levels.size()) return false;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (std::abs(found[i].level.value / levels[i].latency - 1) > 0.05) return false;
    const bool is_open = i + 1 == levels.size();
    if (is_open == found[i].end.available()) return false;
    if (!is_open && !within_a_step(found[i].last, levels[i].last, per_octave)) return false;
  }
  const auto known = known_levels_of(found, caches_of(levels));
  for (std::size_t i = 0; i < known.size(); ++i)
    if (known[i] != i) return false;
  return true;
}

int found_all(const Levels& levels, int per_octave, double noise) {
  Rng rng(17);
  int count = 0;
  for (int i = 0; i < curves; ++i)
    if (are_found(levels, plateaus(drawn(levels, per_octave, noise, rng), 0.05), per_octave)) ++count;
  return count;
}

TEST(PlateausOfACurve, AreItsLevels) {
  for (const Levels& levels : {two, three, four, close})
    for (const int per_octave : {1, 2, 4})
      for (const double noise : {0.002, 0.01, 0.02}) {
        SCOPED_TRACE(std::to_string(levels.size()) + " levels up to " + std::to_string(levels[0].last) + ", " +
                     std::to_string(per_octave) + " per octave, noise " + std::to_string(noise));
        EXPECT_GE(found_all(levels, per_octave, noise), curves * 99 / 100);
      }
}

TEST(PlateausOfACurve, HoldTheTrueLevelInTheirIntervals) {
  Rng rng(3);
  int held = 0;
  for (int i = 0; i < curves; ++i)
    for (const Plateau& plateau : plateaus(drawn(three, 2, 0.01, rng), 0.05))
      for (const Level& level : three)
        if (plateau.level.interval.contains(level.latency)) ++held;
  EXPECT_GE(held, 3 * curves * 93 / 100);
}

TEST(PlateausOfACurve, DoNotShowALevelThatIsNotThere) {
  Rng rng(5);
  auto caches = caches_of(four);
  for (int i = 0; i < curves; ++i) {
    // The second cache serves nothing: what the first one lacks comes from the third.
    const Levels absent{four[0], {32 * mebi, 14, 1.5}, four[3]};
    const auto known = known_levels_of(plateaus(drawn(absent, 2, 0.01, rng), 0.05), caches);
    EXPECT_EQ(std::ranges::count(known, 0U), 1);
    EXPECT_EQ(std::ranges::count(known, 1U), 0) << "the range of the absent one";
    EXPECT_EQ(std::ranges::count(known, 2U), 1);
    EXPECT_EQ(std::ranges::count(known, 3U), 1);
  }
}

// Within the second cache values rise by a quarter over an octave, and by much more around it.
TEST(ShouldersOfACurve, AreFoundInNoise) {
  Rng rng(11);
  const std::vector<double> values{1.2, 1.2, 1.2, 1.2, 1.2, 1.6, 3.7, 4.6, 12, 40, 90, 100};
  int found = 0;
  for (int i = 0; i < curves; ++i) {
    Estimates all;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double y = values[k] * std::exp(0.02 * rng.normal());
      all.push_back({kibi * std::exp2(k), {"median", y, {0.96 * y, 1.04 * y, 0.95}, "visits"}});
    }
    const auto shows = shoulder(all, 32 * kibi, 512 * kibi, 0.05);
    if (shows && shows->first == 64 * kibi && shows->last == 128 * kibi && shows->level.interval.contains(4.1)) ++found;
    EXPECT_FALSE(shoulder(all, 512 * kibi, 4096 * kibi, 0.05)) << "nothing is known of what is behind";
  }
  EXPECT_GE(found, curves * 98 / 100);
}

TEST(ShouldersOfACurve, AreNoneOnASlope) {
  Rng rng(13);
  int found = 0;
  for (int i = 0; i < curves; ++i) {
    Estimates all;
    for (int k = 0; k < 20; ++k) {
      const double y = std::exp2(0.3 * k) * std::exp(0.02 * rng.normal());
      all.push_back({kibi * std::exp2(k), {"median", y, {0.96 * y, 1.04 * y, 0.95}, "visits"}});
    }
    found += shoulder(all, 32 * kibi, 512 * kibi, 0.05) ? 1 : 0;
  }
  EXPECT_LE(found, curves * 2 / 100);
}

Plateau from_to(double first, double last, bool is_open = false) {
  Plateau plateau{first, last, {}, {}};
  if (!is_open) plateau.end = {last, 2 * last, 0.95};
  return plateau;
}

TEST(KnownLevelsOfPlateaus, EndWithTheLevel) {
  const std::vector<KnownLevel> known{{"L1", 32 * kibi}, {"L2", 512 * kibi}, {"L3", 32 * mebi}};
  const auto of = [&](std::vector<Plateau> found) { return known_levels_of(found, known); };
  using Indexes = std::vector<std::size_t>;
  EXPECT_EQ(of({from_to(kibi, 32 * kibi), from_to(64 * kibi, 512 * kibi), from_to(mebi, 32 * mebi),
                from_to(128 * mebi, 256 * mebi, true)}),
            (Indexes{0, 1, 2, 3}));
  EXPECT_EQ(of({from_to(4 * mebi, 64 * mebi), from_to(128 * mebi, 256 * mebi, true)}), (Indexes{no_level, 3}));
  EXPECT_EQ(of({from_to(4 * mebi, 64 * mebi)}), (Indexes{no_level})) << "the curve leaves it";
  EXPECT_EQ(of({from_to(4 * mebi, 256 * mebi, true)}), (Indexes{3})) << "the outer cache is others'";
  EXPECT_EQ(of({from_to(kibi, 37 * kibi)}), (Indexes{0})) << "within a fifth";
  EXPECT_EQ(of({from_to(kibi, 64 * kibi)}), (Indexes{no_level})) << "most of it in the first, and beyond it";
  EXPECT_EQ(of({from_to(16 * kibi, 512 * kibi)}), (Indexes{1})) << "most of it in the second";
}

TEST(PlateausOfACurve, AreNoneOfValuesThatNobodyKnows) {
  Rng rng(9);
  Estimates all = drawn(two, 2, 0.01, rng);
  for (Abscissa& point : all)
    if (point.x > mebi) point.y.interval = {0.5 * point.y.value, 2 * point.y.value, 0.95};
  const auto found = plateaus(all, 0.05);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_LE(found[1].last, mebi);
}

TEST(PlateausOfACurve, AreNoneOnASlope) {
  Rng rng(7);
  for (int i = 0; i < curves; ++i) {
    Estimates all = drawn(two, 2, 0.01, rng);
    for (Abscissa& point : all) {
      const double y = 1 + std::sqrt(point.x) * std::exp(0.01 * rng.normal());
      point.y = {"median", y, {0.98 * y, 1.02 * y, 0.95}, "visits"};
    }
    EXPECT_TRUE(plateaus(all, 0.05).empty());
  }
}

}  // namespace
}  // namespace assay
