// SPDX-License-Identifier: Apache-2.0
// Matrices of pairs of CPUs.
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <ostream>
#include <set>
#include <utility>

#include "record/table/pictures.hpp"
#include "text/printable.hpp"
#include "text/utf8.hpp"

namespace assay {

namespace {

constexpr const char* placement_factor = "placement";
constexpr std::size_t fewest_cpus = 3;
constexpr std::size_t most_maps = 8;
constexpr std::size_t widest_spaced = 40;  // CPUs whose cells have a blank between them

using Pair = std::pair<int, int>;
using CellsByPair = std::map<Pair, PictureCell>;

// The two CPUs of "0+1" or "same-l3@0+1".
std::optional<Pair> pair_of(const Point& point) {
  const std::string text = point.text(placement_factor);
  const auto at = text.find('@');
  const std::string list = at == text.npos ? text : text.substr(at + 1, text.find('@', at + 1) - at - 1);
  Pair pair;
  const char* const end = list.data() + list.size();
  const auto first = std::from_chars(list.data(), end, pair.first);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '+') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, pair.second);
  if (second.ec != std::errc{} || second.ptr != end) return std::nullopt;
  return pair;
}

std::vector<int> cpus_of(const CellsByPair& pairs) {
  std::set<int> cpus;
  for (const auto& entry : pairs) cpus.insert({entry.first.first, entry.first.second});
  return {cpus.begin(), cpus.end()};
}

// From dark blue over green to yellow: a scale whose lightness rises, so that it can be read without colour vision.
std::string coloured(const PictureCell& cell, const PictureRange& range, const TextStyle& style) {
  constexpr std::array<int, 10> background{17, 18, 24, 30, 36, 71, 107, 143, 179, 226};
  if (cell.mark != 0 || !style.colour) return character_of(cell, range, style);
  const int level = range.level(cell.result->headline.value, 10);
  const std::string text = level < 5 ? "97" : "30";
  return "\x1b[" + text + ";48;5;" + std::to_string(background.at(static_cast<std::size_t>(level))) + "m" +
         std::to_string(level) + "\x1b[0m";
}

// The numbers of CPUs above their columns, a digit per line.
void print_columns(std::ostream& out, const std::vector<int>& cpus, std::size_t margin, const std::string& between) {
  const std::size_t digits = std::to_string(cpus.back()).size();
  for (std::size_t digit = 0; digit < digits; ++digit) {
    out << std::string(margin, ' ');
    for (const int cpu : cpus) {
      out << between << to_right(std::to_string(cpu), digits)[digit];
    }
    out << '\n';
  }
}

void print_map(std::ostream& out, const CellsByPair& pairs, const PictureRange& range, const TextStyle& style) {
  const auto cpus = cpus_of(pairs);
  const std::string between = cpus.size() > widest_spaced ? "" : " ";
  const std::size_t margin = 2 + std::to_string(cpus.back()).size();
  print_columns(out, cpus, margin, between);
  for (const int row : cpus) {
    out << to_right(std::to_string(row), margin);
    for (const int column : cpus) {
      const auto found = pairs.find({row, column});
      out << between << coloured(found == pairs.end() ? PictureCell{nullptr, no_cell} : found->second, range, style);
    }
    out << '\n';
  }
}

CellsByPair pairs_of(const PictureGroup& group, const std::string& quantity) {
  CellsByPair pairs;
  for (const PointRecord* point : group.points)
    if (const auto pair = pair_of(point->point)) pairs.insert_or_assign(*pair, cell_of(*point, quantity, group.regime));
  return pairs;
}

void print_one(std::ostream& out, const PictureGroup& group, const CellsByPair& pairs, const std::string& quantity,
               const TextStyle& style) {
  std::vector<PictureCell> cells;
  std::string used{no_cell};
  for (const auto& entry : pairs) {
    cells.push_back(entry.second);
    if (entry.second.mark != 0) used += entry.second.mark;
  }
  const PictureRange range(cells);
  out << '\n'
      << printable(quantity) << " between CPUs" << (group.subject.empty() ? "" : ", ") << group.subject
      << "; row: member 0, column: member 1\n";
  print_map(out, pairs, range, style);
  if (range.any()) {
    const bool has_blocks = style.unicode && !style.colour;
    out << "  " << (has_blocks ? "\u2581 to \u2588" : "0 to 9") << ": " << range.text() << '\n';
  }
  out << "  " << meaning_of_cells(used) << '\n';
}

}  // namespace

void print_heat_maps(std::ostream& out, const SeriesGroup& group, const TextStyle& style) {
  const auto quantity = pictured_quantity(group);
  if (!quantity) return;
  std::size_t maps = 0;
  for (const PictureGroup& one : picture_groups(group, placement_factor, *quantity)) {
    const CellsByPair pairs = pairs_of(one, *quantity);
    if (cpus_of(pairs).size() < fewest_cpus) continue;
    if (++maps <= most_maps) print_one(out, one, pairs, *quantity, style);
  }
  if (maps > most_maps) out << "and " << maps - most_maps << " more matrices; --filter chooses among them\n";
}

}  // namespace assay
