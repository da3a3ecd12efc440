// SPDX-License-Identifier: Apache-2.0
// Page faults are those that the kernel counts, of every place once; what cannot be mapped is told.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <numeric>

#include "support/measurements/one_batch.hpp"
#include "support/measurements/point_setup.hpp"
#include "vm/map.hpp"
#include "vm/touched.hpp"

namespace assay {
namespace {

using testing::HasSubstr;

constexpr const char* shadow = "what a sanitizer notes of each touch faults as well";

TEST(TouchedPlaces, AreEachTouchedOnceInAnOrderOfTheSeed) {
  const auto some = touched_offsets(64 * 4096, 4096, false, 7);
  EXPECT_EQ(some, touched_offsets(64 * 4096, 4096, false, 7));
  EXPECT_NE(some, touched_offsets(64 * 4096, 4096, false, 8));
  std::vector<std::size_t> sorted = some;
  std::sort(sorted.begin(), sorted.end());
  ASSERT_EQ(sorted.size(), 64U);
  for (std::size_t i = 0; i < sorted.size(); ++i) EXPECT_EQ(sorted[i], i * 4096);
  EXPECT_EQ(touched_offsets(10, 10, true, 1), (std::vector<std::size_t>{0, 9}));
}

TEST(PageFaultsCounted, AreOneForEachTouchOfNewMemory) {
  if (ASSAY_SANITIZED) GTEST_SKIP() << shadow;
  constexpr std::int64_t places = 64;
  const auto one = test::run_named(
      "vm/page_fault", {},
      {{"kind", std::string("anonymous")}, {"size", places * 4096}, {"stride", std::int64_t{4096}}}, Reps{10});
  EXPECT_GT(one.value("faults"), 0);
  EXPECT_LT(one.value("faults"), 1.5) << "of the test's own there are few";
  EXPECT_NEAR(one.value("touch") * places, one.value("touched") - one.value("untouched"), 1);
  EXPECT_NEAR(one.value("fault") * one.value("faults"), one.value("touch"), 1e-3);
}

TEST(PageFaultsCounted, AreFewerWhereTheKernelMapsPagesAroundThem) {
  if (ASSAY_SANITIZED) GTEST_SKIP() << shadow;
  const auto faults = [](std::int64_t stride) {
    return test::run_named("vm/page_fault", {},
                           {{"kind", std::string("file")}, {"size", std::int64_t{4 << 20}}, {"stride", stride}},
                           Reps{4})
        .value("faults");
  };
  EXPECT_LT(faults(4096), 0.6) << "64 KiB are mapped around each as a rule";
  EXPECT_GT(faults(1 << 18), 0);
}

TEST(PageFaultsCounted, AreOneForEachHugePageOrToldToBeSmall) {
  try {
    const auto one =
        test::run_named("vm/page_fault", {}, {{"kind", std::string("huge")}, {"size", std::int64_t{8 << 20}}}, Reps{2});
    EXPECT_LT(one.value("faults"), 4) << "8 of the batch may be others";
  } catch (const Unsupported& error) {
    EXPECT_THAT(error.what(), HasSubstr("huge"));
  }
}

Point mapped(std::int64_t size, std::int64_t stride) {
  Point point;
  point.set("kind", std::string("anonymous"));
  point.set("size", size);
  point.set("stride", stride);
  point.set("piece", std::int64_t{4096});
  point.set("directory", std::string("temporary"));
  return point;
}

template <class M>
std::string refusal_of(const Point& point) {
  test::PointSetup setup(point, 1);
  try {
    M measurement(setup);
  } catch (const Unsupported& error) {
    return error.what();
  }
  return "";
}

TEST(Mappings, WhatCannotBeMappedIsTold) {
  EXPECT_THAT(refusal_of<PageFaults>(mapped(4096, 8192)), HasSubstr("8192"));
  EXPECT_NE(refusal_of<PageFaults>(mapped(4096, 0)), "");
  EXPECT_THAT(refusal_of<PageFaults>(mapped(std::int64_t{1} << 50, 4096)), HasSubstr("fewer"));
  EXPECT_THAT(refusal_of<MapFile>(mapped(std::int64_t{1} << 50, 0)), HasSubstr("fewer"));
  EXPECT_THAT(refusal_of<MapFile>(mapped(1, 0)), HasSubstr("10"));
  EXPECT_THAT(refusal_of<Protect>(mapped(0, 0)), HasSubstr("size"));
}

TEST(Mappings, AreTouchedEvery16KiBOfTheirFirstTenth) {
  if (ASSAY_SANITIZED) GTEST_SKIP() << shadow;
  const auto one = test::run_named("vm/map", {}, {{"size", std::int64_t{10 << 20}}}, Reps{5});
  EXPECT_GT(one.value("time"), 0);
  EXPECT_GE(one.value("faults"), 1);
  EXPECT_LE(one.value("faults"), 64 + 2) << "places in 1 MiB, and some of the test's own";
}

TEST(Mappings, ChangeWhatMayBeDoneWithThem) {
  EXPECT_GT(test::run_named("vm/protect", {}, {{"size", std::int64_t{65536}}}, Reps{100}).value("time"), 0);
}

}  // namespace
}  // namespace assay
