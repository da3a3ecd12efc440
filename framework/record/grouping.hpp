// SPDX-License-Identifier: Apache-2.0
// Results of a journal sorted for presentation.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "record/record.hpp"

namespace assay {

/// What a series yielded. Of records about the same thing (a later session supersedes an earlier one) the last counts.
struct SeriesGroup {
  SeriesRecord series;
  std::vector<PointRecord>
      points;  ///< by their factors in order: numbers ascending, placements from near to far, words
  std::vector<DerivedRecord> derived;  ///< in the order of the journal
};

/// The series in the order of the journal.
std::vector<SeriesGroup> group_by_series(const std::vector<Record>& records);

/// A point's result for a quantity in a regime; null where it has none.
const Result* find_result(const PointRecord& point, std::string_view quantity, Regime regime);

/// Puts points in the order of tables.
void in_order(std::vector<PointRecord>& points);

/// Negative, 0 or positive, as one level of a factor comes before another in tables.
int level_order(const Value& a, const Value& b);

/// Names of the factors of points, in order of appearance.
std::vector<std::string> factors_of(const std::vector<PointRecord>& points);

/// Whether a factor has more than one level among points; a point that does not have it counts as a level of its own.
bool varies(const std::string& factor, const std::vector<PointRecord>& points);

/// A level for people: words without quotes, whole sizes as 4Ki; "-" when the point does not have the factor.
std::string shown_level(const Point& point, const std::string& factor);
/// The same of a level's text.
std::string shown_level(const std::string& factor, const std::string& text);

}  // namespace assay
