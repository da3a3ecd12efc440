// SPDX-License-Identifier: Apache-2.0
// The levels of a range with a step.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "base/value.hpp"

namespace assay {

/// `first..last +step` or `first..last *step`; the values are numbers.
struct SteppedRange {
  Value first;
  Value last;
  Value step;
  bool geometric = false;
};

/// Which part of a range an error is about.
enum class RangePart { none, ends, step, size };

/// Either levels in ascending order, or what is wrong with the range.
struct LevelsResult {
  std::vector<Value> levels;
  RangePart wrong = RangePart::none;
  std::string what;
  std::string remedy;
};

/// What forbids a range with these ends whatever its step; levels stay empty.
LevelsResult check_ends(const Value& first, const Value& last);

/// Expands a range to first, first + step, first + 2 step, ... (or first * step, first * step^2, ...) as far as they
/// lie below last, and last itself. Between integers a geometric range is rounded to integers, each kept once. Reals
/// are computed from the ends, not summed up, and rounded to 15 significant digits, so that 0..1 +0.1 has 0.3. Errors:
/// first above last; a step not above 0; a factor not above 1; a geometric range not starting above 0; a step of less
/// than 10^-12 of the ends, which rounding swallows; more than `limit` levels (found before they are computed).
LevelsResult expand(const SteppedRange& range, std::size_t limit);

}  // namespace assay
