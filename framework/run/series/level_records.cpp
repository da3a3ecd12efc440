// SPDX-License-Identifier: Apache-2.0
// Names, formulas and reasons of levels.
#include "run/series/level_records.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "record/shown_value.hpp"

namespace assay {
namespace {

class LevelRecords {
 public:
  LevelRecords(const LevelSearch& search, const Estimates& curve)
      : search_(search), curve_(curve), found_(plateaus(curve, search.alpha)) {
    indexes_ = known_levels_of(found_, search.known);
  }

  std::vector<DerivedRecord> all() && {
    for (std::size_t i = 0; i < found_.size(); ++i) add_plateau(i);
    for (std::size_t i = 0; i < search_.known.size(); ++i)
      if (std::ranges::count(indexes_, i) == 0) add_shoulder(i);
    if (knows_caches() && !has_main()) add_absent(latency_of("main"), absence(search_.known.size()));
    if (records_.empty())
      add_absent(latency_of("level1"), "no plateau: no values within 8 % of each other over a factor of 2");
    return std::move(records_);
  }

 private:
  bool knows_caches() const { return !search_.known.empty(); }
  // Main memory is beyond all caches; of several plateaus there it is the last.
  bool is_main(std::size_t i) const { return has_main() && i + 1 == found_.size(); }
  bool has_main() const { return knows_caches() && !indexes_.empty() && indexes_.back() == search_.known.size(); }
  double octaves(std::size_t i) const { return std::log2(found_[i].last / found_[i].first); }
  // Of several plateaus within one cache, as translation buffers make them, the longest is the cache's.
  bool is_longest_of_its_level(std::size_t i) const {
    for (std::size_t k = 0; k < found_.size(); ++k)
      if (k != i && indexes_[k] == indexes_[i] && (octaves(k) > octaves(i) || (octaves(k) == octaves(i) && k < i)))
        return false;
    return true;
  }
  std::string name_of(std::size_t i) const {
    if (is_main(i)) return "main";
    if (indexes_[i] < search_.known.size() && is_longest_of_its_level(i)) return search_.known[indexes_[i]].name;
    return "level" + std::to_string(i + 1);
  }
  std::string latency_of(const std::string& name) const { return name + "." + search_.like.quantity; }
  std::string stated(const KnownLevel& known) const { return known.name + " has " + text(known.last); }
  /// Where a plateau lies, held against what is known.
  std::string place_of(std::size_t i) const {
    if (!knows_caches()) return {};
    const Plateau& plateau = found_[i];
    if (indexes_[i] < search_.known.size())
      return (is_longest_of_its_level(i) ? "; " : "; within the same cache: ") + stated(search_.known[indexes_[i]]);
    // The largest level that it leaves behind.
    auto left = search_.known.begin();
    while (left + 1 != search_.known.end() && (left + 1)->last < plateau.last) ++left;
    const bool is_across = plateau.first <= left->last;
    return (is_across ? "; across the end of a cache: " : "; beyond the caches: ") + stated(*left);
  }
  std::string text(double abscissa) const {
    const Scale scale = scale_of(abscissa, search_.unit);
    const double value = abscissa / scale.size;
    return fixed_text(value, value == std::floor(value) ? 0 : 1) + (scale.name.empty() ? "" : " " + scale.name);
  }

  DerivedRecord& add(const std::string& name, Derived derived) {
    DerivedRecord record = search_.like;
    record.name += "." + name;
    record.derived = std::move(derived);
    return records_.emplace_back(std::move(record));
  }

  void add_plateau(std::size_t i) {
    const Plateau& plateau = found_[i];
    const std::string range = ": " + text(plateau.first) + " to " + text(plateau.last) + place_of(i);
    add(latency_of(name_of(i)), plateau.level).formula += range;
    if (!plateau.end.available()) return;
    DerivedRecord& size = add(name_of(i) + ".size", end_of(plateau));
    size.unit = search_.unit == Unit::count ? std::string() : symbol(search_.unit);
    size.formula += range;
  }

  /// Where it ends, if that is known to say something.
  Derived end_of(const Plateau& plateau) const {
    if (plateau.end.high <= widest_end * plateau.end.low) return {plateau.last, plateau.end, true, {}};
    return {std::numeric_limits<double>::quiet_NaN(),
            {},
            false,
            "it ends between " + text(plateau.end.low) + " and " + text(plateau.end.high) +
                ": no value in between is known well enough to say where"};
  }

  /// Of a known level that has no plateau: its shoulder, or why there is nothing.
  void add_shoulder(std::size_t i) {
    const KnownLevel& known = search_.known[i];
    const auto found = shoulder(curve_, i == 0 ? 0 : search_.known[i - 1].last, known.last, search_.alpha);
    if (!found) return add_absent(latency_of(known.name), absence(i));
    add(latency_of(known.name), found->level).formula +=
        ": rising from " + text(found->first) + " to " + text(found->last) + ", less than around it; " + stated(known);
  }

  void add_absent(const std::string& name, std::string reason) {
    add(name, {std::numeric_limits<double>::quiet_NaN(), {}, false, std::move(reason)});
  }

  // Why a known level, or main memory behind the last one, does not show.
  std::string absence(std::size_t i) const {
    const double from = i == 0 ? 0 : search_.known[i - 1].last;
    const bool is_last = i == search_.known.size();
    const double to = is_last ? std::numeric_limits<double>::infinity() : search_.known[i].last;
    const auto values =
        std::ranges::count_if(curve_, [&](const Abscissa& point) { return point.x > from && point.x <= to; });
    const std::string where = is_last ? "beyond " + text(from) : "between " + text(from) + " and " + text(to);
    if (values < 2) return "the curve has " + std::to_string(values) + " values " + where;
    return "no plateau " + where + ", where it would show";
  }

  const LevelSearch& search_;
  const Estimates& curve_;
  std::vector<Plateau> found_;
  std::vector<std::size_t> indexes_;  ///< of known levels, by plateau
  std::vector<DerivedRecord> records_;
};

}  // namespace

std::vector<DerivedRecord> level_records(const LevelSearch& search, const Estimates& curve) {
  return LevelRecords(search, curve).all();
}

}  // namespace assay
