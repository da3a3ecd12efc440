// SPDX-License-Identifier: Apache-2.0
// Sorting results by series and level.
#include "record/grouping.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "platform/topology/topology.hpp"
#include "text/printable.hpp"

namespace assay {

namespace {

SeriesGroup& group_named(std::vector<SeriesGroup>& groups, const std::string& series, const std::string& measurement) {
  const auto found =
      std::ranges::find_if(groups, [&](const SeriesGroup& group) { return group.series.series == series; });
  if (found != groups.end()) return *found;
  return groups.emplace_back(SeriesGroup{{series, measurement, {}, {}}, {}, {}});
}

// Adds a record, in the place of an earlier one about the same thing.
template <class Item, class Same>
void supersede(std::vector<Item>& items, const Item& item, Same same) {
  const auto found = std::ranges::find_if(items, [&](const Item& earlier) { return same(earlier, item); });
  if (found == items.end())
    items.push_back(item);
  else
    *found = item;
}

bool same_value(const DerivedRecord& a, const DerivedRecord& b) {
  return a.name == b.name && a.quantity == b.quantity && a.regime == b.regime && a.group == b.group;
}

struct Collector {
  std::vector<SeriesGroup>& groups;

  // What another machine yielded is not shown beside what this one did.
  void operator()(const SessionRecord& record) const {
    if (record.new_machine) groups.clear();
  }
  void operator()(const SeriesRecord& record) const {
    group_named(groups, record.series, record.measurement).series = record;
  }
  void operator()(const PointRecord& record) const {
    group_named(groups, record.series, record.measurement).points.push_back(record);
  }
  void operator()(const DerivedRecord& record) const {
    supersede(group_named(groups, record.series, {}).derived, record, same_value);
  }
  template <class Other>
  void operator()(const Other&) const {}
};

// Placements in the order of distance, other words after them. A class and its representatives begin with a relation.
std::size_t rank_of(const std::string& level) {
  const std::string word = level.substr(0, level.find_first_of("@(:~"));
  constexpr std::array<const char*, 2> first{"unbound", "bound"};
  const auto& relations = Topology::relations();
  const auto early = std::ranges::find(first, word);
  if (early != first.end()) return static_cast<std::size_t>(early - first.begin());
  const auto found = std::ranges::find(relations, word);
  return first.size() + static_cast<std::size_t>(found - relations.begin());
}

bool comes_before(const Value& a, const Value& b) {
  const auto x = number_of(a);
  const auto y = number_of(b);
  if (x && y) return std::pair(*x, a.index()) < std::pair(*y, b.index());
  if (x || y) return x.has_value();
  const auto& u = std::get<std::string>(a);
  const auto& v = std::get<std::string>(b);
  return std::pair(rank_of(u), u) < std::pair(rank_of(v), v);
}

// Compares by factors in order; a point without a factor comes before those that have it.
bool earlier(const Point& a, const Point& b, const std::vector<std::string>& factors) {
  for (const std::string& factor : factors) {
    const Value* x = a.find(factor);
    const Value* y = b.find(factor);
    if (x == nullptr && y == nullptr) continue;
    if (x == nullptr || y == nullptr) return x == nullptr;
    if (comes_before(*x, *y)) return true;
    if (comes_before(*y, *x)) return false;
  }
  return false;
}

// Points that are equal stand together after sorting: the last of them stays.
void drop_superseded(std::vector<PointRecord>& points) {
  std::vector<PointRecord> kept;
  for (PointRecord& point : points) {
    if (!kept.empty() && kept.back().point == point.point)
      kept.back() = std::move(point);
    else
      kept.push_back(std::move(point));
  }
  points = std::move(kept);
}

bool is_size(std::string_view factor) {
  return factor.ends_with("bytes") || factor == "size" || factor.ends_with("_size") || factor.ends_with("-size");
}

std::string size_text(std::int64_t size) {
  constexpr std::array<const char*, 4> suffixes{"", "Ki", "Mi", "Gi"};
  std::size_t suffix = 0;
  for (; size != 0 && size % 1024 == 0 && suffix + 1 < suffixes.size(); ++suffix) size /= 1024;
  return std::to_string(size) + suffixes.at(suffix);
}

}  // namespace

std::string fact_of(const Facts& facts, std::string_view key) {
  const auto found = std::ranges::find(facts, key, &Facts::value_type::first);
  return found == facts.end() ? std::string() : found->second;
}

const Result* find_result(const PointRecord& point, std::string_view quantity, Regime regime) {
  const auto found = std::ranges::find_if(
      point.results, [&](const Result& result) { return result.quantity == quantity && result.regime == regime; });
  return found == point.results.end() ? nullptr : &*found;
}

std::vector<SeriesGroup> group_by_series(const std::vector<Record>& records) {
  std::vector<SeriesGroup> groups;
  for (const Record& record : records) std::visit(Collector{groups}, record);
  for (SeriesGroup& group : groups) {
    in_order(group.points);
    drop_superseded(group.points);
  }
  return groups;
}

void in_order(std::vector<PointRecord>& points) {
  const auto factors = factors_of(points);
  std::ranges::stable_sort(
      points, [&](const PointRecord& a, const PointRecord& b) { return earlier(a.point, b.point, factors); });
}

int level_order(const Value& a, const Value& b) {
  if (comes_before(a, b)) return -1;
  return comes_before(b, a) ? 1 : 0;
}

std::vector<std::string> factors_of(const std::vector<PointRecord>& points) {
  std::vector<std::string> names;
  for (const PointRecord& point : points)
    for (const auto& level : point.point.levels())
      if (std::ranges::find(names, level.first) == names.end()) names.push_back(level.first);
  return names;
}

bool varies(const std::string& factor, const std::vector<PointRecord>& points) {
  const auto differs = [&](const PointRecord& other) {
    const Value* a = points.front().point.find(factor);
    const Value* b = other.point.find(factor);
    return (a == nullptr) != (b == nullptr) || (a != nullptr && *a != *b);
  };
  return std::ranges::any_of(points, differs);
}

std::string shown_level(const Point& point, const std::string& factor) {
  const Value* level = point.find(factor);
  if (level == nullptr) return "-";
  const auto* integer = std::get_if<std::int64_t>(level);
  if (integer != nullptr && is_size(factor)) return size_text(*integer);
  return printable(point.text(factor));
}

std::string shown_level(const std::string& factor, const std::string& text) {
  const auto value = is_size(factor) ? parse_value(text) : std::nullopt;
  const auto* integer = value ? std::get_if<std::int64_t>(&*value) : nullptr;
  return integer != nullptr ? size_text(*integer) : printable(text);
}

}  // namespace assay
