// SPDX-License-Identifier: Apache-2.0
// An index beside a list.
#include "platform/placement/placement_table.hpp"

#include <utility>

namespace assay {

void PlacementTable::push_back(Placement placement) {
  index_[placement.name].push_back(list_.size());
  list_.push_back(std::move(placement));
}

const Placement* PlacementTable::find(const std::string& name, int members) const {
  const auto named = index_.find(name);
  if (named == index_.end()) return nullptr;
  for (const std::size_t i : named->second)
    if (!list_[i].bound() || std::cmp_equal(list_[i].cpus.size(), members)) return &list_[i];
  return nullptr;
}

}  // namespace assay
