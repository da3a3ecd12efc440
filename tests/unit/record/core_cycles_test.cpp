// SPDX-License-Identifier: Apache-2.0
// Times in cycles of a known clock: in tables, derived values and exports, and what stands where there are none.
#include "record/core_cycles.hpp"

#include <gmock/gmock.h>

#include <sstream>

#include "record/export/exports.hpp"
#include "record/table/table.hpp"
#include "text/json.hpp"
#include "unit/record/results.hpp"

namespace assay::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Result clocked(double median, double ghz, NoClock why = NoClock::not_kept) {
  Result result = plain_result(median, 0.01);
  result.clock = {ghz, ghz > 0 ? 0.005 : 0, why};
  return result;
}

PointRecord at_level(std::int64_t level, const Result& result) {
  return finished_point("s", point_of({{"level", level}}), result);
}

std::vector<Record> records_of(const std::vector<Result>& results) {
  std::vector<Record> records{SeriesRecord{"s", "logp/round_trip", {Quantity{}}, "fixed"}};
  for (std::size_t i = 0; i < results.size(); ++i)
    records.emplace_back(at_level(static_cast<std::int64_t>(i), results[i]));
  return records;
}

std::string table(const std::vector<Record>& records, TableChoice choice = {}) {
  std::ostringstream out;
  print_results(out, records, choice);
  return out.str();
}

TableChoice with_cycles() {
  TableChoice choice;
  choice.cycles = true;
  return choice;
}

TEST(CoreCycles, AreTimeTimesClockAndNoMoreCertainThanIt) {
  const auto cycles = cycles_of(clocked(100, 2.9));
  ASSERT_TRUE(cycles);
  EXPECT_DOUBLE_EQ(cycles->value, 290);
  EXPECT_DOUBLE_EQ(cycles->interval.low, 99 * 2.9 * 0.995);
  EXPECT_DOUBLE_EQ(cycles->interval.high, 101 * 2.9 * 1.005);
  EXPECT_EQ(cycles->interval.level, 0.95);
}

TEST(CoreCycles, OfADifferenceBelowZeroAreNoMoreCertainEither) {
  const CoreClock clock{2, 0.1, NoClock::not_kept};
  const Estimate cycles = in_cycles({"median", -10, {-12, 5, 0.95}, ""}, clock);
  EXPECT_DOUBLE_EQ(cycles.value, -20);
  EXPECT_DOUBLE_EQ(cycles.interval.low, -24 * 1.1);
  EXPECT_DOUBLE_EQ(cycles.interval.high, 10 * 1.1);
}

TEST(CoreCycles, AreNotOfWhatIsNoTimeOrHasNoClock) {
  Result rate = clocked(100, 2.9);
  rate.unit = Unit::per_second;
  EXPECT_FALSE(cycles_of(rate));
  EXPECT_FALSE(cycles_of(clocked(100, 0, NoClock::changed)));
  EXPECT_NE(why_no_cycles(clocked(100, 0, NoClock::changed)), why_no_cycles(rate));
  EXPECT_EQ(shown_cycles(rate).value, "-");
}

TEST(CoreCycles, StandBesideTimesOnDemandOnly) {
  const auto records = records_of({clocked(5.4, 3.7), clocked(100, 0, NoClock::several_cpus)});
  EXPECT_THAT(table(records), Not(HasSubstr("cycles")));
  const std::string text = table(records, with_cycles());
  EXPECT_THAT(text, HasSubstr("19.98"));
  EXPECT_THAT(text, HasSubstr("3.70"));
  TableChoice wide;
  wide.detail = TableDetail::wide;
  EXPECT_THAT(table(records, wide), Not(HasSubstr("cycles")));
}

TEST(CoreCycles, WithoutAnyThereIsALineAndNoColumn) {
  const auto records = records_of({clocked(5.4, 0, NoClock::not_of_core), clocked(7, 0, NoClock::not_of_core)});
  const std::string text = table(records, with_cycles());
  EXPECT_EQ(text.find("cycles"), text.rfind("cycles")) << text;
}

