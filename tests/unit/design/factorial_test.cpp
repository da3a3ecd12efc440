// SPDX-License-Identifier: Apache-2.0
// The factorial design: every combination once, in one generation.
#include <gtest/gtest.h>

#include "design/design.hpp"

namespace assay {
namespace {

std::vector<std::string> texts(const std::vector<PointRequest>& requests) {
  std::vector<std::string> list;
  for (const PointRequest& request : requests) list.push_back(to_text(request.point));
  return list;
}

FactorDomain numbers(const std::string& name, std::vector<Value> levels) {
  return {name, {std::move(levels), {}, false}};
}

const Value one = std::int64_t{1};
const Value two = std::int64_t{2};

TEST(Factorial, AsksEveryCombinationWithTheLastFactorFastest) {
  const auto design = factorial({numbers("a", {one, two}), numbers("b", {Value("x"), Value("y")})});
  EXPECT_EQ(texts(design->ask()), (std::vector<std::string>{"a=1 b=x", "a=1 b=y", "a=2 b=x", "a=2 b=y"}));
}

TEST(Factorial, AsksOnceOnly) {
  const auto design = factorial({numbers("a", {one, two})});
  const auto points = design->ask();
  EXPECT_TRUE(design->ask().empty());
  for (const PointRequest& request : points) design->tell(request.point, {true, 1, 0.1});
  EXPECT_TRUE(design->ask().empty());
  EXPECT_TRUE(design->findings().empty());
}

TEST(Factorial, NoFactorMakesOnePointAndNoLevelNone) {
  EXPECT_EQ(texts(factorial({})->ask()), std::vector<std::string>{""});
  EXPECT_TRUE(factorial({numbers("a", {one}), numbers("b", {})})->ask().empty());
}

TEST(Factorial, AdaptiveWithoutARefinedFactorIsTheSame) {
  const std::vector<FactorDomain> factors{numbers("a", {one, two}), numbers("b", {two, one})};
  EXPECT_EQ(texts(adaptive(factors)->ask()), texts(factorial(factors)->ask()));
}

}  // namespace
}  // namespace assay
