// SPDX-License-Identifier: Apache-2.0
// JSON: exact numbers, hostile strings, limits of the reader.
#include "text/json.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdlib>

#include "support/environment/paths.hpp"
#include "unit/record/random_records.hpp"
#include "unit/record/same.hpp"

namespace assay {
namespace {

Json round_trip(const Json& json) { return parse_json(to_text(json)); }

constexpr std::ptrdiff_t accepted = -1, no_byte = -2;

/// The byte at which a text is refused, which ends the message; `accepted` where it is not, `no_byte` where none is
/// told.
std::ptrdiff_t refused_at(std::string_view text) {
  try {
    parse_json(text);
  } catch (const JsonError& error) {
    const std::string_view message = error.what();
    const auto digits = message.substr(message.rfind(' ') + 1);
    std::ptrdiff_t byte = no_byte;
    return std::from_chars(digits.data(), digits.data() + digits.size(), byte).ec == std::errc{} ? byte : no_byte;
  }
  return accepted;
}

TEST(Json, WritesEachKind) {
  EXPECT_EQ(to_text(Json{}), "null");
  EXPECT_EQ(to_text(Json(true)), "true");
  EXPECT_EQ(to_text(Json(INT64_MIN)), "-9223372036854775808");
  EXPECT_EQ(to_text(Json(Json::Array{})), "[]");
  EXPECT_EQ(to_text(Json(Json::Object{})), "{}");
  EXPECT_EQ(to_text(Json::Array{1, "a", Json::Object{{"b", 2.5}, {"a", Json{}}}}), R"([1,"a",{"b":2.5,"a":null}])");
}

TEST(Json, RealsStayReals) {
  EXPECT_EQ(to_text(Json(1.0)), "1.0");
  EXPECT_EQ(to_text(Json(-0.0)), "-0.0");
  EXPECT_EQ(to_text(Json(1e300)), "1e+300");
  EXPECT_EQ(to_text(Json(0.1)), "0.1");
  EXPECT_FALSE(parse_json("1.0").is_integer());
  EXPECT_FALSE(parse_json("1e2").is_integer());
  EXPECT_TRUE(parse_json("1").is_integer());
}

TEST(Json, NumbersReadBackExactly) {
  test::RandomRecords random(3);
  for (int i = 0; i < 20000; ++i) {
    const double value = random.real();
    ASSERT_TRUE(test::same(round_trip(Json(value)).number(), value)) << to_text(Json(value));
  }
  for (const std::int64_t value : {INT64_MIN, INT64_MAX, std::int64_t{0}, std::int64_t{9007199254740993}})
    EXPECT_EQ(round_trip(Json(value)).integer(), value);
}

TEST(Json, NonFiniteNumbersAreWords) {
  EXPECT_EQ(to_text(Json(std::nan(""))), R"("nan")");
  EXPECT_EQ(to_text(Json(-std::nan(""))), R"("nan")");
  EXPECT_EQ(to_text(Json(INFINITY)), R"("inf")");
  EXPECT_EQ(parse_json(R"("-inf")").number(), -INFINITY);
  EXPECT_THROW(parse_json(R"("1")").number(), JsonError);
}

TEST(Json, StringsReadBackExactly) {
  test::RandomRecords random(4);
  for (int i = 0; i < 5000; ++i) {
    const std::string text = random.text();
    const std::string written = to_text(Json(text));
    ASSERT_EQ(parse_json(written).string(), text);
    ASSERT_EQ(written.find('\n'), std::string::npos);
  }
}

TEST(Json, EscapesControlCharacters) {
  EXPECT_EQ(to_text(Json(std::string("\0\x1b\x7f\n\t\"\\/", 8))), R"("\u0000\u001b\u007f\n\t\"\\/")");
}

TEST(Json, InvalidUtf8BecomesReplacementCharacters) {
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(to_text(Json("a\xff"
                         "b")),
            "\"a" + mark + "b\"");
  EXPECT_EQ(to_text(Json("\xc0\xaf")), '"' + mark + mark + '"');             // overlong
  EXPECT_EQ(to_text(Json("\xed\xa0\x80")), '"' + mark + mark + mark + '"');  // surrogate
  EXPECT_EQ(to_text(Json("\xe2\x82")), '"' + mark + mark + '"');             // cut
  EXPECT_EQ(to_text(Json("\xf4\x90\x80\x80")), '"' + mark + mark + mark + mark + '"');
  EXPECT_EQ(to_text(Json("\xf0\x9f\x98\x80")), "\"\xf0\x9f\x98\x80\"");
}

TEST(Json, AccessAsAnotherKindIsRefused) {
  EXPECT_THROW(Json(1).string(), JsonError);
  EXPECT_THROW(Json(1.5).integer(), JsonError);
  EXPECT_THROW(Json("x").number(), JsonError);
  EXPECT_THROW(Json{}.boolean(), JsonError);
  EXPECT_THROW(Json(true).array(), JsonError);
  EXPECT_THROW(Json(Json::Object{}).at("k"), JsonError);
  EXPECT_THROW(Json(1).set("k", 2), JsonError);
  EXPECT_EQ(Json(1).number(), 1.0);
}

TEST(Json, FindsMembers) {
  Json json;
  json.set("a", 1).set("b", "x");
  EXPECT_EQ(json.at("b").string(), "x");
  EXPECT_EQ(json.find("c"), nullptr);
}

TEST(JsonReader, RefusesWithByteOffset) {
  EXPECT_EQ(refused_at(""), 0);
  EXPECT_EQ(refused_at("{\"a\":1,}"), 8);
  EXPECT_EQ(refused_at("[1] x"), 5);
  EXPECT_EQ(refused_at(std::string_view("{}\0garbage", 10)), 2);
  for (const char* text :
       {"9223372036854775808", "1e999", "1e-999", "nan", "{\"a\" 1}", "// x\n1", "\"\xff\"", "\"a\nb\""})
    EXPECT_NE(refused_at(text), accepted) << text;
}

TEST(JsonReader, LimitsDepth) {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  EXPECT_EQ(refused_at(nested(64)), accepted);
  EXPECT_EQ(refused_at(nested(65)), 65);
  EXPECT_EQ(refused_at(std::string(1000000, '[')), 65);
  std::string objects;
  for (int i = 0; i < 65; ++i) objects += "{\"a\":";
  EXPECT_NE(refused_at(objects), accepted);
  EXPECT_LT(refused_at(objects), static_cast<std::ptrdiff_t>(objects.size())) << "the depth, not the end";
}

TEST(JsonReader, LimitsSize) {
  const std::string fits = '"' + std::string(json_size_limit - 2, 'x') + '"';
  EXPECT_EQ(parse_json(fits).string().size(), json_size_limit - 2);
  EXPECT_EQ(refused_at(fits + " "), static_cast<std::ptrdiff_t>(json_size_limit));
}

TEST(JsonReader, NestedContainersKeepTheirKeys) {
  const std::string text = R"({"a":{"b":[1,{"c":2}],"d":3},"e":[],"f":{"g":{}}})";
  EXPECT_EQ(to_text(parse_json(text)), text);
}

TEST(JsonReader, DoesNotListenToTheLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  ::setenv("LOCPATH", test::locale_directory().c_str(), 1);
  const bool found = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
  ::unsetenv("LOCPATH");
  if (!found) GTEST_SKIP() << "localedef made no locale with decimal commas when this was configured";
  EXPECT_EQ(parse_json("1.5").number(), 1.5);
  EXPECT_EQ(to_text(Json(1.5)), "1.5");
  std::setlocale(LC_ALL, before.c_str());
}

}  // namespace
}  // namespace assay
