// SPDX-License-Identifier: Apache-2.0
// Two counters and two limits.
#include "run/breaker.hpp"

namespace assay {
namespace {

constexpr int fewest_points = 20;

}  // namespace

void Breaker::add(const PointRecord& record) {
  const bool failed = has_failed(record.outcome);
  ++points_;
  if (failed) ++failed_;
  int& run = in_a_row_[record.measurement];
  // Once it is given up it stays so: what is skipped says nothing new.
  if (limits_.in_a_row > 0 && run >= limits_.in_a_row) return;
  if (failed)
    ++run;
  else if (!record.results.empty())
    run = 0;
}

std::string Breaker::gives_up(const std::string& measurement) const {
  const auto found = in_a_row_.find(measurement);
  if (limits_.in_a_row <= 0 || found == in_a_row_.end() || found->second < limits_.in_a_row) return {};
  return "skipped: " + std::to_string(limits_.in_a_row) + " points of " + measurement + " failed in a row";
}

std::string Breaker::ends() const {
  if (points_ < fewest_points || limits_.share >= 1 || failed_ <= limits_.share * points_) return {};
  return std::to_string(failed_) + " of " + std::to_string(points_) + " points failed";
}

}  // namespace assay
