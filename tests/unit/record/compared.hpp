// SPDX-License-Identifier: Apache-2.0
// Campaigns with incarnations of known medians, for tests of comparisons.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "unit/record/results.hpp"

namespace assay::test {

/// A result whose incarnations found values around `median`, an unequal step apart.
inline Result compared_result(double median, int incarnations = 10, int session = 0) {
  Result result = plain_result(median, 0.01);
  result.incarnations = incarnations;
  for (int i = 0; i < incarnations; ++i)
    result.processes.push_back(
        {session, session * incarnations + i, median * (1 + 2e-4 * (i - (incarnations - 1) / 2.0)), 64});
  return result;
}

/// Point `n` of a series.
inline PointRecord compared_point(std::int64_t n, Result result, const std::string& series = "one") {
  return finished_point(series, point_of({{"n", n}}), std::move(result));
}

/// A campaign's records, which a test may change.
struct ComparedCampaign {
  CampaignRecord campaign{"demo", "[campaign]\nclock = monotonic\n[series.one]\nwarm-up = 5ms\n", 1, "interleaved"};
  SessionRecord session{
      0, "2026-01-31T12:00:00Z", "assay run", {{"cpu.model", "synthetic"}, {"kernel.release", "6.1"}}};
  SeriesRecord series{"one", "logp/round_trip", {Quantity{}}, "median-ci"};
  std::vector<PointRecord> points;
  std::vector<VisitRecord> visits;

  std::vector<Record> records() const {
    std::vector<Record> all{campaign, session, series};
    all.insert(all.end(), visits.begin(), visits.end());
    for (const PointRecord& point : points) {
      all.emplace_back(IncarnationRecord{point.series, point.point, 0, 0, 0, {}, {}, 0, 0});
      all.emplace_back(point);
    }
    return all;
  }
};

}  // namespace assay::test
