// SPDX-License-Identifier: Apache-2.0
// Factors that a series declares by naming them in its patterns.
#include <algorithm>

#include "app/config/resolved.hpp"
#include "unit/app/plan_fixture.hpp"

namespace assay::test {
namespace {

class SeriesFactors : public PlanTest {
 protected:
  SeriesFactors() {
    Description task;
    task.name = "demo/task";
    task.summary = "one task";
    task.factors = {{.name = "command", .standard = std::string("true"), .is_pattern = true},
                    {.name = "folder", .standard = std::string("."), .is_pattern = true},
                    number_factor("limit", Unit::nanoseconds, 0)};
    task.placement = "unbound";
    catalogue_.built_in.push_back(task);
  }

  SeriesPlan task(const std::string& lines) const {
    return load("[series.one]\nmeasurement = demo/task\n" + lines).series.at(0);
  }
  std::string fault(const std::string& lines) { return problem(lines, "demo/task"); }

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

TEST_F(SeriesFactors, MistakesAreToldWhereTheyStand) {
  EXPECT_EQ(fault("command = xz {threads}\n"),
            "test.ini:3:15: error: nothing gives levels to {threads}; the series has no key 'threads'; add threads = "
            "LEVELS, or write {{ for a brace");
  EXPECT_EQ(fault("command = xz {thread}\nthreads = 1\nfolder = {threads}\n"),
            "test.ini:3:15: error: nothing gives levels to {thread}; the series has no key 'thread'; did you mean "
            "'threads'?");
  EXPECT_EQ(fault("command = xz\nthreads = 1\n"),
            "test.ini:4:1: error: unknown key 'threads' in [series.one]; no pattern of the series names it; write "
            "{NAME} where its levels belong; 'assay describe demo/task' lists the factors");
  EXPECT_EQ(fault("command = xz {members}\n"),
            "test.ini:3:15: error: {members} is no factor of the series' own; it is a key that has a meaning already; "
            "choose another name");
  EXPECT_EQ(fault("command = xz 'a\n"),
            "test.ini:3:14: error: command: a single quote is not closed; close it, or put it in double quotes");
  EXPECT_TRUE(fault("command = xz {n}\nn = 1, 1\n").starts_with("test.ini:4:8: error: n: level 1 is given twice"));
  EXPECT_TRUE(fault("command = xz {t}\nt = 1ms\n").starts_with("test.ini:4:5: error: wrong unit in '1ms'"));
}

}  // namespace
}  // namespace assay::test
