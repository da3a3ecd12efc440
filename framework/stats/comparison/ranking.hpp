// SPDX-License-Identifier: Apache-2.0
// One group of values after the other against all that are left, by ranks.
#pragma once
#include <cstddef>
#include <map>
#include <vector>

#include "stats/comparison/rank_tests.hpp"

namespace assay {

/// All values in order: each group of them against the others by its ranks among all, without a look at every pair.
class Ranking {
 public:
  explicit Ranking(std::vector<double> all);
  /// Two-sided p of a group that is among them (Mann and Whitney, as in MannWhitney), exact also where a small group
  /// lies at one end of thousands. 1 where there are no others.
  double p_of(const std::vector<double>& group);

 private:
  std::vector<double> sorted_;
  double ties_ = 0;
  std::map<std::size_t, MannWhitney> known_;  ///< by the group's number of values
};

}  // namespace assay
