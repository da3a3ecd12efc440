// SPDX-License-Identifier: Apache-2.0
// Parts of a quantity whose names are known only when it was measured.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace assay {

/// A part of a batch's value of the primary quantity.
struct FoundPart {
  std::string name;
  double value = 0;        ///< in the quantity's unit
  std::int64_t count = 0;  ///< how often it occurred
  friend bool operator==(const FoundPart&, const FoundPart&) = default;
};

/// A measurement that derives from this as well takes its primary quantity apart by names that it finds only while it
/// measures: interrupts, threads, files. The framework asks for them after each batch, and keeps, by point, the mean of
/// each over all batches, with an interval over the incarnations.
class PartFinder {
 public:
  PartFinder() = default;
  PartFinder(const PartFinder&) = delete;
  PartFinder& operator=(const PartFinder&) = delete;
  virtual ~PartFinder() = default;

  /// What the batches since the last call found, each name once. Called on the first member.
  virtual std::vector<FoundPart> take_found() = 0;
};

}  // namespace assay
