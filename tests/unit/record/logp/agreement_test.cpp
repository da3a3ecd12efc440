// SPDX-License-Identifier: Apache-2.0
// Points that agree, against comparing all with all.
#include "record/logp/agreement.hpp"

#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>

#include "unit/record/results.hpp"

namespace assay {
namespace {

using test::point_of;
using testing::ElementsAre;
using testing::IsEmpty;

Value word(const char* text) { return std::string(text); }

TEST(Agreement, NoFactorOfBothDiffers) {
  const Point flag = point_of({{"channel", word("flag")}, {"bytes", std::int64_t{8}}});
  const Point other_size = point_of({{"channel", word("flag")}, {"bytes", std::int64_t{16}}});
  const Point any_size = point_of({{"channel", word("flag")}});
  Agreement known("channel");
  for (const Point* point : {&flag, &other_size, &any_size}) known.add(*point);
  EXPECT_THAT(known.with(flag), ElementsAre(0, 2));
  EXPECT_THAT(known.with(any_size), ElementsAre(0, 1, 2));
  EXPECT_THAT(known.with(point_of({{"bytes", std::int64_t{8}}, {"channel", word("flag")}})), ElementsAre(0, 2));
  EXPECT_THAT(known.with(point_of({{"channel", word("pipe")}})), IsEmpty());
}

TEST(Agreement, ValuesOfDifferentKindsDiffer) {
  const Point whole = point_of({{"bytes", std::int64_t{1}}});
  Agreement known("channel");
  known.add(whole);
  EXPECT_THAT(known.with(point_of({{"bytes", 1.0}})), IsEmpty());
  EXPECT_THAT(known.with(point_of({{"bytes", word("1")}})), IsEmpty());
}

TEST(Agreement, WhoLacksTheTellingFactorAgreesOnlyWithThoseWhoLackItToo) {
  const Point with_channel = point_of({{"channel", word("flag")}, {"bytes", std::int64_t{8}}});
  const Point without = point_of({{"bytes", std::int64_t{8}}});
  Agreement known("channel");
  known.add(with_channel);
  known.add(without);
  EXPECT_THAT(known.with(without), ElementsAre(1));
  EXPECT_THAT(known.with(with_channel), ElementsAre(0));
}

bool agree_by_definition(const Point& a, const Point& b) {
  if ((a.find("t") == nullptr) != (b.find("t") == nullptr)) return false;
  return std::ranges::all_of(a.levels(), [&](const auto& level) {
    const Value* other = b.find(level.first);
    return other == nullptr || *other == level.second;
  });
}

TEST(Agreement, FindsWhatComparingAllFindsHoweverAddingAndAskingAlternate) {
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same points each time
  const auto draw = [&](int count) { return std::uniform_int_distribution<int>(0, count - 1)(random); };
  std::deque<Point> points;
  Agreement known("t");
  for (int i = 0; i < 400; ++i) {
    Point& point = points.emplace_back();
    for (const char* factor : {"t", "a", "b", "c"})
      if (draw(3) > 0) point.set(factor, std::int64_t{draw(3)});
    std::vector<std::size_t> expected;
    for (std::size_t j = 0; j + 1 < points.size(); ++j)
      if (agree_by_definition(points[j], point)) expected.push_back(j);
    ASSERT_EQ(known.with(point), expected) << to_text(point);
    known.add(point);
  }
}

}  // namespace
}  // namespace assay
