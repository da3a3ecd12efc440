// SPDX-License-Identifier: Apache-2.0
// Points keep the order of their factors, and their texts are their identity.
#include "base/point.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <stdexcept>

#include "base/rng.hpp"

namespace assay {
namespace {

Point sample() {
  Point point;
  point.set("size", std::int64_t{4096});
  point.set("vehicle", std::string("thread"));
  point.set("share", 0.5);
  return point;
}

Value random_level(Rng& rng) {
  switch (rng.below(3)) {
    case 0:
      return static_cast<std::int64_t>(rng.below(3));
    case 1:
      return static_cast<double>(rng.below(3));
    default: {
      std::string text;
      for (auto length = rng.below(6); length > 0; --length) text += static_cast<char>(rng.below(256));
      return text;
    }
  }
}

Point random_point(Rng& rng) {
  constexpr std::string_view names[] = {"a", "b", "c-d", "e_f", "0"};
  Point point;
  for (auto factors = rng.below(4); factors > 0; --factors) point.set(names[rng.below(5)], random_level(rng));
  return point;
}

TEST(PointTest, FindsLevels) {
  const Point point = sample();
  ASSERT_NE(point.find("size"), nullptr);
  EXPECT_EQ(*point.find("size"), Value(std::int64_t{4096}));
  EXPECT_EQ(point.find("siz"), nullptr);
  EXPECT_EQ(point.level("share"), Value(0.5));
}

TEST(PointTest, NamesTheMissingFactor) {
  try {
    sample().level("burst");
    FAIL() << "no exception";
  } catch (const std::out_of_range& error) {
    EXPECT_NE(std::string(error.what()).find("burst"), std::string::npos) << error.what();
  }
  EXPECT_THROW(sample().text("burst"), std::out_of_range);
}

TEST(PointTest, ReplacesInPlace) {
  Point point = sample();
  point.set("size", std::int64_t{1});
  EXPECT_EQ(to_text(point), "size=1 vehicle=thread share=0.5");
}

TEST(PointTest, ShowsWordsWithoutQuotes) {
  Point point;
  point.set("placement", std::string("0+1"));
  point.set("size", std::int64_t{3});
  EXPECT_EQ(point.text("placement"), "0+1");
  EXPECT_EQ(point.text("size"), "3");
  EXPECT_EQ(to_text(point), "placement=\"0+1\" size=3");
}

TEST(PointTest, WithoutAFactorLeavesTheRestInOrder) {
  EXPECT_EQ(to_text(sample().without("vehicle")), "size=4096 share=0.5");
  EXPECT_EQ(sample().without("burst"), sample());
  EXPECT_EQ(to_text(sample()), "size=4096 vehicle=thread share=0.5");
}

TEST(PointTest, RefusesNamesThatWouldBreakItsText) {
  Point point;
  for (const char* name : {"", "a b", "a=b", "a\"", "a.b", "\xc3\xa9"}) {
    EXPECT_THROW(point.set(name, std::int64_t{1}), std::invalid_argument) << name;
  }
  EXPECT_TRUE(point.levels().empty());
}

TEST(PointTest, HasOneZeroAndNoNaN) {
  Point point;
  point.set("x", -0.0);
  EXPECT_EQ(to_text(point), "x=0.0");
  EXPECT_THROW(point.set("x", std::nan("")), std::invalid_argument);
  EXPECT_EQ(to_text(point), "x=0.0");
}

TEST(PointText, OfNoFactorsIsEmpty) {
  EXPECT_EQ(to_text(Point()), "");
  EXPECT_EQ(parse_point(""), Point());
}

TEST(PointText, ReadsBackLevelsThatContainItsMarks) {
  Point point;
  point.set("command", std::string("ls -l a=b \"c\" \\"));
  point.set("next", std::string(""));
  const auto back = parse_point(to_text(point));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*back, point);
}

TEST(PointText, RefusesMalformedText) {
  for (const char* text : {" ", "a", "a=", "=1", "a=1 ", " a=1", "a=1  b=2", "a=1,b=2", "a=1 a=1", "a=1 a=2",
                           "a=1\tb=2", "a=\"x", "a=\"x\"", "a=\"1\"b=2", "a=01", "a=-0.0", "a=nan", "a b=1", "a=b=c"}) {
    EXPECT_FALSE(parse_point(text).has_value()) << text;
  }
}

TEST(PointText, IsEqualExactlyWhenThePointsAre) {
  Rng rng(5);
  int equal = 0;
  for (int i = 0; i < 20000; ++i) {
    const Point a = random_point(rng);
    const Point b = random_point(rng);
    EXPECT_EQ(a == b, to_text(a) == to_text(b)) << to_text(a) << " / " << to_text(b);
    equal += a == b ? 1 : 0;
    const auto back = parse_point(to_text(a));
    ASSERT_TRUE(back.has_value()) << to_text(a);
    EXPECT_EQ(*back, a) << to_text(a);
  }
  EXPECT_GT(equal, 100);
}

TEST(PointText, IsCanonicalWheneverItIsAccepted) {
  Rng rng(6);
  constexpr std::string_view letters = "ab=1. \"-0";
  int accepted = 0;
  for (int i = 0; i < 100000; ++i) {
    std::string text = "a=";
    for (auto length = rng.below(8); length > 0; --length) text += letters[rng.below(letters.size())];
    const auto point = parse_point(text);
    if (!point) continue;
    ++accepted;
    EXPECT_EQ(to_text(*point), text);
  }
  EXPECT_GT(accepted, 1000);
}

}  // namespace
}  // namespace assay
