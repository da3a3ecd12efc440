// SPDX-License-Identifier: Apache-2.0
// Rows and columns of the table of a series, as they were asked for.
#pragma once
#include <string>
#include <vector>

#include "record/grouping.hpp"
#include "record/table/result_row.hpp"
#include "record/table/table_choice.hpp"
#include "text/text_style.hpp"

namespace assay {

/// The rows of a series in the order asked for; points in the order of tables where nothing is, and where rows are
/// equal. What has no number comes last, whatever the direction. Views into the group.
std::vector<ResultRow> rows_of(const SeriesGroup& group, const TableChoice& choice);

/// A column, with as many cells and paints as there are rows.
struct TableColumn {
  std::string title;
  std::vector<std::string> cells;
  std::vector<Paint> paints{};
};

/// The columns asked for, or the usual ones. Values are never without their unit and marks: both are added where they
/// were left out. A factor that the series does not have is left out.
std::vector<TableColumn> columns_of(const SeriesGroup& group, const std::vector<ResultRow>& rows,
                                    const TableChoice& choice);

}  // namespace assay
