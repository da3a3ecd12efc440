// SPDX-License-Identifier: Apache-2.0
// The parts of a point's primary quantity that have names of their own, from all visits.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "record/record.hpp"
#include "run/host.hpp"

namespace assay {

/// Those that a visit found, as its record has them.
std::vector<NamedPart> named_parts(const VisitYield& yield);

/// Sums of parts by incarnation.
class NamedParts {
 public:
  /// Adds those of a visit with so many batches that are estimated; an empty list says that there were none in them.
  void add(int incarnation, std::size_t batches, std::span<const NamedPart> parts);
  void clear() { processes_.clear(); }
  /// A value for each name: its mean over all batches, the largest first, with Student's interval over the incarnations
  /// from three of them on; those of less than 0.2 % of all together, and beyond the first twenty, in one.
  /// Nothing where no visit had any.
  std::vector<DerivedRecord> records(const DerivedRecord& like, double alpha) const;

 private:
  struct Sum {
    double value = 0;
    std::int64_t count = 0;
  };
  struct Process {
    double batches = 0;
    std::map<std::string, Sum> parts;
  };
  std::map<std::string, Sum> totals() const;
  Derived mean_of(std::span<const std::string> names, double alpha) const;

  std::map<int, Process> processes_;
};

}  // namespace assay
