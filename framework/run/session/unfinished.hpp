// SPDX-License-Identifier: Apache-2.0
// What a session that ended early leaves unmeasured.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "record/record.hpp"

namespace assay {

/// Counts the points that a session leaves for another one, and names some of them.
class Unfinished {
 public:
  /// Takes note of a point's record.
  void add(const PointRecord& record);
  /// A sentence for each series, by name: "series a: 12 points unfinished when session 1 ended: x=1; x=2; x=3 and 9
  /// more". A later session may have finished them.
  std::vector<NoteRecord> notes(int session) const;

 private:
  struct Some {
    std::size_t count = 0;
    std::vector<std::string> named;
  };
  std::map<std::string, Some> series_;
};

}  // namespace assay
