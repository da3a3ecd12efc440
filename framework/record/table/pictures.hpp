// SPDX-License-Identifier: Apache-2.0
// Curves and matrices of results as pictures of characters, and what these are made of: cells, the range of their
// values, and characters for both.
#pragma once
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/grouping.hpp"
#include "text/text_style.hpp"

namespace assay {

/// A point's value in a regime, or the character that stands in its place: the mark of one that is not to be taken at
/// its word.
struct PictureCell {
  const Result* result = nullptr;
  char mark = 0;  ///< 0 for a value
};

/// Characters in the place of values, beside the marks of tables.
inline constexpr char no_number = 'x';
inline constexpr char no_cell = '.';
inline constexpr char unsteady_cell = 'u';

/// The cell of a point: its value of the quantity in the regime, unless that has a mark. A short term alone, which is
/// every value's in a short campaign, is no reason to leave it out.
PictureCell cell_of(const PointRecord& point, const std::string& quantity, Regime regime);

/// The values of a picture, from the lowest to the highest.
class PictureRange {
 public:
  /// Values of cells with a mark do not count.
  explicit PictureRange(const std::vector<PictureCell>& cells);
  /// False where there is no value.
  bool any() const { return lowest_ != nullptr; }
  /// 0 to `levels` - 1; the middle one where all values are the same. By logarithms where the highest is ten times the
  /// lowest or more.
  int level(double value, int levels) const;
  /// "62.0 .. 367 ns", with ", by logarithms" where it is so; digits are those that the intervals support.
  std::string text() const;

 private:
  double position(double value) const;

  const Result* lowest_ = nullptr;
  const Result* highest_ = nullptr;
  bool is_logarithmic_ = false;
};

/// The character of a cell.
std::string character_of(const PictureCell& cell, const PictureRange& range, const TextStyle& style);
/// What characters of cells mean that are no values; empty where there are none.
std::string meaning_of_cells(const std::string& used);

/// Points of a series that differ in one factor only, and the regime that they are looked at in.
struct PictureGroup {
  std::string subject;  ///< the levels that distinguish it from others and the regime; may be empty
  Regime regime = Regime::solo;
  std::vector<const PointRecord*> points;
};
/// The groups of a series by everything but this factor, and by regime, points in the order of tables.
std::vector<PictureGroup> picture_groups(const SeriesGroup& group, const std::string& factor,
                                         const std::string& quantity);
/// The quantity that pictures are of: the primary one; nothing where no point has a result.
std::optional<std::string> pictured_quantity(const SeriesGroup& group);

/// A line for each curve of four points or more: the primary quantity over a factor with numbers as levels, in a
/// regime, at each combination of the other factors. One character per level, as high as its value is between the
/// lowest and the highest of the curve, which stand behind it: block elements, or digits from 0 to 9 in plain text.
/// Points that are marked are shown by their mark, those without a number by x, and neither counts for the range.
void print_curves(std::ostream& out, const SeriesGroup& group, const TextStyle& style);

/// A matrix for each combination of factors whose placements are pairs of CPUs, of three CPUs or more: the row is the
/// CPU of member 0, the column that of member 1. Cells are as those of curves, in colours where there are any.
void print_heat_maps(std::ostream& out, const SeriesGroup& group, const TextStyle& style);

}  // namespace assay
