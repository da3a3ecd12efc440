// SPDX-License-Identifier: Apache-2.0
// JSON: exact numbers, hostile strings, limits of the reader.
#include "text/json.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <clocale>
#include <cmath>
#include <cstdlib>

#include "support/environment/paths.hpp"
#include "unit/record/random_records.hpp"
#include "unit/record/same.hpp"

namespace assay {
namespace {

Json round_trip(const Json& json) { return parse_json(to_text(json)); }

std::string json_refusal(std::string_view text) {
  try {
    parse_json(text);
  } catch (const JsonError& error) {
    return error.what();
  }
  return "accepted";
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

TEST(Json, AccessNamesWhatItFound) {
  const auto message = [](auto access) {
    try {
      access();
    } catch (const JsonError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message([] { Json(1).string(); }), "expected a string, found an integer");
  EXPECT_EQ(message([] { Json(1.5).integer(); }), "expected an integer, found a real");
  EXPECT_EQ(message([] { Json("x").number(); }), "expected a number, found a string");
  EXPECT_EQ(message([] { Json{}.boolean(); }), "expected a truth value, found null");
  EXPECT_EQ(message([] { Json(true).array(); }), "expected an array, found a truth value");
  EXPECT_EQ(message([] { Json(Json::Object{}).at("k"); }), "missing member 'k'");
  EXPECT_EQ(message([] { Json(1).set("k", 2); }), "expected an object, found an integer");
  EXPECT_EQ(Json(1).number(), 1.0);
}

TEST(Json, FindsMembers) {
  Json json;
  json.set("a", 1).set("b", "x");
  EXPECT_EQ(json.at("b").string(), "x");
  EXPECT_EQ(json.find("c"), nullptr);
}

TEST(JsonReader, RefusesWithByteOffset) {
  EXPECT_EQ(json_refusal(""), "not valid JSON at byte 0");
  EXPECT_EQ(json_refusal("{\"a\":1,}"), "not valid JSON at byte 8");
  EXPECT_EQ(json_refusal("[1] x"), "not valid JSON at byte 5");
  EXPECT_EQ(json_refusal(std::string_view("{}\0garbage", 10)), "zero byte at byte 2");
  EXPECT_EQ(json_refusal("9223372036854775808").substr(0, 20), "integer out of range");
  EXPECT_EQ(json_refusal("1e999").substr(0, 14), "not valid JSON");
  EXPECT_EQ(json_refusal("1e-999").substr(0, 19), "number out of range");
  EXPECT_NE(json_refusal("nan"), "accepted");
  EXPECT_NE(json_refusal("{\"a\" 1}"), "accepted");
  EXPECT_NE(json_refusal("// x\n1"), "accepted");
  EXPECT_NE(json_refusal("\"\xff\""), "accepted");
  EXPECT_NE(json_refusal("\"a\nb\""), "accepted");
}

TEST(JsonReader, LimitsDepth) {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  EXPECT_EQ(json_refusal(nested(64)), "accepted");
  EXPECT_EQ(json_refusal(nested(65)), "more than 64 levels at byte 65");
  EXPECT_EQ(json_refusal(std::string(1000000, '[')), "more than 64 levels at byte 65");
  std::string objects;
  for (int i = 0; i < 65; ++i) objects += "{\"a\":";
  EXPECT_NE(json_refusal(objects).find("more than 64 levels"), std::string::npos);
}

TEST(JsonReader, LimitsSize) {
  const std::string fits = '"' + std::string(json_size_limit - 2, 'x') + '"';
  EXPECT_EQ(parse_json(fits).string().size(), json_size_limit - 2);
  EXPECT_EQ(json_refusal(fits + " "), "more than 16777216 bytes of JSON at byte 16777216");
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
