// SPDX-License-Identifier: Apache-2.0
// Zero, infinity, overflow and what is no number, through rules, tables and exports.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "base/typed.hpp"
#include "record/export/exports.hpp"
#include "record/shown_value.hpp"
#include "record/table/table.hpp"
#include "stats/rule/rule_text.hpp"
#include "stats/rule/stopping_rule.hpp"
#include "text/number_format.hpp"
#include "text/scale.hpp"

namespace assay {
namespace {

constexpr double largest = std::numeric_limits<double>::max();
constexpr double subnormal = std::numeric_limits<double>::denorm_min();
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double none = std::numeric_limits<double>::quiet_NaN();

const std::vector<std::vector<double>> finite_samples = {{5},          {0},
                                                         {0, 1},       {1, 2},
                                                         {-1, 1},      {-3},
                                                         {subnormal},  {0, subnormal},
                                                         {0x1p63},     {-0x1p63, 0x1p63},
                                                         {largest},    {-largest, largest},
                                                         {1, largest}, {1e-300, 1e300}};

Sample sample_of(const std::vector<double>& cycle, int visits) {
  Sample sample;
  for (int i = 0; i < 8 * visits; ++i)
    sample.add({cycle[static_cast<std::size_t>(i) % cycle.size()], 0, i / 8 % 5, i / 8});
  return sample;
}

std::vector<std::string> rules() {
  std::vector<std::string> texts{"all(median-ci, stddev)", "any(stderr, time:1s)"};
  for (const std::string& name : rule_names()) {
    if (name == "all" || name == "any") continue;
    texts.push_back(name + (name == "fixed" ? ":40" : name == "time" ? ":1s" : name == "quantile-ci" ? ":0.25" : ""));
  }
  return texts;
}

std::string text_of(const std::vector<double>& cycle) {
  std::string text;
  for (const double value : cycle) text += to_text(value) + " ";
  return text;
}

// A promise about accuracy needs an interval of numbers in order around a number.
void expect_honest(const Verdict& verdict, const std::string& what) {
  if (verdict.outcome != Outcome::converged) return;
  const Estimate& estimate = verdict.estimate;
  EXPECT_TRUE(std::isfinite(estimate.value)) << what;
  EXPECT_FALSE(std::isnan(estimate.relative_half_width())) << what;
  if (!estimate.interval.available()) return;
  EXPECT_LE(estimate.interval.low, estimate.value) << what;
  EXPECT_GE(estimate.interval.high, estimate.value) << what;
}

TEST(Faults, F34_no_rule_stops_at_a_number_that_is_none) {
  for (const std::string& text : rules()) {
    const auto rule = make_rule(parse_rule(text, {}));
    for (const auto& cycle : finite_samples)
      for (const int visits : {1, 2, 8, 40}) {
        const auto verdict = rule->check(sample_of(cycle, visits), {seconds(1), 0});
        expect_honest(verdict, text + " of " + text_of(cycle));
        EXPECT_EQ(verdict.reason.find("nan"), std::string::npos) << text << ": " << verdict.reason;
      }
    for (const double odd : {none, infinite, -infinite, largest, -largest}) {
      const auto verdict = rule->check(sample_of({1, odd}, 40), {seconds(1), 0});
      EXPECT_EQ(verdict.outcome, Outcome::failed) << text << " of " << odd << ": " << verdict.reason;
    }
  }
}

TEST(Faults, F34_a_constant_converges_and_zero_has_no_relative_error) {
  const auto rule = make_rule(parse_rule("median-ci", {}));
  EXPECT_EQ(rule->check(sample_of({5}, 40), {seconds(1), 0}).outcome, Outcome::converged);
  EXPECT_NE(rule->check(sample_of({-1, 1}, 40), {seconds(1), 0}).outcome, Outcome::converged);
  EXPECT_EQ((Estimate{"median", 0, {-1, 1, 0.95}, "visits"}).relative_half_width(), infinite);
}

PointRecord point_of(double value, double low, double high, Unit unit) {
  const Estimate estimate{"median", value, {low, high, 0.95}, "visits"};
  Result result;
  result.quantity = "time";
  result.unit = unit;
  result.verdict = {Outcome::converged, "", estimate};
  result.headline = estimate;
  result.summary = {9, value, value, value, value, low, high, value, value, value, value, value};
  result.disturbed_share = result.within_spread = result.between_spread = value;
  PointRecord record{"one", "demo", {}, Outcome::converged, "", "", Reps{1}, {result}};
  record.point.set("size", std::isnan(value) ? Value(std::int64_t{0}) : Value(value));
  return record;
}

std::string printed(const PointRecord& point) {
  std::ostringstream out;
  print_results(out, {point});
  write_csv(out, {point});
  return out.str() + one_line(point);
}

TEST(Faults, F34_every_number_can_be_shown) {
  const std::vector<double> values{0,      -0.0,    subnormal, -subnormal, 1,        -1,        0x1p53,
                                   0x1p63, -0x1p63, largest,   -largest,   infinite, -infinite, none};
  for (const Unit unit : {Unit::nanoseconds, Unit::count, Unit::bytes, Unit::per_second, Unit::ratio})
    for (const double value : values)
      for (const double low : values)
        for (const double high : {value, 2 * value, infinite}) {
          const auto text = printed(point_of(value, low, high, unit));
          EXPECT_LT(text.size(), 10000U) << value;
          EXPECT_EQ(text.find("18446744073709551615"), std::string::npos) << value;
        }
}

TEST(Faults, F34_exported_numbers_read_back_exactly) {
  for (const double value : {0.1, subnormal, largest, 0x1p63, 1 / 3.0, -1e-310}) {
    const auto text = printed(point_of(value, value, value, Unit::nanoseconds));
    EXPECT_NE(text.find("," + to_text(value) + ","), std::string::npos) << value;
    EXPECT_EQ(std::get<double>(parse_value(to_text(Value(value))).value_or(0.0)), value);
  }
}

TEST(Faults, F34_durations_and_counts_never_wrap) {
  for (const double ns : {0.0, subnormal, 0x1p63, largest, infinite}) {
    EXPECT_FALSE(rough_duration(Nanoseconds{ns}).starts_with("-")) << ns;
    EXPECT_FALSE(duration_text(Nanoseconds{ns}).starts_with("-")) << ns;
    EXPECT_FALSE(number_text(ns).starts_with("-")) << ns;
  }
  for (const char* text : {"1e30h", "1e308s", "9223372036854775808", "1e19"})
    EXPECT_FALSE(read_count(text).value) << text;
}

}  // namespace
}  // namespace assay
