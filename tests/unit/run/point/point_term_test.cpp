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

constexpr CoreReading quiet{Nanoseconds{0.08}, Nanoseconds{1}};
constexpr CoreReading busy{Nanoseconds{0.13}, Nanoseconds{1}};

/// A finished point whose visits read this on the sides of their eight batches: 'a' for alone, 's' for shared. None of
/// its batches is as short as a state.
PointRecord read_as(const std::string& sides) {
  CoreLevels levels(3);
  for (int i = 0; i < 40; ++i) levels.add(0, quiet);
  SeriesPlan series = fake_series("one", {});
  series.precision.min_span = milliseconds(100);
  Fed fed(std::move(series));
  fed.point.judge_by(levels);
  for (int visit = 0; visit < 40; ++visit) {
    std::vector<Batch> batches = fed.batches_about(10, 0.01);
    for (std::size_t k = 0; k < batches.size(); ++k) {
      MemberReport& report = batches[k].members.at(0);
      report.cpu_before = report.cpu_after = 0;
      report.core_before = sides.at(k) == 'a' ? quiet : busy;
      report.core_after = sides.at(k + 1) == 'a' ? quiet : busy;
    }
    fed.visit(std::move(batches));
  }
  return fed.point.finish(fed.point.stopped(Outcome::max_time, "enough"));
}

TEST(OpenPoint, WhatIsAsFoundOfCoresThatOthersSharedMuchIsOfTheMoment) {
  const PointRecord much = read_as("assassass");
  EXPECT_EQ(much.results.at(0).state, CoreState{});
  EXPECT_EQ(much.results.at(0).term, Term::short_term);
  EXPECT_EQ(much.cores.size(), 1U) << "which says how it was found";
  const PointRecord little = read_as("aaaasaaaa");
  EXPECT_EQ(little.results.at(0).state, CoreState{});
  EXPECT_EQ(little.results.at(0).term, Term::session);
  EXPECT_EQ(read_as("aaaaaaaaa").results.at(0).state.sharing, Sharing::alone);
}

}  // namespace
}  // namespace assay::test
