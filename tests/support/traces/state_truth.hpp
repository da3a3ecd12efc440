// SPDX-License-Identifier: Apache-2.0
// Whether a core was alone during a recorded batch, told by the batch's own time and by nothing else.
#pragma once
#include <cstddef>
#include <vector>

#include "support/traces/state_trace.hpp"

namespace assay::test {

/// What a batch's time says.
enum class Truth {
  lone,    ///< as fast as the action is on a core that is alone
  shared,  ///< a seventh slower or more
  between  ///< it changed meanwhile, or something else was slow
};

/// The two modes of an action.
struct CellTruth {
  double lone = 0;         ///< ns of a batch: where the fastest accumulate
  double lone_median = 0;  ///< of all that are lone
  std::size_t batches = 0;
  std::size_t lones = 0;
  std::size_t shareds = 0;
  /// False where the modes are not apart, or one of them is hardly there.
  bool decidable() const;
};

/// Judges by cell, over a whole trace. Batches that were switched say nothing.
class StateTruth {
 public:
  explicit StateTruth(const StateTrace& trace);
  const CellTruth& cell(std::size_t index) const { return cells_.at(index); }
  Truth of(std::size_t cell, const KeptVisit::KeptBatch& batch) const;

 private:
  std::vector<CellTruth> cells_;
};

}  // namespace assay::test
