// SPDX-License-Identifier: Apache-2.0
// Adaptive designs: one refined line for each combination of the other factors, and grids that grow by lines.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>

#include "design/design.hpp"

namespace assay {
namespace {

FactorDomain words(const std::string& name, std::vector<Value> levels) {
  return {name, {std::move(levels), {}, false}};
}
FactorDomain refined(const std::string& name, std::int64_t low, std::int64_t high) {
  return {name, {{low, high}, 0.05, true}};
}

double at(const Point& point, const char* factor) { return *number_of(point.level(factor)); }

using Law = std::function<double(const Point&)>;

std::vector<std::string> drive(Design& design, const Law& law) {
  std::vector<std::string> asked;
  for (auto requests = design.ask(); !requests.empty(); requests = design.ask())
    for (const auto& [point, attempt, sharpen] : requests) {
      if (attempt == 0) asked.push_back(to_text(point));
      design.tell(point, {true, law(point), 0});
    }
  EXPECT_EQ(std::set<std::string>(asked.begin(), asked.end()).size(), asked.size()) << "a point was new twice";
  return asked;
}

double step_in_blocked(const Point& point) {
  return point.text("mode") == "blocked" && at(point, "bytes") > 100 ? 9 : 4;
}

TEST(Adaptive, EveryLineHasItsOwnLevelsInTheOrderOfTheFactors) {
  const auto design = adaptive({refined("bytes", 1, 64), words("mode", {Value("spin"), Value("blocked")})});
  const auto points = design->ask();
  ASSERT_EQ(points.size(), 14U);
  EXPECT_EQ(to_text(points.front().point), "bytes=1 mode=spin");
  EXPECT_EQ(to_text(points[7].point), "bytes=1 mode=blocked");
}

TEST(Adaptive, RefinesOnlyTheLineThatBends) {
  const auto design = adaptive({words("mode", {Value("spin"), Value("blocked")}), refined("bytes", 1, 4096)});
  std::map<std::string, int> points;
  for (const std::string& text : drive(*design, step_in_blocked)) ++points[parse_point(text)->text("mode")];
  EXPECT_EQ(points["spin"], 13);
  EXPECT_GT(points["blocked"], 15);
  const auto findings = design->findings();
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings[0].find("mode=spin: accurate to 5 % as far as 13 points show"), 0U) << findings[0];
  EXPECT_EQ(findings[1], "mode=blocked: jump between bytes=100 and bytes=101");
  EXPECT_EQ(findings[2].find("mode=blocked: accurate to 5 %"), 0U) << findings[2];
}

TEST(Adaptive, AGenerationHoldsTheNewPointsOfAllLinesAndWaitsForAllAnswers) {
  const auto design = adaptive({words("mode", {Value("a"), Value("b")}), refined("bytes", 1, 4096)});
  const auto start = design->ask();
  for (const PointRequest& request : start) {
    EXPECT_TRUE(design->ask().empty());
    design->tell(request.point, {true, at(request.point, "bytes") > 100 ? 9.0 : 4.0, 0});
  }
  std::set<std::string> modes;
  for (const PointRequest& request : design->ask()) modes.insert(request.point.text("mode"));
  EXPECT_EQ(modes.size(), 2U);
}

TEST(Adaptive, ASimpleLineYieldsItsPointsToTheOneThatJumps) {
  const auto design = adaptive({words("mode", {Value("spin"), Value("blocked")}), refined("bytes", 1, 4096)}, 15);
  std::map<std::string, int> points;
  for (const std::string& text : drive(*design, step_in_blocked)) ++points[parse_point(text)->text("mode")];
  EXPECT_EQ(points["spin"], 13);
  EXPECT_EQ(points["blocked"], 17) << "two lines share 30 points";
  EXPECT_NE(design->findings().back().find("max-points is reached"), std::string::npos) << design->findings().back();
}

TEST(Adaptive, TheLastPointsGoWhereTheyAreWorthMost) {
  const auto design = adaptive({words("mode", {Value("low"), Value("high")}), refined("bytes", 1, 4096)}, 14);
  const auto law = [](const Point& p) {
    if (p.text("mode") == "low") return at(p, "bytes") > 100 ? 5.0 : 4.0;
    return at(p, "bytes") > 1000 ? 90.0 : at(p, "bytes") > 20 ? 40.0 : 4.0;
  };
  std::map<std::string, int> points;
  for (const std::string& text : drive(*design, law)) ++points[parse_point(text)->text("mode")];
  EXPECT_EQ(points["low"], 13);
  EXPECT_EQ(points["high"], 15);
}

TEST(Adaptive, RefusesAPointItDoesNotKnow) {
  const auto design = adaptive({words("mode", {Value("a")}), refined("bytes", 1, 64)});
  design->ask();
  EXPECT_THROW(design->tell(*parse_point("bytes=1 mode=c"), {}), std::out_of_range);
  EXPECT_THROW(design->tell(*parse_point("bytes=3 mode=a"), {}), std::invalid_argument);
}

TEST(AdaptiveGrid, ABilinearSurfaceNeedsOnlyTheStart) {
  const auto design = adaptive({refined("bytes", 1, 64), refined("members", 100, 500)});
  const auto asked = drive(*design, [](const Point& p) { return 1 + at(p, "bytes") * at(p, "members"); });
  EXPECT_EQ(asked.size(), 7U * 5U);
  EXPECT_EQ(asked.front(), "bytes=1 members=100");
}

TEST(AdaptiveGrid, AddsWholeLinesAcrossTheAxisThatJumps) {
  const auto design = adaptive({refined("bytes", 1, 64), refined("members", 100, 500)});
  const auto asked = drive(*design, [](const Point& p) { return at(p, "bytes") > 20 ? 9.0 : 4.0; });
  EXPECT_EQ((asked.size() - 35U) % 5U, 0U);
  const std::set<std::string> all(asked.begin(), asked.end());
  for (const char* members : {"100", "200", "300", "400", "500"})
    for (const char* bytes : {"20", "21"})
      EXPECT_TRUE(all.contains(std::string("bytes=") + bytes + " members=" + members));
  ASSERT_EQ(design->findings().size(), 7U);
  EXPECT_EQ(design->findings().front(), "members=100: jump between bytes=20 and bytes=21");
  EXPECT_EQ(design->findings()[5].find("along bytes accurate to 5 % on average, as far as "), 0U);
  EXPECT_EQ(design->findings()[6], "along members accurate to 5 % on average, as far as 5 levels show");
}

TEST(AdaptiveGrid, ALineIsWorthItsErrorByWhatItCosts) {
  FactorDomain few = words("few", {std::int64_t{100}, std::int64_t{200}, std::int64_t{300}});
  FactorDomain many = words("many", {});
  for (std::int64_t level = 100; level <= 700; level += 50) many.domain.levels.emplace_back(level);
  few.domain.refine = many.domain.refine = 0.05;
  const auto design = adaptive({few, many});
  // Errors along both; a level of `few` costs 13 points, one of `many` 3.
  for (const auto& [point, attempt, sharpen] : design->ask()) {
    const double bend = at(point, "few") == 200 ? 1 : 0;
    const double zigzag = std::fmod(at(point, "many"), 100) > 0 ? 1.6 : 0;
    design->tell(point, {true, 10 + bend + zigzag, 0});
  }
  const auto next = design->ask();
  EXPECT_EQ(next.size(), 3U);
  for (const PointRequest& one : next) EXPECT_EQ(std::fmod(at(one.point, "few"), 100), 0) << to_text(one.point);
}

TEST(AdaptiveGrid, KeepsEachGroupToItselfAndSurvivesUnusablePoints) {
  const auto design =
      adaptive({words("mode", {Value("a"), Value("b")}), refined("bytes", 1, 64), refined("members", 1, 4)});
  std::size_t asked = 0;
  for (auto requests = design->ask(); !requests.empty(); requests = design->ask())
    for (const auto& [point, attempt, sharpen] : requests) {
      ++asked;
      design->tell(point, {point.text("mode") == "a", at(point, "bytes") > 20 ? 9.0 : 4.0, 0});
    }
  EXPECT_GT(asked, 2U * 21U);
  ASSERT_FALSE(design->findings().empty());
  EXPECT_EQ(design->findings().front(), "mode=a: members=1: jump between bytes=20 and bytes=21");
}

TEST(AdaptiveGrid, RefusesAPointItDidNotAskFor) {
  const auto design = adaptive({refined("bytes", 1, 64), refined("members", 1, 4)});
  design->ask();
  EXPECT_THROW(design->tell(*parse_point("bytes=3 members=1"), {}), std::invalid_argument);
}

}  // namespace
}  // namespace assay
