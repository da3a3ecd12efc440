// SPDX-License-Identifier: Apache-2.0
// The promise of the search for the odd one out: hardly a false alarm among equal units, and what is slow is found.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "stats/comparison/outliers.hpp"
#include "support/laws/laws.hpp"

namespace assay::test {
namespace {

/// Reports on k units with r estimates each, drawn from a law and multiplied by the units' factors.
class Reports {
 public:
  Reports(std::size_t units, std::size_t estimates, Law law)
      : factors_(units, 1.0), estimates_(estimates), law_(std::move(law)) {}
  Reports& slowed(std::size_t unit, double factor) {
    factors_[unit] = factor;
    return *this;
  }
  std::vector<UnitFinding> next() {
    std::vector<std::vector<double>> units;
    for (const double factor : factors_) {
      auto& unit = units.emplace_back();
      for (std::size_t i = 0; i < estimates_; ++i) unit.push_back(factor * law_(rng_));
    }
    return outliers(units);
  }
  /// Share of so many reports in which any unit that is like the others is called slow or fast.
  double false_alarms(int reports) {
    int alarmed = 0;
    for (int i = 0; i < reports; ++i) {
      const auto found = next();
      bool any = false;
      for (std::size_t u = 0; u < found.size(); ++u) any = any || (factors_[u] == 1 && is_alarm(found[u]));
      alarmed += any ? 1 : 0;
    }
    return alarmed / static_cast<double>(reports);
  }
  /// Share of so many reports in which every slowed unit is called slow and no other one anything but ok or unclear.
  double found(int reports) {
    int right = 0;
    for (int i = 0; i < reports; ++i) {
      const auto found = next();
      bool all = true;
      for (std::size_t u = 0; u < found.size(); ++u)
        all = all && (factors_[u] > 1 ? found[u].oddity == Oddity::slow : !is_alarm(found[u]));
      right += all ? 1 : 0;
    }
    return right / static_cast<double>(reports);
  }

 private:
  static bool is_alarm(const UnitFinding& finding) {
    return finding.oddity == Oddity::slow || finding.oddity == Oddity::fast;
  }
  std::vector<double> factors_;
  std::size_t estimates_;
  Law law_;
  Rng rng_{20261122};
};

/// Processes of which one in ten is many times slower, and worse: a tail without variance.
Law pareto(double floor, double shape) {
  return {"pareto", 0, 0, [=](Rng& rng) { return floor * std::pow(1 - rng.uniform(), -1 / shape); }};
}

std::vector<Law> laws() {
  return {log_normal(100, 0.02),       log_normal(100, 0.3), contaminated(100, 2, 0.1, 5),
          shifted_exponential(50, 50), pareto(100, 1.1),     bimodal(100, 160, 0.4, 2)};
}

TEST(OutlierPromise, EqualUnitsRaiseAnAlarmInOneReportOfTwentyAtMost) {
  // The limits are 5 % and what so many reports scatter by, one case in a hundred; ranks are few, so the test errs
  // less.
  for (const std::size_t units : {2U, 3U, 4U, 8U})
    for (const Law& law : laws())
      for (const std::size_t estimates : {5U, 12U})
        EXPECT_LE(Reports(units, estimates, law).false_alarms(300), 0.08) << units << " " << law.name;
  for (const Law& law : laws()) {
    EXPECT_LE(Reports(16, 5, law).false_alarms(100), 0.1) << law.name;
    EXPECT_LE(Reports(64, 5, law).false_alarms(30), 0.15) << law.name;
  }
}

TEST(OutlierPromise, ASlowUnitIsFound) {
  for (const std::size_t units : {3U, 4U, 8U, 16U})
    for (const double factor : {1.5, 2.0}) {
      EXPECT_GE(Reports(units, 5, log_normal(100, 0.05)).slowed(1, factor).found(100), 0.9) << units << " " << factor;
      EXPECT_GE(Reports(units, 10, contaminated(100, 2, 0.1, 5)).slowed(0, factor).found(100), 0.85) << units;
    }
  EXPECT_GE(Reports(64, 5, log_normal(100, 0.05)).slowed(63, 1.5).found(10), 0.9);
}

TEST(OutlierPromise, TwoSlowUnitsOfEightAreFoundBoth) {
  for (const double factor : {1.5, 2.0}) {
    EXPECT_GE(Reports(8, 5, log_normal(100, 0.05)).slowed(2, factor).slowed(5, factor).found(100), 0.9) << factor;
    EXPECT_GE(Reports(8, 10, log_normal(100, 0.1)).slowed(2, 1.5).slowed(5, 2).found(100), 0.9);
  }
}

TEST(OutlierPromise, UnitsLikeTheOthersAreNotBlamedForSlowOnes) {
  for (const std::size_t estimates : {5U, 20U}) {
    EXPECT_LE(Reports(3, estimates, log_normal(100, 0.05)).slowed(0, 2).false_alarms(400), 0.075);
    EXPECT_LE(Reports(8, estimates, log_normal(100, 0.05)).slowed(0, 2).slowed(1, 1.5).slowed(2, 3).false_alarms(400),
              0.075);
    EXPECT_LE(Reports(4, estimates, log_normal(100, 0.3)).slowed(0, 2).slowed(1, 2).false_alarms(400), 0.075);
  }
}

}  // namespace
}  // namespace assay::test
