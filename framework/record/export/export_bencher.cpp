// SPDX-License-Identifier: Apache-2.0
// Bencher's metric format.
#include <algorithm>
#include <cmath>
#include <ostream>
#include <set>

#include "record/export/export_parts.hpp"
#include "record/export/exports.hpp"
#include "text/number_format.hpp"
#include "text/sha256.hpp"
#include "text/utf8.hpp"

namespace assay {

namespace {

using Members = Json::Object;

constexpr std::size_t longest_name = 1024;  // in characters, by Bencher's rules

// Names that are too long are cut, and distinguished by a digest.
std::string fitted(const std::string& name) {
  if (character_count(name) <= longest_name) return name;
  const std::string digest = " #" + digest_of(name);
  std::size_t end = 0;
  for (std::size_t count = 0; count + digest.size() < longest_name; ++count)
    end += std::max<std::size_t>(character_at(name, end).size, 1);
  return name.substr(0, end) + digest;
}

// The letter as a measure's name has it; a hyphen for what it has not.
char slug_letter(char letter) {
  const char small = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  const bool is_plain = (small >= 'a' && small <= 'z') || (small >= '0' && small <= '9');
  return is_plain ? small : '-';
}

// A measure's name by Bencher's rules: small letters, digits and hyphens, at most 64 of them.
std::string slug_of(const std::string& text) {
  constexpr std::size_t longest = 64;
  std::string slug;
  for (const char letter : text)
    if (const char plain = slug_letter(letter); plain != '-' || (!slug.empty() && slug.back() != '-')) slug += plain;
  slug.resize(std::min(slug.size(), longest));
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug.empty() ? "quantity" : slug;
}

// Bencher has measures of its own for times in ns and for rates.
std::string measure_of(const Result& result) {
  switch (result.unit) {
    case Unit::nanoseconds:
      return "latency";
    case Unit::per_second:
      return "throughput";
    default:
      return slug_of(result.quantity + '-' + symbol(result.unit));
  }
}

Json metric_json(const Estimate& headline) {
  Members metric{{"value", headline.value}};
  const Interval& interval = headline.interval;
  if (interval.available() && std::isfinite(interval.low)) metric.emplace_back("lower_value", interval.low);
  if (interval.available() && std::isfinite(interval.high)) metric.emplace_back("upper_value", interval.high);
  return metric;
}

}  // namespace

Remarks write_bencher(std::ostream& out, const ExportSource& source, const ExportOptions& /*options*/) {
  const auto groups = group_by_series(source.records);
  const NumberedResults found = numbered_results(groups);
  std::set<std::string> taken;
  Members whole;
  for (const NumberedResult& row : found.rows) {
    const std::string name = fitted(result_name(*row.group, *row.point, *row.result));
    const auto marks = static_cast<double>(mark_words(*row.point, *row.result).size());
    if (taken.insert(name).second)
      whole.emplace_back(name, Members{{measure_of(*row.result), metric_json(row.result->headline)},
                                       {"marks", Members{{"value", marks}}}});
  }
  out << '{';
  for (const auto& [name, measures] : whole)
    out << (&name == &whole.front().first ? "\n" : ",\n") << to_text(Json(name)) << ':' << to_text(measures);
  out << "\n}\n";
  Remarks remarks;
  if (whole.size() < found.rows.size())
    remarks.push_back(counted(found.rows.size() - whole.size(), "result") + " left out: another has the same name");
  tell_numberless(remarks, found.numberless);
  return remarks;
}

}  // namespace assay
