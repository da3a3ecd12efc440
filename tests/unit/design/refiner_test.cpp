// SPDX-License-Identifier: Apache-2.0
// The refiner's behaviour level by level: start, splits, unusable answers, small ranges, what it measures again.
#include "design/refiner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

namespace assay {
namespace {

Domain refined(std::int64_t low, std::int64_t high, double tolerance = 0.05) { return {{low, high}, tolerance, true}; }

/// What a line asked for, level by level, with how often.
using Asked = std::map<double, int>;

/// Answers until the refiner proposes nothing more, or `most` levels are asked for. A negative value stands for an
/// unusable answer.
Asked drive(Refiner& refiner, const std::function<double(double)>& curve, double half_width = 0,
            std::size_t most = 200) {
  Asked asked;
  for (auto proposals = refiner.proposals(); !proposals.empty(); proposals = refiner.proposals()) {
    if (refiner.points() >= most && !proposals.front().again) break;
    for (const auto& proposal : proposals) {
      if (refiner.points() >= most && !proposal.again) continue;
      const PointRequest request = refiner.ask(proposal, "n");
      const double x = *number_of(request.point.level("n"));
      EXPECT_EQ(request.attempt, asked[x]++);
      const double y = curve(x);
      refiner.tell(request.point.level("n"), {y >= 0, y, half_width * request.sharpen});
    }
  }
  EXPECT_FALSE(refiner.outstanding());
  return asked;
}

double step(double x) { return x <= 100 ? 1 : 2; }
double flat(double) { return 7; }

std::vector<std::string> jumps(const Refiner& refiner) {
  auto texts = refiner.findings("n", false);
  std::erase_if(texts, [](const std::string& text) { return !text.starts_with("jump "); });
  return texts;
}

TEST(Refiner, ProposesNothingWhileAnswersAreOutstanding) {
  Refiner refiner(refined(1, 64), 64);
  const auto first = refiner.proposals();
  EXPECT_EQ(first.size(), 7U);
  for (const auto& proposal : first) refiner.ask(proposal, "n");
  EXPECT_TRUE(refiner.outstanding());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_TRUE(refiner.proposals().empty());
    EXPECT_TRUE(refiner.findings("n", false).empty());
    refiner.tell(static_cast<std::int64_t>(first[i].x), {true, i == 3 ? 5.0 : 1.0, 0});
  }
  EXPECT_FALSE(refiner.outstanding());
  EXPECT_FALSE(refiner.proposals().empty());
}

TEST(Refiner, IntegersStayIntegers) {
  Refiner refiner(refined(1, 4096), 64);
  for (auto proposals = refiner.proposals(); !proposals.empty(); proposals = refiner.proposals())
    for (const auto& proposal : proposals) {
      const Value level = refiner.ask(proposal, "n").point.level("n");
      EXPECT_TRUE(std::holds_alternative<std::int64_t>(level));
      refiner.tell(level, {true, step(*number_of(level)), 0});
    }
}

TEST(Refiner, BracketsAStepWithoutSplittingTheGapsBesideIt) {
  Refiner refiner(refined(1, 4096), 64);
  const auto asked = drive(refiner, step);
  EXPECT_TRUE(asked.contains(100) && asked.contains(101));
  EXPECT_EQ(jumps(refiner), std::vector<std::string>{"jump between n=100 and n=101"});
  for (const auto& [x, times] : asked) EXPECT_EQ(times, 1) << x;
  EXPECT_EQ(asked.size(), 13U + 6U) << "64..128 is halved six times";
}

TEST(Refiner, SmallIntegerRangesAreRefinedToNeighbours) {
  Refiner refiner(refined(1, 30), 64);
  drive(refiner, [](double x) { return x <= 22 ? 1.0 : 3.0; });
  EXPECT_EQ(jumps(refiner), std::vector<std::string>{"jump between n=22 and n=23"});
}

TEST(Refiner, AnEndGapWaitsForTheJumpBesideIt) {
  Refiner refiner(refined(1, 4096), 64);
  const auto asked = drive(refiner, [](double x) { return x <= 3 ? 1.0 : 2.0; });
  EXPECT_EQ(jumps(refiner), std::vector<std::string>{"jump between n=3 and n=4"});
  EXPECT_EQ(asked.size(), 14U);
}

TEST(Refiner, ListedLevelsAreAllMeasuredAndRefinedBetween) {
  const Domain listed{{std::int64_t{10}, std::int64_t{1000}, std::int64_t{50}}, 0.05, false};
  Refiner refiner(listed, 64);
  const auto asked = drive(refiner, step);
  EXPECT_TRUE(asked.contains(10) && asked.contains(50) && asked.contains(1000));
  EXPECT_TRUE(asked.contains(100) && asked.contains(101));
}

TEST(Refiner, OneLevelNeedsNothingMore) {
  Refiner refiner(Domain{{std::int64_t{5}}, 0.05, false}, 64);
  EXPECT_EQ(drive(refiner, step).size(), 1U);
  EXPECT_EQ(refiner.findings("n", false).size(), 1U);
}

TEST(Refiner, TwoUnusableEndsDoNotStall) {
  Refiner refiner(refined(1, 4096), 64);
  const auto asked = drive(refiner, [](double x) { return x == 1 || x == 4096 ? -1 : step(x); });
  EXPECT_TRUE(asked.contains(100) && asked.contains(101));
  Refiner hopeless(refined(1, 4096), 64);
  EXPECT_EQ(drive(hopeless, [](double) { return -1.0; }).size(), 13U);
  EXPECT_EQ(hopeless.findings("n", false).back(),
            "not known to be accurate to 5 % as far as 13 points show: fewer than two have a value");
}

TEST(Refiner, SplitsBesideAnUnusableLevelAndGivesUpAfterThree) {
  Refiner refiner(refined(1, 4096), 64);
  const auto unusable = [](double x) { return 60 < x && x < 200; };
  const auto asked = drive(refiner, [&](double x) { return unusable(x) ? -1 : step(x); });
  EXPECT_EQ(std::count_if(asked.begin(), asked.end(), [&](const auto& one) { return unusable(one.first); }), 3);
}

TEST(Refiner, AValueThatIsNotFiniteIsUnusable) {
  Refiner refiner(refined(1, 64), 64);
  EXPECT_EQ(drive(refiner, [](double) { return std::numeric_limits<double>::infinity(); }).size(), 7U);
}

TEST(Refiner, AnUnknownHalfWidthCountsAsGreatNoise) {
  Refiner refiner(refined(1, 64), 64);
  const auto asked = drive(
      refiner, [](double x) { return step(50 * x); }, std::numeric_limits<double>::infinity());
  EXPECT_EQ(asked.size(), 7U);
}

TEST(Refiner, RefusesAnswersItDidNotAskFor) {
  Refiner refiner(refined(1, 64), 64);
  EXPECT_THROW(refiner.tell(std::int64_t{1}, {}), std::invalid_argument);
  for (const auto& proposal : refiner.proposals()) refiner.ask(proposal, "n");
  EXPECT_THROW(refiner.tell(std::int64_t{3}, {}), std::invalid_argument);
  EXPECT_THROW(refiner.tell("one", {}), std::invalid_argument);
}

TEST(RefinerAgain, ALonePeakIsMeasuredAgainBeforeAnythingIsSplit) {
  Refiner refiner(refined(1, 4096), 64);
  int measured = 0;
  const auto asked = drive(refiner, [&](double x) { return x == 64 && measured++ == 0 ? 12.0 : 7.0; });
  EXPECT_EQ(asked.size(), 13U);
  EXPECT_EQ(asked.at(64), 2);
  const auto findings = refiner.findings("n", false);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0], "peak at n=64 not confirmed: 12, measured again 7");
}

