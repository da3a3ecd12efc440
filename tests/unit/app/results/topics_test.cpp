// SPDX-License-Identifier: Apache-2.0
// Whatever outputs contain can be looked up.
#include "app/results/topics.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "platform/machine/check.hpp"
#include "record/na_code.hpp"
#include "record/provenance.hpp"
#include "record/shown_value.hpp"
#include "record/table/column_table.hpp"
#include "stats/comparison/comparison.hpp"
#include "stats/comparison/outliers.hpp"
#include "stats/rule/stopping_rule.hpp"

namespace assay::test {
namespace {

bool has(const std::vector<Topic>& topics, const std::string& kind, std::string_view name) {
  return std::ranges::any_of(
      topics, [&](const Topic& one) { return one.kind == kind && one.name == name && !one.text.empty(); });
}

TEST(Topics, EverythingThatOutputsContainHasAMeaning) {
  const auto topics = all_topics({});
  for (const ColumnInfo& column : all_columns()) EXPECT_TRUE(has(topics, "column", column.name)) << column.name;
  for (const std::string& code : all_codes()) EXPECT_TRUE(has(topics, "code", code)) << code;
  for (const char mark : all_marks) EXPECT_TRUE(has(topics, "mark", std::string(1, mark))) << mark;
  for (int i = 1; i <= static_cast<int>(Outcome::not_applicable); ++i)
    EXPECT_TRUE(has(topics, "verdict", to_text(static_cast<Outcome>(i)))) << i;
  for (int i = 0; i <= static_cast<int>(Change::possibly_slower); ++i)
    EXPECT_TRUE(has(topics, "change verdict", to_text(static_cast<Change>(i)))) << i;
  for (int i = 0; i <= static_cast<int>(Oddity::unclear); ++i)
    EXPECT_TRUE(has(topics, "change verdict", to_text(static_cast<Oddity>(i)))) << i;
  for (const Check& check : session_checks(Topology::this_machine(), ".", Nanoseconds{}))
    EXPECT_TRUE(has(topics, "check", check.id)) << check.id;
}

TEST(Topics, WhatTablesPrintIsFoundAsItIsPrinted) {
  const auto topics = all_topics({});
  for (const char* printed :
       {"+-%", "+- %", "inc", "disturbed %", "low .. high", "B/A", "now/again", "since then", "delta", "adj. p",
        "short-term", "CPUs moved", "no interval", "out of time", "as many timings as allowed", "batches disturbed"})
    EXPECT_FALSE(topics_about(printed, topics).empty()) << printed;
}

TEST(Topics, ANameIsFoundByAPartAndInAllItsKinds) {
  const std::vector<Topic> topics{
      {"measurement", "sync/lock", "a"}, {"factor", "lock", "b"}, {"key", "lock", "c"}, {"code", "G-VIRT", "d"}};
  const auto lock = topics_about("lock", topics);
  ASSERT_EQ(lock.size(), 3U);
  EXPECT_EQ(lock[0].kind, "factor");
  EXPECT_EQ(lock[1].kind, "key");
  EXPECT_EQ(lock[2].name, "sync/lock") << "last, since it only contains the name";
  EXPECT_EQ(topics_about("N1", {{"code", "N1", "a"}, {"code", "N10", "b"}}).size(), 1U);
  EXPECT_EQ(topics_about("loc", topics).size(), 3U);
  EXPECT_EQ(topics_about("g-virt", topics).size(), 1U);
  EXPECT_TRUE(topics_about("nothing", topics).empty());
  EXPECT_TRUE(topics_about("", topics).empty());
}

}  // namespace
}  // namespace assay::test
