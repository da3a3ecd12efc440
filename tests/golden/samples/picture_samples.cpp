// SPDX-License-Identifier: Apache-2.0
// A matrix and two curves.
#include "golden/samples/picture_samples.hpp"

#include <string>

#include "unit/record/results.hpp"

namespace assay::test {

namespace {

std::string placement_of(int a, int b) {
  return std::string(a / 2 == b / 2 ? "same-l2@" : "same-l3@") + std::to_string(a) + '+' + std::to_string(b);
}

PointRecord cell(int a, int b) {
  PointRecord point = finished_point("matrix", point_of({{"placement", placement_of(a, b)}}),
                                     plain_result((a / 2 == b / 2 ? 60 : 200) + 4 * a + b, 0.01));
  if (a == 0 && b == 2) point.results.front().noisy = true;
  if (a == 0 && b == 2) point.results.front().headline.value = 9000;
  if (a == 3 && b == 1) {
    point.results.clear();
    point.outcome = Outcome::timeout;
    point.reason = "no answer in 10 s";
  }
  return point;
}

PointRecord curve_point(std::int64_t bytes, double value) {
  Result result = plain_result(value, 0.01);
  result.regime = bytes < 4096 ? Regime::spin : Regime::blocked;
  if (bytes == 64) {
    result.headline.value = 1e6;
    result.verdict.outcome = Outcome::max_time;
  }
  result.term = Term::short_term;
  return finished_point("curve", point_of({{"bytes", Value(bytes)}}), result);
}

}  // namespace

std::vector<Record> picture_records() {
  std::vector<Record> records{SeriesRecord{"matrix", "logp/round_trip", {}, "median-ci"}};
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b)
      if (a != b && !(a == 2 && b == 0)) records.emplace_back(cell(a, b));
  records.emplace_back(SeriesRecord{"curve", "logp/round_trip", {}, "median-ci"});
  double value = 100;
  for (std::int64_t bytes = 8; bytes <= 16384; bytes *= 2, value *= 1.5)
    records.emplace_back(curve_point(bytes, value));
  records.emplace_back(SeriesRecord{"short", "logp/round_trip", {}, "median-ci"});
  for (std::int64_t bytes = 1; bytes <= 3; ++bytes)
    records.emplace_back(finished_point("short", point_of({{"bytes", Value(bytes)}}), plain_result(50, 0.01)));
  return records;
}

}  // namespace assay::test
