// SPDX-License-Identifier: Apache-2.0
// The placements of a series, found by name however many there are.
#pragma once
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "platform/placement/placement.hpp"

namespace assay {

/// Placements in the order in which they were added.
class PlacementTable {
 public:
  PlacementTable() = default;
  PlacementTable(std::initializer_list<Placement> placements) {
    for (const Placement& placement : placements) push_back(placement);
  }
  void push_back(Placement placement);
  /// The first of that name that is for so many members; unbound ones are for any number. nullptr when there is none.
  const Placement* find(const std::string& name, int members) const;

  std::size_t size() const { return list_.size(); }
  const Placement& operator[](std::size_t i) const { return list_[i]; }
  std::vector<Placement>::const_iterator begin() const { return list_.begin(); }
  std::vector<Placement>::const_iterator end() const { return list_.end(); }
  friend bool operator==(const PlacementTable& a, const PlacementTable& b) { return a.list_ == b.list_; }

 private:
  std::vector<Placement> list_;
  std::map<std::string, std::vector<std::size_t>> index_;
};

}  // namespace assay