TEST(RefinerAgain, AConfirmedPeakIsRefined) {
  Refiner refiner(refined(1, 4096), 64);
  const auto asked = drive(refiner, [](double x) { return 50 < x && x < 80 ? 12.0 : 7.0; });
  EXPECT_EQ(asked.at(64), 2);
  EXPECT_TRUE(asked.contains(50) && asked.contains(51) && asked.contains(79) && asked.contains(80));
  EXPECT_EQ(jumps(refiner).size(), 2U);
  EXPECT_EQ(refiner.findings("n", false).size(), 3U) << "no peak is called unconfirmed";
}

TEST(RefinerAgain, APeakAtAnEndIsMeasuredAgainToo) {
  for (const double end : {16.0, 4096.0}) {
    Refiner refiner(refined(16, 4096), 64);
    int measured = 0;
    const auto asked = drive(refiner, [&](double x) { return x == end && measured++ == 0 ? 12.0 : 7.0; });
    EXPECT_EQ(asked.size(), 9U);
    EXPECT_EQ(asked.at(end), 2);
  }
}

TEST(RefinerAgain, ASecondMeasurementWithoutAValueIsSaid) {
  Refiner refiner(refined(1, 4096), 64);
  int measured = 0;
  drive(refiner, [&](double x) { return x != 64 ? 7.0 : measured++ == 0 ? 12.0 : -1.0; });
  EXPECT_EQ(refiner.findings("n", false).front(), "peak at n=64 not confirmed: 12, measured again without a value");
}

