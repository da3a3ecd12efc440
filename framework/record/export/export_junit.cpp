// SPDX-License-Identifier: Apache-2.0
// JUnit XML: elements and attributes in the order that its common schema has them.
#include <algorithm>
#include <ostream>

#include "record/export/export_parts.hpp"
#include "record/export/exports.hpp"
#include "record/shown_value.hpp"
#include "record/table/result_row.hpp"
#include "text/printable.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

// What a point's end means as the outcome of a test case.
enum class Ending : unsigned char { passed, failure, error, skipped };

Ending ending_of(const PointRecord& point) {
  switch (point.outcome) {
    case Outcome::converged:
    case Outcome::no_promise:  // it was not asked to converge
      return Ending::passed;
    case Outcome::not_applicable:
    case Outcome::unsupported:
      return Ending::skipped;
    case Outcome::failed:
    case Outcome::timeout:
    case Outcome::aborted:
    case Outcome::open:
      return Ending::error;
    default:
      return Ending::failure;
  }
}

const char* element_of(Ending ending) {
  switch (ending) {
    case Ending::failure:
      return "failure";
    case Ending::error:
      return "error";
    default:
      return "skipped";
  }
}

// Foreign text: controls made visible, since XML cannot have most of them, and its own characters escaped.
std::string xml(const std::string& text) {
  std::string made;
  for (const char letter : printable(text)) switch (letter) {
      case '&':
        made += "&amp;";
        break;
      case '<':
        made += "&lt;";
        break;
      case '>':
        made += "&gt;";
        break;
      case '"':
        made += "&quot;";
        break;
      case '\'':
        made += "&apos;";
        break;
      default:
        made += letter;
    }
  // Two characters that UTF-8 may have and XML may not.
  for (const std::string_view banned : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})
    for (auto at = made.find(banned); at != made.npos; at = made.find(banned, at)) made.replace(at, banned.size(), "?");
  return made;
}

std::string result_line(const PointRecord& point, const Result& result, const ColumnScales& scales) {
  const Scale scale = scale_in(scales, result);
  const ShownValue text = shown(result.headline.value, result.headline.interval, scale);
  std::string line = result.quantity + ' ' + regime_text(result) + ": " + text.value + " [" + text.low + " .. " +
                     text.high + "] " + scale.name + ", n " + std::to_string(result.summary.n) + ", " +
                     verdict_text(result);
  const auto marks = mark_words(point, result);
  return marks.empty() ? line : line + "; marked: " + joined(marks, ", ");
}

// A point has one ending; which of its results it is from is printed in the output.
std::string reason_of(const PointRecord& point) {
  std::string text = to_text(point.outcome);
  if (!point.code.empty()) text += ' ' + point.code;
  return point.reason.empty() ? text : text + ": " + point.reason;
}

void write_case(std::ostream& out, const PointRecord& point, const ColumnScales& scales) {
  const Ending ending = ending_of(point);
  const std::string series = printable(point.series);
  std::string name = point_name(point).substr(series.size());
  name = name.empty() ? series : name.substr(1);
  out << "    <testcase classname=\"" << xml(point.series) << "\" name=\"" << xml(name) << "\"";
  if (ending == Ending::passed && point.results.empty()) {
    out << "/>\n";
    return;
  }
  out << ">\n";
  if (ending != Ending::passed) {
    out << "      <" << element_of(ending);
    if (ending != Ending::skipped) out << " type=\"" << to_text(point.outcome) << '"';
    out << " message=\"" << xml(reason_of(point)) << "\"/>\n";
  }
  if (!point.results.empty()) {
    out << "      <system-out>";
    for (const Result& result : point.results)
      out << (&result == &point.results.front() ? "" : "\n") << xml(result_line(point, result, scales));
    out << "</system-out>\n";
  }
  out << "    </testcase>\n";
}

std::ptrdiff_t count_of(const SeriesGroup& group, Ending ending) {
  return std::ranges::count_if(group.points, [=](const PointRecord& point) { return ending_of(point) == ending; });
}

void write_suite(std::ostream& out, const SeriesGroup& group) {
  out << "  <testsuite name=\"" << xml(group.series.series) << "\" tests=\"" << group.points.size() << "\" failures=\""
      << count_of(group, Ending::failure) << "\" errors=\"" << count_of(group, Ending::error) << "\" skipped=\""
      << count_of(group, Ending::skipped) << "\">\n"
      << "    <properties>\n      <property name=\"measurement\" value=\"" << xml(group.series.measurement)
      << "\"/>\n      <property name=\"rule\" value=\"" << xml(group.series.rule) << "\"/>\n    </properties>\n";
  const ColumnScales scales = column_scales(group);
  for (const PointRecord& point : group.points) write_case(out, point, scales);
  out << "  </testsuite>\n";
}

}  // namespace

Remarks write_junit(std::ostream& out, const ExportSource& source, const ExportOptions& /*options*/) {
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"assay\">\n";
  for (const SeriesGroup& group : group_by_series(source.records))
    if (!group.series.series.empty()) write_suite(out, group);
  out << "</testsuites>\n";
  return {};
}

}  // namespace assay
