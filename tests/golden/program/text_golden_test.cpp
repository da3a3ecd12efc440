// SPDX-License-Identifier: Apache-2.0
// What is said about texts that cannot be read: JSON, and levels of factors, byte by byte.
#include <functional>

#include "base/factor.hpp"
#include "support/environment/golden.hpp"
#include "text/json.hpp"

namespace assay::test {
namespace {

std::string said_of_json(const std::function<void()>& read) {
  try {
    read();
  } catch (const JsonError& error) {
    return std::string(error.what()) + "\n";
  }
  return "accepted\n";
}

TEST(TextGolden, OfJson) {
  std::string told;
  const std::string deep(65, '[');
  for (const std::string& text :
       {std::string(), std::string("{\"a\":1,}"), std::string("[1] x"), std::string("{}\0garbage", 10),
        std::string("9223372036854775808"), std::string("1e999"), std::string("1e-999"), deep,
        '"' + std::string(json_size_limit, 'x') + '"'})
    told += said_of_json([&] { parse_json(text); });
  told += said_of_json([] { Json(1).string(); });
  told += said_of_json([] { Json(1.5).integer(); });
  told += said_of_json([] { Json("x").number(); });
  told += said_of_json([] { Json{}.boolean(); });
  told += said_of_json([] { Json(true).array(); });
  told += said_of_json([] { Json(Json::Object{}).at("k"); });
  told += said_of_json([] { Json(1).set("k", 2); });
  EXPECT_TRUE(matches_golden(told, "program/text_json_errors.txt"));
}

TEST(TextGolden, OfLevels) {
  std::string told;
  for (const char* text : {"3, 1,2 ,1", "5, 1us, 1000ns", "1..100001 +1", "5 m", "5m", "10 q", "$SIZE", "\x1b[31m"}) {
    const auto found = parse_domain(text, FactorKind::quantitative).error.value_or(DomainError{});
    told += std::to_string(found.offset) + ": " + found.what + "; " + found.remedy + "\n";
  }
  EXPECT_TRUE(matches_golden(told, "program/text_level_errors.txt"));
}

}  // namespace
}  // namespace assay::test
