// SPDX-License-Identifier: Apache-2.0
// Turns of a survey.
#include "team/local/surveyor.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

namespace assay {
namespace {

std::vector<int> numbered(int count) {
  std::vector<int> cpus(static_cast<std::size_t>(count));
  std::iota(cpus.begin(), cpus.end(), 0);
  return cpus;
}

TEST(SurveyTimetable, TurnsFollowOnEachOtherWithinTheTime) {
  for (const int cpus : {1, 2, 3, 16}) {
    const auto turns = survey_timetable(numbered(cpus), seconds(5));
    ASSERT_FALSE(turns.empty()) << cpus;
    for (std::size_t i = 1; i < turns.size(); ++i) EXPECT_EQ(turns[i].from, turns[i - 1].until) << cpus;
    EXPECT_LE(turns.back().until, seconds(5)) << cpus;
    EXPECT_GE(turns.back().until, seconds(4.9)) << cpus;
  }
}

TEST(SurveyTimetable, EachOfAPairIsAloneBesideEveryTurnOfBoth) {
  const auto turns = survey_timetable(numbered(4), seconds(1));
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (turns[i].b < 0 || turns[i].passes_flags) continue;
    ASSERT_GT(i, 0U);
    ASSERT_LT(i + 1, turns.size());
    EXPECT_EQ(turns[i - 1].b, -1);
    EXPECT_EQ(turns[i + 1].b, -1);
    EXPECT_EQ((std::set<int>{turns[i - 1].a, turns[i + 1].a}), (std::set<int>{turns[i].a, turns[i].b}));
  }
}

TEST(SurveyTimetable, FiveSecondsAskAllPairsOfTheMostCpusOftenEnough) {
  std::map<std::pair<int, int>, int> times;
  for (const SurveyTurn& turn : survey_timetable(numbered(most_surveyed), seconds(5)))
    if (turn.b >= 0 && !turn.passes_flags) ++times[{turn.a, turn.b}];
  EXPECT_EQ(times.size(), most_surveyed * (most_surveyed - 1) / 2);
  for (const auto& [pair, count] : times) EXPECT_GE(count, 16) << pair.first << "+" << pair.second;
}

TEST(SurveyTimetable, OneCpuIsAskedAloneAndNoneNotAtAll) {
  for (const SurveyTurn& turn : survey_timetable({7}, seconds(1))) {
    EXPECT_EQ(turn.a, 7);
    EXPECT_EQ(turn.b, -1);
  }
  EXPECT_TRUE(survey_timetable({}, seconds(1)).empty());
  EXPECT_TRUE(survey_timetable({0, 1}, {}).empty());
}

TEST(SurveyTimetable, OfManyCpusCouplesOfNeighboursAreAsked) {
  EXPECT_THAT(surveyed_cpus({0, 2, 1}), testing::ElementsAre(0, 1, 2));
  // By nearness: hardware threads of one core stand beside each other.
  std::vector<int> cpus;
  for (int core = 0; core < 64; ++core) cpus.insert(cpus.end(), {core, core + 64});
  const auto chosen = surveyed_cpus(cpus);
  EXPECT_EQ(chosen.size(), most_surveyed);
  const std::set<int> asked(chosen.begin(), chosen.end());
  for (const int cpu : chosen) EXPECT_TRUE(asked.contains((cpu + 64) % 128)) << cpu;
  EXPECT_TRUE(asked.contains(56));
  EXPECT_EQ(surveyed_cpus(numbered(17)).size(), most_surveyed);
}

}  // namespace
}  // namespace assay
