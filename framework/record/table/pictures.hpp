// SPDX-License-Identifier: Apache-2.0
// Curves and matrices of results as pictures of characters.
#pragma once
#include <iosfwd>

#include "record/grouping.hpp"
#include "text/text_style.hpp"

namespace assay {

/// A line for each curve of four points or more: the primary quantity over a factor with numbers as levels, in a
/// regime, at each combination of the other factors. One character per level, as high as its value is between the
/// lowest and the highest of the curve, which stand behind it: block elements, or digits from 0 to 9 in plain text.
/// Points that are marked are shown by their mark, those without a number by x, and neither counts for the range.
void print_curves(std::ostream& out, const SeriesGroup& group, const TextStyle& style);

/// A matrix for each combination of factors whose placements are pairs of CPUs, of three CPUs or more: the row is the
/// CPU of member 0, the column that of member 1. Cells are as those of curves, in colours where there are any.
void print_heat_maps(std::ostream& out, const SeriesGroup& group, const TextStyle& style);

}  // namespace assay
