// SPDX-License-Identifier: Apache-2.0
// Answers of earlier sessions, for the requests that a design repeats.
#pragma once
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "design/design.hpp"
#include "record/record.hpp"

namespace assay {

/// A point that an earlier session finished.
struct Finished {
  PointRecord record;
  int next_visit = 0;      ///< visits from this one on came later
  bool same_rule = false;  ///< the rule was the same then, whatever its budgets
};

/// Answers to requests, each the first that was not used of those to its point. Borrows the answers.
class Replay {
 public:
  explicit Replay(std::vector<Finished>& finished);

  /// Takes note of a request; false when nothing answers it.
  bool has_answer(const PointRequest& request);
  /// The request whose answer comes first in the journal; nothing when all were answered.
  std::optional<std::pair<PointRequest, const Finished*>> next();
  /// The answer was given.
  void consume(const PointRequest& request, const Finished& answer);
  /// Takes out the points that were asked for: the others are not in the plan.
  void remove_asked();
  /// By text of the point: the first visit that came after the answer given.
  const std::map<std::string, int>& first_visits() const { return first_visits_; }

 private:
  std::vector<Finished>& finished_;
  std::map<std::string, std::deque<std::size_t>> answers_;  ///< by text of the point
  std::map<std::size_t, PointRequest> due_;
  std::set<std::string> asked_;
  std::map<std::string, int> first_visits_;
};

}  // namespace assay
