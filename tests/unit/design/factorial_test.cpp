// SPDX-License-Identifier: Apache-2.0
// The factorial design: every combination once, in parts.
#include <gtest/gtest.h>

#include <set>

#include "design/design.hpp"
#include "design/grid.hpp"

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

FactorDomain many(const std::string& name, std::int64_t count) {
  FactorDomain factor{name, {}};
  for (std::int64_t i = 0; i < count; ++i) factor.domain.levels.emplace_back(i);
  return factor;
}

TEST(Factorial, YieldsPartsUntilNothingIsLeft) {
  const auto design = factorial({many("a", 50), many("b", 60)});
  EXPECT_EQ(design->left(), 3000U);
  EXPECT_TRUE(design->ask(0).empty());
  std::vector<std::size_t> sizes;
  std::set<std::string> points;
  while (design->left() > 0) {
    const auto part = texts(design->ask());
    sizes.push_back(part.size());
    points.insert(part.begin(), part.end());
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{1024, 1024, 952}));
  EXPECT_EQ(points.size(), 3000U);
  EXPECT_TRUE(design->ask().empty());
}

TEST(Factorial, EachPartIsARandomSampleWhereThereIsASeed) {
  const auto design = factorial({many("a", 10'000)}, 1);
  std::vector<double> means;
  while (design->left() > 0) {
    double sum = 0;
    const auto part = design->ask(1000);
    for (const PointRequest& request : part) sum += *number_of(request.point.level("a"));
    means.push_back(sum / static_cast<double>(part.size()));
  }
  // The standard deviation of a part's mean is 87.
  for (const double mean : means) EXPECT_NEAR(mean, 4999.5, 400);
  EXPECT_NE(texts(factorial({many("a", 2000)}, 1)->ask()), texts(factorial({many("a", 2000)}, 2)->ask()));
  EXPECT_EQ(texts(factorial({many("a", 9)}, 1)->ask()), texts(factorial({many("a", 9)})->ask()));
}

TEST(Membership, KnowsFactorsAndLevelsInTheirOrder) {
  const Membership planned({numbers("a", {one, two}), numbers("b", {Value("x"), Value(2.5)})});
  const auto contains = [&](const char* text) { return planned.contains(*parse_point(text)); };
  EXPECT_TRUE(contains("a=2 b=x"));
  EXPECT_TRUE(contains("a=1 b=2.5"));
  EXPECT_FALSE(contains("a=1 b=2")) << "an integer is another level";
  EXPECT_FALSE(contains("a=3 b=x"));
  EXPECT_FALSE(contains("a=1"));
  EXPECT_FALSE(contains("b=x a=1"));
  EXPECT_FALSE(contains("a=1 c=x"));
}

TEST(Factorial, AdaptiveWithoutARefinedFactorIsTheSame) {
  const std::vector<FactorDomain> factors{numbers("a", {one, two}), numbers("b", {two, one})};
  EXPECT_EQ(texts(adaptive(factors)->ask()), texts(factorial(factors)->ask()));
}

}  // namespace
}  // namespace assay
