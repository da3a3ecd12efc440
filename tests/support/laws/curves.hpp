// SPDX-License-Identifier: Apache-2.0
// Response curves whose truth is known, as latencies over sizes and numbers of threads have them.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "design/curve.hpp"

namespace assay::test {

/// y(x) over the integers low..high.
struct Curve {
  std::string name;
  std::int64_t low = 1;
  std::int64_t high = std::int64_t{4} << 20;
  std::function<double(double)> y;
};

/// Constant plus linear; protocol steps after 4 Ki and 64 Ki; a jump after 12288; jumps after 10077 and 123457; a
/// cache staircase; contention of threads with a kink at 24 and a jump after 48; n log n; a bump; flat.
const std::vector<Curve>& known_curves();
/// One of them. Throws std::out_of_range.
const Curve& known_curve(std::string_view name);

/// How wrong an interpolant is over the range, on a dense grid that is uniform in log x.
struct Accuracy {
  double mean = 0;   ///< relative error
  double most = 0;   ///< relative error that 99 % of the grid keeps to: a jump's bracket may be the rest
  double worst = 0;  ///< largest relative error
  double wrong = 0;  ///< share of the grid that is wrong by more than `tolerance`
};
Accuracy accuracy_of(const std::vector<Node>& nodes, Basis basis, const Curve& curve, double tolerance = 0.05);
/// The same from the errors themselves; at least one.
Accuracy accuracy_of(std::vector<double> errors, double tolerance);

}  // namespace assay::test