TEST(CoreCycles, ColumnsCanBeNamedAndSortedBy) {
  TableChoice choice;
  choice.columns = {"level", "cycles"};
  choice.sort = {{"cycles", true}};
  choice.raw = true;
  const std::string text =
      table(records_of({clocked(10, 2), clocked(8, 4), clocked(100, 0, NoClock::not_read)}), choice);
  const auto first = text.find("32");
  const auto second = text.find("20");
  EXPECT_LT(first, second) << "more cycles go first, whatever the ns\n" << text;
  EXPECT_THAT(text, testing::AllOf(HasSubstr("2.00"), HasSubstr("4.00")));
}

std::string with_derived(double ghz_of_last, const std::string& unit = "ns") {
  auto records = records_of({clocked(100, 3), clocked(150, ghz_of_last)});
  DerivedRecord derived;
  derived.series = "s";
  derived.name = "net";
  derived.quantity = "time";
  derived.unit = unit;
  derived.derived = {50, {49, 51, 0.95}, true, ""};
  records.emplace_back(derived);
  return table(records, with_cycles());
}

TEST(CoreCycles, DerivedTimesHaveThemWhereAllInputsHadOneClock) {
  for (const char* part : {"150.0", "146.3", "153.8"}) EXPECT_THAT(with_derived(3), HasSubstr(part));
  EXPECT_THAT(with_derived(2.5), Not(HasSubstr("] cycles")));
  EXPECT_THAT(with_derived(0), Not(HasSubstr("] cycles")));
  EXPECT_THAT(with_derived(3, "ns/B"), Not(HasSubstr("] cycles")));
}

struct Files {
  explicit Files(const std::vector<Record>& records, bool cycles) {
    ExportOptions options;
    options.cycles = cycles;
    std::ostringstream a;
    std::ostringstream b;
    std::ostringstream c;
    write_results_json(a, {records, {}}, options);
    write_wide_csv(b, {records, {}}, options);
    write_csv(c, records, CsvStyle::guarded, cycles);
    json = a.str();
    wide = b.str();
    rows = c.str();
  }
  std::string json, wide, rows;
};

TEST(CoreCycles, AreInExportsOnDemand) {
  const auto records = records_of({clocked(100, 2), clocked(7, 0, NoClock::shared)});
  const Files plain(records, false);
  for (const std::string& text : {plain.json, plain.wide, plain.rows}) EXPECT_THAT(text, Not(HasSubstr("cycles")));
  const Files told(records, true);
  EXPECT_THAT(told.wide,
              HasSubstr(",time_marks,time_cycles,time_cycles_lo,time_cycles_hi,time_clock_ghz,time_no_cycles,"));
  EXPECT_THAT(told.wide, HasSubstr(",200,197.01,203.01,2,,"));
  EXPECT_THAT(told.wide, HasSubstr(",,,,,shared,"));
  EXPECT_THAT(told.rows, HasSubstr(",reason,cycles,cycles_low,cycles_high,clock_ghz,no_cycles\n"));
  EXPECT_THAT(told.rows, HasSubstr(",200,197.01,203.01,2,\n"));
  EXPECT_THAT(told.rows, HasSubstr(",,,,,shared\n"));
  const Json whole = parse_json(told.json);
  const Json& first = whole.at("results").array().at(0);
  EXPECT_EQ(first.at("cycles").number(), 200);
  EXPECT_EQ(first.at("clock_ghz").number(), 2);
  EXPECT_TRUE(first.at("no_cycles").is_null());
  const Json& second = whole.at("results").array().at(1);
  EXPECT_TRUE(second.at("cycles").is_null());
  EXPECT_EQ(second.at("no_cycles").string(), "shared");
}

}  // namespace
}  // namespace assay::test
