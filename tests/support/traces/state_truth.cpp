// SPDX-License-Identifier: Apache-2.0
// Modes of recorded actions.
#include "support/traces/state_truth.hpp"

#include "stats/core/core_levels.hpp"
#include "stats/sample/summary.hpp"

namespace assay::test {
namespace {

constexpr double least_share = 0.05;  // of the batches: what accumulates
// A loop's place and the predictor's mood are worth up to 6 % within a process; a neighbour 17 % and more.
constexpr double lone_within = 1.08;
constexpr double shared_from = 1.14;
constexpr double most_between = 0.1;

}  // namespace

bool CellTruth::decidable() const {
  const auto all = static_cast<double>(batches);
  return static_cast<double>(lones) >= least_share * all && static_cast<double>(shareds) >= least_share * all &&
         static_cast<double>(batches - lones - shareds) <= most_between * all;
}

StateTruth::StateTruth(const StateTrace& trace) : cells_(trace.cells.size()) {
  std::vector<LevelCounts> counts(cells_.size());
  for (const KeptVisit& visit : trace.visits)
    for (const auto& batch : visit.batches)
      if (!batch.switched) counts[visit.cell].add(static_cast<double>(batch.elapsed));
  for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i].lone = counts[i].lowest(least_share).value_or(0);
  std::vector<std::vector<double>> lones(cells_.size());
  for (const KeptVisit& visit : trace.visits)
    for (const auto& batch : visit.batches) {
      if (batch.switched) continue;
      CellTruth& cell = cells_[visit.cell];
      ++cell.batches;
      const Truth truth = of(visit.cell, batch);
      if (truth == Truth::lone) lones[visit.cell].push_back(static_cast<double>(batch.elapsed));
      cell.shareds += truth == Truth::shared ? 1 : 0;
    }
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    cells_[i].lones = lones[i].size();
    if (!lones[i].empty()) cells_[i].lone_median = median(std::move(lones[i]));
  }
}

Truth StateTruth::of(std::size_t cell, const KeptVisit::KeptBatch& batch) const {
  const double ratio = static_cast<double>(batch.elapsed) / cells_.at(cell).lone;
  if (ratio <= lone_within) return Truth::lone;
  return ratio >= shared_from ? Truth::shared : Truth::between;
}

}  // namespace assay::test
