// SPDX-License-Identifier: Apache-2.0
// What is given up, and what is not.
#include "run/breaker.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

PointRecord finished(const std::string& measurement, Outcome outcome) {
  PointRecord record;
  record.measurement = measurement;
  record.outcome = outcome;
  if (ran_its_course(outcome)) record.results.emplace_back();
  return record;
}

void add(Breaker& breaker, int times, const std::string& measurement, Outcome outcome) {
  for (int i = 0; i < times; ++i) breaker.add(finished(measurement, outcome));
}

TEST(Breaker, FiveFailuresInARowGiveAMeasurementUp) {
  Breaker breaker({});
  add(breaker, 4, "a", Outcome::failed);
  EXPECT_EQ(breaker.gives_up("a"), "");
  add(breaker, 1, "a", Outcome::timeout);
  EXPECT_EQ(breaker.gives_up("a"), "skipped: 5 points of a failed in a row");
  EXPECT_EQ(breaker.gives_up("b"), "");
  add(breaker, 1, "a", Outcome::converged);
  EXPECT_NE(breaker.gives_up("a"), "") << "given up for good";
}

TEST(Breaker, ASuccessBetweenThemBeginsAnew) {
  Breaker breaker({});
  for (int i = 0; i < 3; ++i) {
    add(breaker, 4, "a", Outcome::failed);
    add(breaker, 1, "a", Outcome::converged);
  }
  EXPECT_EQ(breaker.gives_up("a"), "");
}

TEST(Breaker, WhatHasNoMeaningHereIsNeitherFailureNorSuccess) {
  Breaker breaker({});
  add(breaker, 4, "a", Outcome::failed);
  add(breaker, 10, "a", Outcome::not_applicable);
  EXPECT_EQ(breaker.gives_up("a"), "");
  add(breaker, 1, "a", Outcome::failed);
  EXPECT_NE(breaker.gives_up("a"), "");
}

TEST(Breaker, AFifthOfTwentyPointsEndsTheCampaign) {
  Breaker breaker({0, 0.2});
  add(breaker, 19, "a", Outcome::failed);
  EXPECT_EQ(breaker.ends(), "") << "too few points to tell";
  add(breaker, 76, "b", Outcome::converged);
  EXPECT_EQ(breaker.ends(), "") << "exactly a fifth";
  add(breaker, 1, "a", Outcome::failed);
  EXPECT_EQ(breaker.ends(), "20 of 96 points failed");
}

TEST(Breaker, CanBeTurnedOff) {
  Breaker breaker({0, 1});
  add(breaker, 100, "a", Outcome::failed);
  EXPECT_EQ(breaker.gives_up("a"), "");
  EXPECT_EQ(breaker.ends(), "");
}

}  // namespace
}  // namespace assay
