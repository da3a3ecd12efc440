// SPDX-License-Identifier: Apache-2.0
// Journals of finished points, put together line by line.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "unit/record/results.hpp"

namespace assay::test {

/// Records in the order in which they are added.
class ResultJournal {
 public:
  using Levels = std::vector<std::pair<std::string, Value>>;

  /// A series with one quantity, or with several of one unit.
  ResultJournal& series(const std::string& name, const std::string& measurement,
                        const std::vector<std::string>& quantities, Unit unit = Unit::nanoseconds) {
    SeriesRecord record{name, measurement, {}, "median-ci(eps=0.02)"};
    for (const std::string& quantity : quantities) record.quantities.push_back({.name = quantity, .unit = unit});
    series_ = record;
    records_.emplace_back(std::move(record));
    return *this;
  }
  /// A point of the last series, a median per quantity with intervals of `half` of it to either side.
  ResultJournal& point(const Levels& levels, const std::vector<double>& medians, double half = 0.01) {
    PointRecord record = finished_point(series_.series, point_of(levels), plain_result(medians.front(), half));
    record.measurement = series_.measurement;
    record.results.clear();
    for (std::size_t i = 0; i < medians.size(); ++i) {
      Result result = plain_result(medians[i], half, series_.quantities.at(i).unit);
      result.quantity = series_.quantities.at(i).name;
      record.results.push_back(std::move(result));
    }
    records_.emplace_back(std::move(record));
    return *this;
  }
  /// A point that has a reason instead.
  ResultJournal& refused(const Levels& levels, Outcome outcome, const std::string& reason,
                         const std::string& code = {}) {
    records_.emplace_back(
        PointRecord{series_.series, series_.measurement, point_of(levels), outcome, reason, code, Reps{0}, {}});
    return *this;
  }
  ResultJournal& add(Record record) {
    records_.push_back(std::move(record));
    return *this;
  }
  const std::vector<Record>& records() const { return records_; }

 private:
  SeriesRecord series_;
  std::vector<Record> records_;
};

}  // namespace assay::test