TEST(RefinerAgain, WhatNoiseMayHideIsSharpenedTwiceAtMost) {
  // Every other level is 20 % higher: with 20 % half-width nothing can be told.
  Refiner refiner(refined(100, 500), 64);
  const auto zigzag = [](double x) { return x == 200 || x == 400 ? 1.25 : 1.0; };
  std::vector<double> sharpness;
  for (auto proposals = refiner.proposals(); !proposals.empty(); proposals = refiner.proposals())
    for (const auto& proposal : proposals) {
      const PointRequest request = refiner.ask(proposal, "n");
      const double x = *number_of(request.point.level("n"));
      if (x == 300) sharpness.push_back(request.sharpen);
      refiner.tell(request.point.level("n"), {true, zigzag(x), 0.2 * request.sharpen});
    }
  EXPECT_EQ(sharpness, (std::vector<double>{1, 0.5, 0.25}));
}

TEST(RefinerAgain, ExactValuesAreNeverSharpened) {
  Refiner refiner(refined(1, 4096), 64);
  for (const auto& [x, times] : drive(refiner, [](double x) { return 20 + x * std::log2(x + 1); }))
    EXPECT_LE(times, 2) << x;
}

TEST(RefinerFindings, SayTheAccuracyReached) {
  Refiner refiner(refined(1, 64), 64);
  drive(refiner, flat);
  EXPECT_EQ(refiner.findings("n", false),
            std::vector<std::string>{"accurate to 5 % as far as 7 points show: no error beyond the noise"});
}

TEST(RefinerFindings, SayWhatTheBudgetLeftOpen) {
  Refiner refiner(refined(1, 4096), 64);
  EXPECT_EQ(drive(refiner, step, 0, 15).size(), 15U);
  const auto findings = refiner.findings("n", true);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].find("not accurate to 5 % as far as 15 points show: largest estimated error "), 0U);
  EXPECT_NE(findings[0].find("; max-points is reached"), std::string::npos) << findings[0];
  EXPECT_NE(refiner.findings("n", false)[0].find("; stopped early"), std::string::npos);
}

TEST(RefinerFindings, SayWhatNoiseHides) {
  Refiner refiner(refined(1, 64), 64);
  drive(
      refiner, [](double x) { return x >= 8 ? 9.0 : 7.0; }, 0.3);
  const auto findings = refiner.findings("n", false);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].find("not known to be accurate to 5 % as far as 7 points show: noise hides an error of up to "),
            0U)
      << findings[0];
}

}  // namespace
}  // namespace assay
