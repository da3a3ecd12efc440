// SPDX-License-Identifier: Apache-2.0
// Factors that a series declares by naming them in its patterns.
#include <algorithm>

#include "app/config/resolved.hpp"
#include "unit/app/plan_fixture.hpp"

namespace assay::test {
namespace {

class SeriesFactors : public PlanTest {
 protected:
  SeriesPlan task(const std::string& lines) const {
    return load("[series.one]\nmeasurement = demo/task\n" + lines).series.at(0);
  }

  static const Domain* domain(const SeriesPlan& plan, const std::string& factor) {
    const auto found = std::ranges::find(plan.factors, factor, &FactorDomain::name);
    return found == plan.factors.end() ? nullptr : &found->domain;
  }
};

std::vector<Value> words(const std::vector<std::string>& levels) { return {levels.begin(), levels.end()}; }

TEST_F(SeriesFactors, NamesInBracesAreFactorsOfTheSeries) {
  const auto plan = task("command = xz -T {threads}, '{file}'\nthreads = 1..4 *2\nfile = a, \"b c\"\n");
  EXPECT_EQ(domain(plan, "command")->levels, words({"xz -T {threads}, '{file}'"})) << "one level, commas and all";
  EXPECT_EQ(domain(plan, "threads")->levels, (std::vector<Value>{std::int64_t{1}, std::int64_t{2}, std::int64_t{4}}));
  EXPECT_EQ(domain(plan, "file")->levels, words({"a", "b c"}));
  EXPECT_EQ(domain(plan, "folder"), nullptr) << "what a series does not give is in no point";
  EXPECT_EQ(domain(plan, "placement")->levels, words({"unbound"}));
  const auto& factors = plan.measurement.factors;
  EXPECT_EQ(std::ranges::find(factors, "threads", &Factor::name)->kind, FactorKind::quantitative);
  EXPECT_EQ(std::ranges::find(factors, "file", &Factor::name)->kind, FactorKind::categorical);
}

TEST_F(SeriesFactors, PatternsInDoubleQuotesAreAList) {
  const auto plan = task("command = \"gzip {file}\", \"xz '{file}'\"\nfile = a\n");
  EXPECT_EQ(domain(plan, "command")->levels, words({"gzip {file}", "xz '{file}'"}));
}

TEST_F(SeriesFactors, NumbersCanBeRefined) {
  EXPECT_TRUE(domain(task("command = a {n}\nn = 1..1000 refine 5%\n"), "n")->refine.has_value());
}

TEST_F(SeriesFactors, TheResolvedConfigurationGivesThemAgain) {
  const auto plan = load("[series.one]\nmeasurement = demo/task\ncommand = a \"b\" {n}\nn = 1, 2\nfolder = x # y\n");
  const auto again = stored_plan(resolved_text(plan), "again", {}, catalogue_, topology_);
  EXPECT_EQ(resolved_text(again), resolved_text(plan));
  EXPECT_EQ(domain(again.series.at(0), "command")->levels, words({"a \"b\" {n}"}));
}

}  // namespace
}  // namespace assay::test
