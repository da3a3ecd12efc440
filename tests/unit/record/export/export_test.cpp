// SPDX-License-Identifier: Apache-2.0
// Exports: the same numbers as in tables, marks on all that is marked, and no number where there is none.
#include "record/export/exports.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "base/error.hpp"
#include "golden/samples/record_samples.hpp"
#include "record/table/table.hpp"
#include "text/json.hpp"
#include "unit/record/results.hpp"

namespace assay {
namespace {

using test::finished_point;
using test::plain_result;
using test::point_of;
using testing::HasSubstr;
using testing::Not;

using Writer = decltype(&write_results_json);

struct Written {
  std::string text;
  Remarks remarks;
};

Written written(Writer write, std::vector<Record> records, const ExportOptions& options = {},
                ObservationLog observations = {}) {
  std::ostringstream out;
  const ExportSource source{records, std::move(observations)};
  Remarks remarks = write(out, source, options);
  return {out.str(), std::move(remarks)};
}

SeriesRecord series_of(Quantity quantity) { return {"s", "logp/round_trip", {std::move(quantity)}, "median-ci"}; }

PointRecord point_at(std::int64_t level, Result result) {
  return finished_point("s", point_of({{"level", level}}), std::move(result));
}

Result marked_result(double median) {
  Result result = plain_result(median, 0.01);
  result.verdict.outcome = Outcome::max_time;
  return result;
}

TEST(ExportJson, TextsAreThoseOfTheTables) {
  std::ostringstream table;
  print_results(table, test::sample_records());
  const Json whole = parse_json(written(write_results_json, test::sample_records()).text);
  std::size_t compared = 0;
  for (const Json& row : whole.at("results").array()) {
    const Json& text = row.at("text");
    if (row.at("median").is_null() || row.at("regime_share").number() < 0.25) continue;
    // As the table has it, with its marks, before the interval.
    std::string cell = text.at("median").string() + ' ' + text.at("marks").string();
    while (cell.back() == ' ') cell.pop_back();
    std::string squeezed;
    for (const char letter : table.str())
      if (letter != ' ' || squeezed.empty() || squeezed.back() != ' ') squeezed += letter;
    EXPECT_THAT(squeezed, HasSubstr(' ' + cell + ' ')) << to_text(row);
    if (text.at("low").string() != "-") {
      EXPECT_THAT(squeezed, HasSubstr(text.at("low").string() + " .. " + text.at("high").string()));
    }
    ++compared;
  }
  EXPECT_EQ(compared, 7U);
}

TEST(ExportJson, AnotherDayIsNullWhereNothingIsKnownOfIt) {
  Result known = plain_result(5, 0.01);
  known.another_day = {{4.5, 5.625, 0.95}, 6};
  const Json whole = parse_json(
      written(write_results_json, {series_of({}), point_at(1, plain_result(5, 0.01)), point_at(2, known)}).text);
  const auto& rows = whole.at("results").array();
  EXPECT_TRUE(rows.at(0).at("another_day").is_null());
  EXPECT_EQ(to_text(rows.at(1).at("another_day")), R"({"low":4.5,"high":5.625,"level":0.95,"from":6})");
}

TEST(ExportJson, WhatIsNotFiniteIsNull) {
  Result result = plain_result(100, 0.01);
  result.summary.max = std::numeric_limits<double>::infinity();
  result.summary.mean = std::numeric_limits<double>::quiet_NaN();
  result.headline.interval = {};
  const Json whole = parse_json(written(write_results_json, {point_at(1, result)}).text);
  const Json& row = whole.at("results").array().at(0);
  for (const char* key : {"max", "mean", "low", "high"}) EXPECT_TRUE(row.at(key).is_null()) << key;
  EXPECT_EQ(to_text(row.at("marks")), R"(["no-interval"])");
}

TEST(ExportJson, APointWithoutANumberHasItsReason) {
  const PointRecord point{"s", "m", point_of({}), Outcome::not_applicable, "members spin", "N1", Reps{0}, {}};
  const Json whole = parse_json(written(write_results_json, {point}).text);
  const Json& row = whole.at("results").array().at(0);
  EXPECT_TRUE(row.at("median").is_null());
  EXPECT_EQ(row.at("code").string(), "N1");
  EXPECT_EQ(row.at("reason").string(), "members spin");
}

TEST(ExportWideCsv, HasARowPerPointAndRegimeWithItsMarks) {
  Result spin = plain_result(100, 0.01);
  spin.regime = Regime::spin;
  Result slept = marked_result(3000);
  slept.regime = Regime::blocked;
  PointRecord point = point_at(8, spin);
  point.results.push_back(slept);
  std::istringstream lines(written(write_wide_csv, {point}).text);
  std::string header;
  std::string first;
  std::string second;
  std::getline(lines, header);
  std::getline(lines, first);
  std::getline(lines, second);
  EXPECT_EQ(header,
            "series,measurement,level,regime,time_median,time_lo,time_hi,time_avg,time_std,time_min,time_max,"
            "time_cnt,time_unit,time_verdict,time_marks,verdict,marks,code,reason");
  EXPECT_EQ(first,
            "s,logp/round_trip,8,spin,100,99,101,125,12.5,75,400,640,ns,converged,,converged,,,"
            "half-width below the target");
  EXPECT_THAT(second, HasSubstr(",8,blocked,3000,"));
  EXPECT_THAT(second, HasSubstr(",ns,max-time,not-converged,max-time,not-converged,"));
}

TEST(ExportWideCsv, FactorsDoNotTakeTheNamesOfColumns) {
  const PointRecord point =
      finished_point("s", point_of({{"regime", std::string("x")}, {"time_lo", std::int64_t{1}}}), plain_result(1, 0.1));
  EXPECT_THAT(written(write_wide_csv, {point}).text,
              testing::StartsWith("series,measurement,factor.regime,factor.time_lo,regime,time_median,time_lo,"));
}

TEST(ExportGithubAction, AMixtureOfDirectionsIsRefusedWithAdvice) {
  const std::vector<Record> mixed{point_at(1, plain_result(100, 0.01)),
                                  point_at(2, plain_result(5e6, 0.01, Unit::bytes_per_second)),
                                  point_at(3, plain_result(7, 0.01, Unit::count))};
  try {
    written(write_github_action, mixed);
    FAIL() << "a mixture was written";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("--direction smaller"));
  }
  ExportOptions options;
  options.direction = Better::bigger;
  const Written bigger = written(write_github_action, mixed, options);
  EXPECT_THAT(bigger.text, HasSubstr("level=2"));
  EXPECT_THAT(bigger.text, Not(HasSubstr("level=1")));
  EXPECT_EQ(bigger.remarks.size(), 2U) << "what is left out is told";
}

// Programs that follow results through time do so by name, and marks come and go.
TEST(ExportNames, MarksAreNoPartOfNames) {
  const std::vector<Record> records{series_of({}), point_at(1, plain_result(100, 0.01)),
                                    point_at(2, marked_result(50))};
  for (const Writer write : {&write_github_action, &write_bencher}) {
    EXPECT_THAT(written(write, records).text, HasSubstr("\"s level=1\""));
    EXPECT_THAT(written(write, records).text, HasSubstr("\"s level=2\""));
  }
  EXPECT_THAT(written(write_github_action, records).text, HasSubstr("marks: not-converged"));
  EXPECT_THAT(written(write_bencher, records).text, HasSubstr(R"("marks":{"value":1.0})"));
}

VisitRecord visit_of(int number, const std::vector<double>& totals) {
  VisitRecord visit{"s", point_of({{"level", std::int64_t{1}}}), 0, 0, number, number, {}, {}, 1, {}, {}};
  for (const double total : totals) {
    JudgedBatch judged;
    judged.batch.reps = Reps{10};
    judged.batch.members.resize(1);
    judged.batch.members[0].claims = Claims(Nanoseconds{total});
    judged.batch.members[0].cpu = {total / 2};
    visit.batches.push_back(judged);
  }
  return visit;
}

Result result_of(std::size_t n, double least, double most) {
  Result result = plain_result(11, 0.01);
  result.summary.n = n;
  result.summary.min = least;
  result.summary.max = most;
  return result;
}

PointRecord calibrated(Result result) {
  PointRecord point = point_at(1, std::move(result));
  point.reps = Reps{10};
  return point;
}

// The first batch of a visit is discarded, a disturbed one is left out, and so are those before a new calibration.
TEST(ExportGoogleBenchmark, HasAggregatesAndOnDemandARowPerKeptTiming) {
  VisitRecord second = visit_of(1, {900, 120, 5000});
  second.batches[2].judgement.disturbed.set(0);
  VisitRecord early = visit_of(0, {900, 700});
  early.batches[1].batch.reps = Reps{7};
  ObservationLog log;
  for (const Record& record : std::vector<Record>{series_of({}), early, visit_of(0, {900, 100, 110}), second})
    log.add(record);
  const std::vector<Record> records{series_of({}), calibrated(result_of(3, 10, 12))};
  ExportOptions options;
  const Json aggregates = parse_json(written(write_google_benchmark, records, options, log).text);
  std::vector<std::string> names;
  for (const Json& row : aggregates.at("benchmarks").array()) names.push_back(row.at("aggregate_name").string());
  EXPECT_THAT(names, testing::ElementsAre("mean", "median", "stddev", "min", "max"));
  options.observations = true;
  const Json whole = parse_json(written(write_google_benchmark, records, options, log).text);
  std::vector<double> times;
  for (const Json& row : whole.at("benchmarks").array()) {
    if (row.at("run_type").string() == "aggregate") continue;
    EXPECT_EQ(row.at("name").string(), "s/level:1/real_time");
    EXPECT_EQ(row.at("level").integer(), 1);
    times.push_back(row.at("real_time").number());
    EXPECT_EQ(row.at("cpu_time").number(), times.back() / 2);
  }
  EXPECT_THAT(times, testing::ElementsAre(10, 11, 12));
  EXPECT_TRUE(whole.at("context").at("caches").array().empty());
}

TEST(ExportGoogleBenchmark, TimingsBeforeAVisitSettledAreNone) {
  ObservationLog log;
  for (const Record& record :
       std::vector<Record>{series_of({}), visit_of(0, {900, 300, 100, 110}), visit_of(1, {900, 250, 120})})
    log.add(record);
  PointRecord point = calibrated(result_of(3, 10, 12));
  point.settled = 2;
  ExportOptions options;
  options.observations = true;
  std::vector<double> times;
  const Json whole = parse_json(written(write_google_benchmark, {series_of({}), point}, options, log).text);
  for (const Json& row : whole.at("benchmarks").array())
    if (row.at("run_type").string() != "aggregate") times.push_back(row.at("real_time").number());
  EXPECT_THAT(times, testing::ElementsAre(10, 11, 12));
}

TEST(ExportGoogleBenchmark, TimingsThatAreNotTheResultsAreNotTakenForThem) {
  ObservationLog log;
  for (const Record& record : std::vector<Record>{series_of({}), visit_of(0, {900, 100, 110})}) log.add(record);
  ExportOptions options;
  options.observations = true;
  const Written text = written(write_google_benchmark, {series_of({}), calibrated(result_of(2, 10, 99))}, options, log);
  const Json whole = parse_json(text.text);
  for (const Json& row : whole.at("benchmarks").array()) EXPECT_EQ(row.at("run_type").string(), "aggregate");
  EXPECT_EQ(text.remarks.size(), 1U);
}

TEST(ExportOpenMetrics, TimesAreInSecondsAndMarksAreStates) {
  PointRecord point = point_at(1, marked_result(50));
  point.point = point_of({{"le", std::string("a\"b\\c")}, {"x-y", std::int64_t{1}}});
  const std::string text = written(write_openmetrics, {series_of({}), point}).text;
  EXPECT_THAT(text, HasSubstr("# TYPE assay_median_seconds gauge\n# UNIT assay_median_seconds seconds\n"));
  EXPECT_THAT(text, HasSubstr("factor_le="));
  EXPECT_THAT(text, HasSubstr("x_y=\"1\"} 5e-08\n"));
  EXPECT_THAT(text, HasSubstr("assay_marks=\"not-converged\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("assay_marks=\"noisy\"} 0\n"));
  EXPECT_THAT(text, testing::EndsWith("# EOF\n"));
}

TEST(ExportOtava, HasAColumnPerResultWithItsUnit) {
  const std::string text =
      written(write_otava, {series_of({}), point_at(1, plain_result(100, 0.01)), point_at(2, marked_result(50))}).text;
  EXPECT_EQ(text, "time,host,version,marks,s level=1 (ns),s level=2 (ns)\n,,,s level=2: not-converged,100,50\n");
}

TEST(ExportMarkdown, LevelsAreNoMarkup) {
  PointRecord point = point_at(1, marked_result(50));
  point.point = point_of({{"word", std::string("a|b<i>")}});
  const std::string text = written(write_markdown, {series_of({}), point}).text;
  EXPECT_THAT(text, HasSubstr("a\\|b\\<i\\>"));
  EXPECT_THAT(text, HasSubstr("| not-converged |\n"));
}

TEST(ExportJunit, EndingsAreWhatTheyAre) {
  PointRecord skipped{
      "s", "m", point_of({{"level", std::int64_t{3}}}), Outcome::not_applicable, "spin & <share>", "N1", Reps{0}, {}};
  PointRecord error{"s",     "m", point_of({{"level", std::int64_t{4}}}), Outcome::timeout, "no \"answer\"\x01", "",
                    Reps{0}, {}};
  const std::string text = written(write_junit, {series_of({}), point_at(1, plain_result(100, 0.01)),
                                                 point_at(2, marked_result(50)), skipped, error})
                               .text;
  EXPECT_THAT(text, HasSubstr(R"(tests="4" failures="1" errors="1" skipped="1")"));
  EXPECT_THAT(text, HasSubstr(R"(<failure type="max-time")"));
  EXPECT_THAT(text, HasSubstr(R"(<skipped message="not-applicable N1: spin &amp; &lt;share&gt;"/>)"));
  EXPECT_THAT(text, HasSubstr(R"(<error type="timeout" message="timeout: no &quot;answer&quot;\x01"/>)"));
}

TEST(ExportGnuplot, ForeignTextsStandInQuotesThatNothingIsExpandedIn) {
  SeriesRecord series = series_of({});
  series.series = "it's `touch x` @y]]>";
  PointRecord point = point_at(1, plain_result(100, 0.01));
  point.series = series.series;
  const std::string text = written(write_gnuplot, {series, point}).text;
  EXPECT_THAT(text, HasSubstr(R"('it''s \x60touch x\x60 @y]]\x3e: time)"));
  EXPECT_THAT(text, Not(HasSubstr("`")));
}

TEST(ExportSkampi, MarkedRowsSaySo) {
  const std::string text =
      written(write_skampi, {series_of({}), point_at(1, plain_result(2000, 0.01)), point_at(2, marked_result(50))})
          .text;
  EXPECT_THAT(text, HasSubstr("level= 1 2.5 0.015625 640 2 1.98 2.02 1.5 8\n"));
  EXPECT_THAT(text, HasSubstr("level= 2 0.0625 "));
  EXPECT_THAT(text, HasSubstr("# marked: not-converged; max-time\n"));
}

}  // namespace
}  // namespace assay
