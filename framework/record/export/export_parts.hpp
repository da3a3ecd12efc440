// SPDX-License-Identifier: Apache-2.0
// What several export formats say in the same way: names of points, words for marks, numbers that JSON can hold.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "record/grouping.hpp"
#include "record/record.hpp"
#include "text/json.hpp"

namespace assay {

/// A mark as a word.
std::string_view mark_word(char mark);
/// The marks of a result as words, in the order of the marks: "not-converged", "short-term", "noisy", "no-interval",
/// "cpus-moved". None for a result that is to be taken at its word.
std::vector<std::string> mark_words(const PointRecord& point, const Result& result);
/// The same of a point's results together.
std::vector<std::string> mark_words(const PointRecord& point);

/// A text as a cell of a table in Markdown: nothing of it is taken for a border, an element or an emphasis.
std::string markdown_cell(const std::string& text);

/// Where a format names a result by one text: series, levels of all factors, the quantity unless it is the series'
/// first, the regime where there are several. Printable, and the same in every run: programs that follow results
/// through time do so by name, so that marks, which come and go, are no part of it.
std::string result_name(const SeriesGroup& group, const PointRecord& point, const Result& result);
/// The part of it that a point has: "round-trip channel=futex bytes=4096".
std::string point_name(const PointRecord& point);

/// A result that has a number, and where it stands.
struct NumberedResult {
  const SeriesGroup* group;
  const PointRecord* point;
  const Result* result;
};
/// All of them in the order of tables, and how many points and results there are without a number.
struct NumberedResults {
  std::vector<NumberedResult> rows;
  std::size_t numberless = 0;
};
NumberedResults numbered_results(const std::vector<SeriesGroup>& groups);
/// A remark on them for formats that cannot say why there is none, unless there are none.
void tell_numberless(std::vector<std::string>& remarks, std::size_t count);

/// Null for a number that is not finite.
Json finite_json(double number);
/// A number of the interval, null where there is none.
Json when_json(const Interval& interval, double number);
/// A level as number or word.
Json level_json(const Value& level);
/// A count.
Json count_json(std::size_t count);
/// The levels of a point by factor.
Json::Object levels_json(const Point& point);

/// A result's headline in core cycles as numbers in full, what is not available empty; and, for a time without, why
/// not: a word of NoClock.
struct CycleTexts {
  std::string cycles;
  std::string low;
  std::string high;
  std::string clock;  ///< GHz
  std::string why_not;
};
CycleTexts cycle_texts(const Result& result);

/// True when a result has a number to go with.
bool has_number(const Result& result);

}  // namespace assay
