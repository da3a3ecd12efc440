// SPDX-License-Identifier: Apache-2.0
// Levels from what was recorded of them.
#include "record/known_cores.hpp"

#include "base/simulated_core.hpp"

namespace assay {

void KnownNodes::add(const CoresRecord& record) {
  // Launches and the session around them have records of their own.
  if (record.cycles_per_step > 0) nodes_[{}] = {{}, record.cycles_per_step, false};
  for (const NodeCores& node : record.nodes)
    if (node.cycles_per_step > 0) nodes_[node.node] = node;
}

CoreLevels KnownNodes::no_levels() const {
  CoreLevels levels;
  for (const auto& [name, node] : nodes_) levels.know(node);
  return levels;
}

CoreLevels KnownNodes::levels_of(const PointRecord& point) const {
  CoreLevels levels = point.simulated ? CoreLevels(simulated_cycles_per_step) : no_levels();
  for (const CoreLevel& level : point.cores) levels.confirm(level);
  return levels;
}

int KnownNodes::cycles_per_step(const std::string& node) const {
  const auto found = nodes_.find(node);
  return found == nodes_.end() ? 0 : found->second.cycles_per_step;
}

}  // namespace assay
