// SPDX-License-Identifier: Apache-2.0
// Raw observations in the words of a layout, a line each.
#include <algorithm>
#include <cmath>
#include <ostream>

#include "record/layout/layout_grid.hpp"
#include "text/printable.hpp"
#include "text/scale.hpp"

namespace assay {
namespace {

/// What stands between braces: QUANTITY or QUANTITY in UNIT.
struct Blank {
  std::string quantity;
  std::string unit;
};

Blank blank_of(const std::string& text) {
  const auto at = text.find(" in ");
  if (at == text.npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 4)};
}

/// The line with each {blank} replaced by what `fill` makes of it.
template <class Fill>
std::string filled(const std::string& text, Fill fill) {
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = std::min(text.find('{', at), text.size());
    const std::size_t close = std::min(text.find('}', open), text.size());
    line += text.substr(at, open - at);
    if (close < text.size()) line += fill(blank_of(text.substr(open + 1, close - open - 1)));
    at = close + 1;
  }
  return line;
}

void print_published(std::ostream& out, const LinesSpec& lines, const PublishedLines& published) {
  for (const auto& words : published.lines)
    out << "  " << printable(filled(lines.text, [&](const Blank& blank) -> std::string {
      const auto column = std::ranges::find(published.columns, blank.quantity) - published.columns.begin();
      return static_cast<std::size_t>(column) < words.size() ? words[static_cast<std::size_t>(column)] : "?";
    })) << '\n';
}

std::string observed(const Blank& blank, const JudgedBatch& batch, const std::vector<Quantity>& quantities) {
  const auto found = std::ranges::find(quantities, blank.quantity, &Quantity::name);
  if (found == quantities.end()) return "?";
  const auto total = combined_claims(batch.batch, *found, static_cast<std::size_t>(found - quantities.begin()));
  if (!total) return "?";
  constexpr int digits = 6;
  const double number = *total / (blank.unit.empty() ? 1 : multiple_named(blank.unit).value_or(1));
  if (number == std::round(number)) return fixed_text(number, 0);
  return fixed_text(number, std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(number))))));
}

void print_observed(std::ostream& out, const LinesSpec& lines, const VisitRecord& visit,
                    const std::vector<Quantity>& quantities) {
  for (std::size_t i = static_cast<std::size_t>(visit.discarded); i < visit.batches.size(); ++i) {
    const JudgedBatch& batch = visit.batches[i];
    out << "  "
        << printable(filled(lines.text, [&](const Blank& blank) { return observed(blank, batch, quantities); }));
    if (batch.judgement.disturbed.any()) out << "  (disturbed, left out)";
    out << '\n';
  }
}

void print_point(std::ostream& out, const LinesSpec& lines, const PointRecord& point,
                 const std::vector<SeriesGroup>& groups, const std::vector<Record>& records) {
  const auto group =
      std::ranges::find_if(groups, [&](const SeriesGroup& g) { return g.series.series == point.series; });
  for (const Record& record : records)
    if (const auto* visit = std::get_if<VisitRecord>(&record);
        visit != nullptr && visit->series == point.series && visit->point == point.point)
      print_observed(out, lines, *visit, group->series.quantities);
}

}  // namespace

void print_lines(std::ostream& out, const LinesSpec& lines, const LayoutSpec& spec, const LayoutSystems& systems,
                 std::span<const ShownCampaign> campaigns) {
  out << printable(lines.title.empty() ? lines.key : lines.title) << "\n\n";
  for (const PublishedLines& published : spec.reference.lines) {
    if (published.value != lines.value) continue;
    out << printable(published.system) << '\n';
    print_published(out, lines, published);
  }
  const ValueSpec& value = *std::ranges::find(spec.values, lines.value, &ValueSpec::name);
  for (const LayoutSystem& system : systems.all())
    for (const PointRecord* point : systems.points(system, value, {})) {
      out << printable(system.name) << ": " << printable(point->series) << ' ' << printable(to_text(point->point))
          << '\n';
      print_point(out, lines, *point, systems.groups()[system.campaign], campaigns[system.campaign].records);
    }
  out << '\n';
}

}  // namespace assay
