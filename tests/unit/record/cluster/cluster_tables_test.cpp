// SPDX-License-Identifier: Apache-2.0
// Which results of nodes are compared: those of one regime, and of members that were spread alike.
#include "record/cluster/cluster_tables.hpp"

#include <gtest/gtest.h>

#include "unit/record/results.hpp"

namespace assay::cluster {
namespace {

constexpr int nodes = 5;

Result result_at(double median, Spread spread, double share) {
  Result result = test::plain_result(median, 0.01);
  result.quantity = "rtt";
  result.state.spread = spread;
  result.state_share = share;
  for (int i = 0; i < 5; ++i) result.processes.push_back({0, i, median * (1 + 0.003 * (i - 2)), 40});
  return result;
}

// Members on one CPU take 6 us, on separate ones 36; the last node's were mostly on separate ones.
std::vector<Record> pairs(bool has_both) {
  std::vector<Record> records{SeriesRecord{"handoff", "logp/round_trip", {{.name = "rtt"}}, ""}};
  for (int i = 0; i < nodes; ++i) {
    const bool is_last = i == nodes - 1;
    PointRecord point = test::finished_point(
        "handoff", test::point_of({{"node", "n" + std::to_string(i)}}),
        is_last ? result_at(36, Spread::own_cpus, 0.7) : result_at(6 + 0.001 * i, Spread::one_cpu, 0.7));
    if (is_last && has_both) point.others.push_back(result_at(6, Spread::one_cpu, 0.3));
    records.emplace_back(point);
  }
  return records;
}

const UnitRow& last_of(const std::vector<Table>& tables) { return tables.at(0).units.at(nodes - 1); }

TEST(ClusterTables, MembersThatWereSpreadAlikeAreCompared) {
  const auto groups = group_by_series(pairs(true));
  const auto tables = tables_of(groups);
  EXPECT_NEAR(last_of(tables).value, 6, 1e-9);
  EXPECT_EQ(last_of(tables).finding.oddity, Oddity::ok);
}

TEST(ClusterTables, MembersThatWereSpreadOtherwiseAreNotCompared) {
  const auto groups = group_by_series(pairs(false));
  const auto tables = tables_of(groups);
  EXPECT_EQ(last_of(tables).cell.result, nullptr);
  EXPECT_EQ(last_of(tables).finding.oddity, Oddity::unclear);
  EXPECT_EQ(tables.at(0).units.at(0).finding.oddity, Oddity::ok);
}

}  // namespace
}  // namespace assay::cluster
