// SPDX-License-Identifier: Apache-2.0
// What was known of the cores, put together again from the records of a journal.
#pragma once
#include <map>
#include <string>

#include "record/record.hpp"

namespace assay {

/// Remembers what holds for nodes, by the last record of each.
class KnownNodes {
 public:
  void add(const CoresRecord& record);
  /// Levels that nothing is known of yet but the nodes.
  CoreLevels no_levels() const;
  /// What was known of the cores when the point was finished.
  CoreLevels levels_of(const PointRecord& point) const;
  /// Of the chain on a node; 0: not known.
  int cycles_per_step(const std::string& node) const;

 private:
  std::map<std::string, NodeCores> nodes_;
};

}  // namespace assay
