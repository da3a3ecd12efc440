// SPDX-License-Identifier: Apache-2.0
// Numbers mean exactly what they say, or are refused.
#include "base/number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/factor.hpp"
#include "base/rng.hpp"

namespace assay {
namespace {

Value integer(std::int64_t number) { return number; }

TEST(Number, IsAnIntegerWhenItIsIntegral) {
  EXPECT_EQ(parse_number("0"), integer(0));
  EXPECT_EQ(parse_number("-17"), integer(-17));
  EXPECT_EQ(parse_number("2.0"), integer(2));
  EXPECT_EQ(parse_number("-0"), integer(0));
  EXPECT_EQ(parse_number("-0.0"), integer(0));
  EXPECT_EQ(parse_number("0e9999999999"), integer(0));
  EXPECT_EQ(parse_number("1e6"), integer(1000000));
  EXPECT_EQ(parse_number("1.5E+3"), integer(1500));
  EXPECT_EQ(parse_number("100e-2"), integer(1));
  EXPECT_EQ(parse_number("9223372036854775807"), integer(std::numeric_limits<std::int64_t>::max()));
  EXPECT_EQ(parse_number("-9223372036854775808"), integer(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ(parse_number("9007199254740993"), integer(9007199254740993));
}

TEST(Number, IsTheNearestRealOtherwise) {
  EXPECT_EQ(parse_number("0.1"), Value(0.1));
  EXPECT_EQ(parse_number("-2.5"), Value(-2.5));
  EXPECT_EQ(parse_number("1e-07"), Value(1e-7));
  EXPECT_EQ(parse_number("4.9406564584124654e-324"), Value(std::numeric_limits<double>::denorm_min()));
}

TEST(Number, TakesSizes) {
  EXPECT_EQ(parse_number("4Ki"), integer(4096));
  EXPECT_EQ(parse_number("3Mi"), integer(3 << 20));
  EXPECT_EQ(parse_number("2Gi"), integer(std::int64_t{2} << 30));
  EXPECT_EQ(parse_number("1.5Ki"), integer(1536));
  EXPECT_EQ(parse_number("0.1Ki"), Value(102.4));
  EXPECT_EQ(parse_number("5k"), integer(5000));
  EXPECT_EQ(parse_number("5M"), integer(5000000));
  EXPECT_EQ(parse_number("5G"), integer(5000000000));
  EXPECT_EQ(parse_number("-4Ki"), integer(-4096));
  EXPECT_EQ(parse_number("8589934591Gi"), integer(8589934591 << 30));
  EXPECT_EQ(parse_number("21170000.5Gi"), integer(22731114950950912))
      << "whole by its suffix, beyond what doubles hold";
  EXPECT_EQ(parse_number("8388608.000000000931322574615478515625Gi"), integer((std::int64_t{1} << 53) + 1));
}

TEST(Number, TakesTimesAsNanoseconds) {
  EXPECT_EQ(parse_number("7ns"), integer(7));
  EXPECT_EQ(parse_number("7us"), integer(7000));
  EXPECT_EQ(parse_number("7ms"), integer(7000000));
  EXPECT_EQ(parse_number("7s"), integer(7000000000));
  EXPECT_EQ(parse_number("0.5ns"), Value(0.5));
}

TEST(Number, ShiftsTheDecimalPointExactly) {
  EXPECT_EQ(parse_number("1.005ms"), integer(1005000));  // 1.005 * 1e6 is 1004999.9999999999 in doubles
  EXPECT_EQ(parse_number("0.000000001s"), integer(1));
  EXPECT_EQ(parse_number("1.0001us"), Value(1000.1));
}

TEST(Number, RefusesWhatOnlyLooksLikeOne) {
  for (const char* text :
       {"",   " ",   "-",   "+5", "--5", "nan",   "inf", "-inf",  "infinity", "0x10",  "1_000", "1,5",  "1 5", "5 ms",
        " 5", "5 ",  "010", "00", "-01", ".5",    "5.",  "1e",    "1e+",      "1e5.0", "e5",    "1..2", "10q", "5m",
        "5K", "5ki", "5KB", "5B", "5Ti", "5msec", "5S",  "1'000", "\xd9\xa1", "0b1",   "1f",    "5kk",  "1.e5"}) {
    EXPECT_FALSE(parse_number(text).has_value()) << text;
    const auto result = read_number(text);
    EXPECT_NE(result.what, "") << text;
    EXPECT_NE(result.remedy, "") << text;
  }
}

TEST(Number, RefusesWhatNoNumberTypeHolds) {
  for (const char* text : {"9223372036854775808", "-9223372036854775809", "1e19", "1e999", "1e99999999999999999999",
                           "-1e400", "1e-400", "1e-99999999999999999999", "8589934592Gi", "9223372036854775807k",
                           "9223372036854775807Ki", "9007199254740993.5", "0.5e-9999"}) {
    EXPECT_FALSE(parse_number(text).has_value()) << text;
  }
}

TEST(Number, SurvivesLongText) {
  EXPECT_FALSE(parse_number(std::string(100000, '9')).has_value());
  EXPECT_EQ(parse_number("1." + std::string(100000, '0')), integer(1));
  EXPECT_EQ(parse_number("0." + std::string(100000, '0') + "5"), std::nullopt);
  EXPECT_LT(read_number(std::string(100000, 'x')).what.size(), 100U);
}

TEST(Number, NamesTheAcceptedSuffixes) {
  EXPECT_EQ(read_number("10q").what, "not a number: \"10q\"");
  EXPECT_NE(read_number("10q").remedy.find("Ki Mi Gi"), std::string::npos);
  EXPECT_NE(read_number("1,5").remedy.find("'.'"), std::string::npos);
  EXPECT_EQ(read_number("1e999").what, "out of range: \"1e999\"");
}

// A slow reference: the C library's correctly rounded conversion.
TEST(Number, AgreesWithTheCLibrary) {
  Rng rng(20);
  for (int i = 0; i < 20000; ++i) {
    std::string text = std::to_string(rng.below(100000)) + "." + std::to_string(rng.below(1000000)) + "e" +
                       std::to_string(static_cast<int>(rng.below(40)) - 30);
    const double expected = std::strtod(text.c_str(), nullptr);
    const auto number = parse_number(text);
    ASSERT_EQ(number.has_value(), std::abs(expected) < 0x1p63) << text;
    if (!number) continue;
    EXPECT_EQ(number_of(*number), expected) << text;
  }
}

TEST(Number, ReadsEveryCanonicalTextOfAnIntegerOrFraction) {
  Rng rng(21);
  for (int i = 0; i < 20000; ++i) {
    const Value whole = static_cast<std::int64_t>(rng.next());
    EXPECT_EQ(parse_number(to_text(whole)), whole);
    const Value fraction = rng.uniform() + static_cast<double>(rng.below(1000));
    EXPECT_EQ(parse_number(to_text(fraction)), fraction);
  }
}

}  // namespace
}  // namespace assay
