// SPDX-License-Identifier: Apache-2.0
// A row of the table of a series.
#pragma once
#include "record/record.hpp"
#include "text/scale.hpp"

namespace assay {

/// A point with one of its results, or with none, and the unit that its values are shown in.
struct ResultRow {
  const PointRecord* point = nullptr;
  const Result* result = nullptr;
  Scale scale{};
};

}  // namespace assay
