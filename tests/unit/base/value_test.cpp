// SPDX-License-Identifier: Apache-2.0
// Levels and their texts stand for each other, whatever the level is.
#include "base/value.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "base/rng.hpp"

namespace assay {
namespace {

using namespace std::string_literals;

Value word(std::string text) { return Value(std::move(text)); }

bool same(const Value& a, const Value& b) {
  if (a.index() != b.index()) return false;
  if (const auto* real = std::get_if<double>(&a)) {
    const double other = std::get<double>(b);
    return (std::isnan(*real) && std::isnan(other)) ||
           std::bit_cast<std::uint64_t>(*real) == std::bit_cast<std::uint64_t>(other);
  }
  return a == b;
}

void expect_round_trip(const Value& value) {
  const std::string text = to_text(value);
  const auto back = parse_value(text);
  ASSERT_TRUE(back.has_value()) << text;
  EXPECT_TRUE(same(value, *back)) << text;
}

std::string random_word(Rng& rng, std::string_view letters) {
  std::string text;
  for (auto length = rng.below(12); length > 0; --length) {
    text += letters.empty() ? static_cast<char>(rng.below(256)) : letters[rng.below(letters.size())];
  }
  return text;
}

Value random_value(Rng& rng) {
  switch (rng.below(6)) {
    case 0:
      return static_cast<std::int64_t>(rng.next());
    case 1:
      return static_cast<std::int64_t>(rng.below(2000)) - 1000;
    case 2:
      return std::bit_cast<double>(rng.next());
    case 3:
      return static_cast<double>(rng.below(100000)) / 100;
    case 4:
      return random_word(rng, "");
    default:
      return random_word(rng, "0123456789+-.eEinfaxN_\"\\ =");
  }
}

TEST(ValueText, OfIntegers) {
  EXPECT_EQ(to_text(Value(std::int64_t{0})), "0");
  EXPECT_EQ(to_text(Value(std::int64_t{-17})), "-17");
  EXPECT_EQ(to_text(Value(std::numeric_limits<std::int64_t>::min())), "-9223372036854775808");
}

TEST(ValueText, OfRealsIsNeverThatOfAnInteger) {
  EXPECT_EQ(to_text(Value(1.0)), "1.0");
  EXPECT_EQ(to_text(Value(-0.0)), "-0.0");
  EXPECT_EQ(to_text(Value(0.1)), "0.1");
  EXPECT_EQ(to_text(Value(1e300)), "1e+300");
  EXPECT_EQ(to_text(Value(12345678.0)), "12345678.0");
  EXPECT_EQ(to_text(Value(-HUGE_VAL)), "-inf");
  EXPECT_EQ(to_text(Value(std::copysign(std::nan(""), -1))), "nan");
}

TEST(ValueText, OfWordsIsBareWhereItCan) {
  for (const char* bare : {"spin", "same-l3", "core.0", "/bin/true", "a:b", "_1", "e5", "information", "-", "."}) {
    EXPECT_EQ(to_text(word(bare)), bare);
  }
}

TEST(ValueText, OfWordsIsQuotedWhereAReaderCouldBeMistaken) {
  for (const char* quoted : {"1",   "-1",  "+1",   ".5",       "1.0",  "0+1", "0x10", "1_000", "4Ki",         "nan",
                             "NaN", "inf", "-inf", "Infinity", "+nan", "a b", "a=b",  "a,b",   "caf\xc3\xa9", ""}) {
    EXPECT_EQ(to_text(word(quoted)).front(), '"') << quoted;
    expect_round_trip(word(quoted));
  }
}

TEST(ValueText, KeepsTheAlternativesApart) {
  EXPECT_EQ(parse_value("1"), Value(std::int64_t{1}));
  EXPECT_EQ(parse_value("1.0"), Value(1.0));
  EXPECT_EQ(parse_value("\"1\""), word("1"));
}

TEST(ValueText, RoundTripsTheExtremes) {
  using Limits = std::numeric_limits<double>;
  for (const double real :
       {Limits::max(), Limits::min(), Limits::denorm_min(), -Limits::denorm_min(), Limits::epsilon(),
        Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), 0.0, -0.0, 0x1p53, 0x1p63}) {
    expect_round_trip(real);
  }
  expect_round_trip(std::numeric_limits<std::int64_t>::max());
  expect_round_trip(std::numeric_limits<std::int64_t>::min());
  for (int byte = 0; byte < 256; ++byte) expect_round_trip(word(std::string(1, static_cast<char>(byte))));
}

TEST(ValueText, RoundTripsSubnormals) {
  Rng rng(1);
  for (int i = 0; i < 2000; ++i) expect_round_trip(std::bit_cast<double>(rng.next() & 0x800fffffffffffffU));
}

TEST(ValueText, RoundTripsAnythingAndIsSharedByNoTwo) {
  Rng rng(2);
  std::map<std::string, Value> by_text;
  for (int i = 0; i < 50000; ++i) {
    const Value value = random_value(rng);
    expect_round_trip(value);
    const auto [other, fresh] = by_text.try_emplace(to_text(value), value);
    EXPECT_TRUE(fresh || same(other->second, value)) << other->first;
  }
  EXPECT_GT(by_text.size(), 30000U);
}

TEST(ValueText, IsPrintableAsciiWithoutEqualsOutsideQuotes) {
  Rng rng(3);
  for (int i = 0; i < 10000; ++i) {
    const std::string text = to_text(random_value(rng));
    for (const char letter : text) EXPECT_TRUE(letter >= ' ' && letter <= '~') << text;
    EXPECT_TRUE(text[0] == '"' || text.find_first_of(" =\"") == text.npos) << text;
  }
}

TEST(ParseValue, RefusesEveryOtherSpelling) {
  for (const char* text : {"",
                           " ",
                           "+5",
                           "01",
                           "1.",
                           ".5",
                           "1.50",
                           "1e5",
                           "1E+20",
                           "0x10",
                           "1_000",
                           "1,5",
                           "-0",
                           "NaN",
                           "-nan",
                           "infinity",
                           "nan(1)",
                           "1e999",
                           "9223372036854775808",
                           "4Ki",
                           "a b",
                           "a\"",
                           "\"a",
                           "\"a\"b",
                           "\"spin\"",
                           R"("\x41 b")",
                           R"("\x0a")",
                           "\"caf\xc3\xa9\""}) {
    EXPECT_FALSE(parse_value(text).has_value()) << text;
  }
}

TEST(ParseValue, AcceptsOnlyTheCanonicalText) {
  Rng rng(4);
  int accepted = 0;
  for (int i = 0; i < 50000; ++i) {
    const std::string text = random_word(rng, "01.-+eanif\"\\nx");
    const auto value = parse_value(text);
    if (!value) continue;
    ++accepted;
    EXPECT_EQ(to_text(*value), text);
  }
  EXPECT_GT(accepted, 1000);
}

TEST(NumberOf, IsNothingForAWord) {
  EXPECT_EQ(number_of(Value(std::int64_t{3})), 3.0);
  EXPECT_EQ(number_of(Value(0.25)), 0.25);
  EXPECT_EQ(number_of(word("3")), std::nullopt);
}

TEST(RealText, IsTheShortest) {
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(3.0), "3");
  EXPECT_EQ(to_text(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(to_text(-std::nan("")), "nan");
  EXPECT_EQ(to_text(HUGE_VAL), "inf");
}

}  // namespace
}  // namespace assay
