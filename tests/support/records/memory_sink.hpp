// SPDX-License-Identifier: Apache-2.0
// A sink that keeps records in memory.
#pragma once
#include <vector>

#include "record/record.hpp"

namespace assay::test {

/// Keeps everything, in order.
class MemorySink final : public Sink {
 public:
  void write(const Record& record) override { records_.push_back(record); }
  const std::vector<Record>& records() const { return records_; }
  /// The records of one kind.
  template <class Kind>
  std::vector<Kind> all() const {
    std::vector<Kind> found;
    for (const Record& record : records_)
      if (const auto* one = std::get_if<Kind>(&record)) found.push_back(*one);
    return found;
  }

 private:
  std::vector<Record> records_;
};

}  // namespace assay::test
