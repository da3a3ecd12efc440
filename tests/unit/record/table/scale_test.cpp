// SPDX-License-Identifier: Apache-2.0
// Units and digits of values shown to people.
#include "text/scale.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "record/shown_value.hpp"
#include "record/table/table.hpp"

namespace assay {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string text(double value, double half, Unit unit = Unit::nanoseconds) {
  const Scale scale = scale_of(value, unit);
  const double in_unit = value / scale.size;
  return fixed_text(in_unit, decimals_for(in_unit, half / scale.size)) + ' ' + scale.name;
}

TEST(Scale, PicksPeoplesUnits) {
  EXPECT_EQ(text(0.25, 0.01), "0.250 ns");
  EXPECT_EQ(text(28834, 12), "28.834 us");
  EXPECT_EQ(text(28834, 130), "28.83 us");
  EXPECT_EQ(text(1.5e6, 1e5), "1.50 ms");
  EXPECT_EQ(text(6e10, 1e9), "60.0 s");
  EXPECT_EQ(text(-2500, 100), "-2.50 us");
  EXPECT_EQ(text(512, 1, Unit::bytes), "512.0 B");
  EXPECT_EQ(text(1536, 10, Unit::bytes), "1.5000 KiB");
  EXPECT_EQ(text(1.5 * 1024 * 1024 * 1024, 1e8, Unit::bytes_per_second), "1.500 GiB/s");
  EXPECT_EQ(text(1234567, 15000, Unit::per_second), "1.235 M/s");
  EXPECT_EQ(text(12, 0.1, Unit::per_second), "12.00 1/s");
  EXPECT_EQ(text(3, 0, Unit::count), "3 1");
  EXPECT_EQ(text(45000, 1000, Unit::count), "45.0 k");
  EXPECT_EQ(text(1e6, 1e4, Unit::ratio), "1000000 ratio");
}

TEST(Scale, BoundariesBelongToTheLargerUnit) {
  EXPECT_EQ(scale_of(999.999, Unit::nanoseconds).name, "ns");
  EXPECT_EQ(scale_of(1000, Unit::nanoseconds).name, "us");
  EXPECT_EQ(scale_of(1023, Unit::bytes).name, "B");
  EXPECT_EQ(scale_of(1024, Unit::bytes).name, "KiB");
  EXPECT_EQ(scale_of(infinity, Unit::nanoseconds).name, "ns");
  EXPECT_EQ(scale_of(std::nan(""), Unit::bytes).name, "B");
  EXPECT_EQ(scale_of(0, Unit::per_second).name, "1/s");
}

TEST(Scale, OneUnitForValuesThatAreNear) {
  EXPECT_EQ(common_scale({100, 9999}, Unit::nanoseconds)->name, "ns");
  EXPECT_EQ(common_scale({100, 10001}, Unit::nanoseconds)->name, "us");
  EXPECT_EQ(common_scale({9, 5e6}, Unit::nanoseconds), std::nullopt);
  EXPECT_EQ(common_scale({-100, 2e6, 0, std::nan("")}, Unit::nanoseconds), std::nullopt);
  EXPECT_EQ(common_scale({}, Unit::nanoseconds)->name, "ns");
  EXPECT_EQ(common_scale({0, 0}, Unit::bytes)->name, "B");
}

TEST(Decimals, ReachTheSecondDigitOfTheHalfWidth) {
  EXPECT_EQ(decimals_for(112.34, 0.6), 2);
  EXPECT_EQ(decimals_for(112.34, 1.3), 1);
  EXPECT_EQ(decimals_for(112.34, 13), 0);
  EXPECT_EQ(decimals_for(1123.4, 130), -1);
  EXPECT_EQ(decimals_for(28.83, 0.1), 2);
}

TEST(Decimals, StayWithinOneAndSixDigitsOfTheValue) {
  EXPECT_EQ(decimals_for(0.5, 20), 1);
  EXPECT_EQ(decimals_for(100, 1e-9), 3);
  EXPECT_EQ(decimals_for(0.001234, 1e-12), 8);
}

TEST(Decimals, WithoutIntervalThreeDigits) {
  EXPECT_EQ(decimals_for(95.012, infinity), 1);
  EXPECT_EQ(decimals_for(0.012345, infinity), 4);
  EXPECT_EQ(decimals_for(95.012, std::nan("")), 1);
}

TEST(Decimals, ExactValuesHaveNoZerosAtTheirEnd) {
  EXPECT_EQ(decimals_for(100, 0), 0);
  EXPECT_EQ(decimals_for(0.25, 0), 2);
  EXPECT_EQ(decimals_for(100.0 / 3, 0), 4);
  EXPECT_EQ(decimals_for(0, 0), 0);
  EXPECT_EQ(decimals_for(0, 0.02), 3);
  EXPECT_EQ(decimals_for(std::nan(""), 1), 0);
}

TEST(FixedText, RoundsAndSurvivesExtremes) {
  EXPECT_EQ(fixed_text(1234.5, -2), "1200");
  EXPECT_EQ(fixed_text(2.675, 1), "2.7");
  EXPECT_EQ(fixed_text(-infinity, 3), "-inf");
  EXPECT_EQ(fixed_text(std::nan(""), 3), "nan");
  EXPECT_EQ(fixed_text(std::numeric_limits<double>::max(), 15).size(), 325U);
  EXPECT_NO_THROW(text(5e-324, 5e-324));
  EXPECT_NO_THROW(text(1e308, 1e-308, Unit::ratio));
}

TEST(ShownValue, EndsHaveTheDigitsOfTheValue) {
  const ShownValue made = shown(2831.4, {2794.6, 2868.2, 0.95}, {1000, "us"});
  EXPECT_EQ(made.value, "2.831");
  EXPECT_EQ(made.low, "2.795");
  EXPECT_EQ(made.high, "2.868");
}

TEST(ShownValue, WiderSideDecides) {
  EXPECT_EQ(half_width(10, {9, 14, 0.95}), 4);
  EXPECT_EQ(half_width(10, {5, 11, 0.95}), 5);
  EXPECT_EQ(half_width(10, {}), infinity);
  EXPECT_EQ(shown(10, {}, {1, "ns"}).low, "-");
}

TEST(ShownValue, PerCent) {
  EXPECT_EQ(percent_text(0.0004), "0.04");
  EXPECT_EQ(percent_text(0.0064), "0.64");
  EXPECT_EQ(percent_text(0.031), "3.1");
  EXPECT_EQ(percent_text(0.25), "25");
  EXPECT_EQ(percent_text(infinity), "-");
}

TEST(Units, ReadBackFromTheirSymbols) {
  for (const Unit unit :
       {Unit::nanoseconds, Unit::count, Unit::bytes, Unit::bytes_per_second, Unit::per_second, Unit::ratio})
    EXPECT_EQ(parse_unit(symbol(unit)), unit);
  EXPECT_EQ(parse_unit("us"), std::nullopt);
}

}  // namespace
}  // namespace assay
