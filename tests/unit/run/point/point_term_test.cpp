// SPDX-License-Identifier: Apache-2.0
// The period that an open point's value is valid for.
#include <gtest/gtest.h>

#include "support/campaigns/fed_point.hpp"

namespace assay::test {
namespace {

/// The term of a value whose visits span more than enough, `taken` of them while others take much of the CPUs.
Term term_with(SeriesPlan series, int taken) {
  series.precision.min_span = milliseconds(100);
  Fed fed(std::move(series));
  fed.visits(20 - taken, {10}, 0.01);
  fed.is_taken = true;
  fed.visits(taken, {10}, 0.01);
  return fed.point.finish(fed.point.stopped(Outcome::max_time, "enough")).results.at(0).term;
}

TEST(OpenPoint, WhatOthersTakeOfTheCpusIsOfTheMomentWhereOneCoreIsNotAlone) {
  EXPECT_EQ(term_with(fake_team("pair", 2, Waiting::blocks), 5), Term::session);
  EXPECT_EQ(term_with(fake_team("pair", 2, Waiting::blocks), 6), Term::short_term);
  SeriesPlan on_core = fake_series("one", {});
  on_core.measurement.core_cycles = CoreCycles::always;
  EXPECT_EQ(term_with(on_core, 20), Term::session) << "its yardsticks judge it";
  on_core.measurement.core_cycles = CoreCycles::on_one_cpu;
  EXPECT_EQ(term_with(on_core, 20), Term::short_term);
}

}  // namespace
}  // namespace assay::test
