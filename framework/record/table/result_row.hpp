// SPDX-License-Identifier: Apache-2.0
// A row of the table of a series, and the units that columns are shown in.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/grouping.hpp"
#include "record/record.hpp"
#include "text/scale.hpp"

namespace assay {

/// A regime that fewer batches were in has no row in tables; it is in the journal and the exports.
inline constexpr double least_share_shown = 0.25;
/// Whether a result has a row in tables.
bool is_shown(const Result& result);
/// A state that fewer batches were in has no row in tables that are not wide.
inline constexpr double least_share_of_state = 0.05;
/// Whether a result in another state than the one that was answered for is too rare for a row of its own.
bool is_rare_state(const Result& result);

/// By quantity, the scale in which all values of it can be read; nothing where there is no such
/// scale, and each value has one of its own.
using ColumnScales = std::map<std::string, std::optional<Scale>>;
ColumnScales column_scales(const std::vector<const Result*>& results);
/// Of all results of a series that have a row.
ColumnScales column_scales(const SeriesGroup& group);
/// The scale in which a result is shown.
Scale scale_in(const ColumnScales& scales, const Result& result);

/// A point with one of its results, or with none, and the unit that its values are shown in.
struct ResultRow {
  const PointRecord* point = nullptr;
  const Result* result = nullptr;
  Scale scale{};
  bool says_term = true;  ///< whether words of trust say that a value is short-term
};

}  // namespace assay
