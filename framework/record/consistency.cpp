// SPDX-License-Identifier: Apache-2.0
// Goes over the records once and remembers what each series and point was said to be.
#include "record/consistency.hpp"

#include <map>
#include <set>
#include <utility>

#include "record/codec.hpp"
#include "record/json.hpp"

namespace assay {

namespace {

using Key = std::pair<std::string, std::string>;  // series and point, or series and quantity

std::string quoted(const Key& key) { return "'" + key.second + "' of series '" + key.first + "'"; }

class Checker {
 public:
  void operator()(const SessionRecord&) { finished_.clear(); }

  void operator()(const SeriesRecord& record) {
    require_measurement(record.series, record.measurement);
    for (const Quantity& quantity : record.quantities) require_unit({record.series, quantity.name}, quantity.unit);
  }

  // What was measured again, as adaptive levels are, may well be finished again.
  void operator()(const IncarnationRecord& record) { finished_.erase({record.series, to_text(record.point)}); }

  void operator()(const VisitRecord& record) {
    if (record.batches.empty()) return;  // read without them
    observations_[{record.series, to_text(record.point)}] += record.batches.size();
  }

  void operator()(const PointRecord& record) {
    const Key key{record.series, to_text(record.point)};
    require_measurement(record.series, record.measurement);
    for (const Result& result : record.results) {
      require_unit({record.series, result.quantity}, result.unit);
      require_observations(key, result);
    }
    const auto content = to_text(encode(record));
    const auto [first, is_new] = finished_.try_emplace(key, content);
    if (!is_new && first->second != content) add("point " + quoted(key) + " was finished twice, and differently");
  }

  template <class Other>
  void operator()(const Other&) {}

  std::vector<std::string> found;

 private:
  void add(std::string text) {
    if (told_.insert(text).second) found.push_back(std::move(text));
  }

  void require_measurement(const std::string& series, const std::string& measurement) {
    const auto first = measurements_.try_emplace(series, measurement).first;
    if (first->second != measurement)
      add("series '" + series + "' is of measurement '" + first->second + "' and of '" + measurement + "'");
  }

  void require_unit(const Key& quantity, Unit unit) {
    const auto first = units_.try_emplace(quantity, unit).first;
    if (first->second != unit)
      add("quantity " + quoted(quantity) + " is in " + symbol(first->second) + " and in " + symbol(unit));
  }

  void require_observations(const Key& point, const Result& result) {
    const auto known = observations_.find(point);
    if (known != observations_.end() && result.summary.n > known->second)
      add("point " + quoted(point) + " has a result of " + std::to_string(result.summary.n) +
          " observations, and its visits hold " + std::to_string(known->second));
  }

  std::map<std::string, std::string> measurements_;
  std::map<Key, Unit> units_;
  std::map<Key, std::size_t> observations_;
  std::map<Key, std::string> finished_;  // of the session
  std::set<std::string> told_;
};

}  // namespace

std::vector<std::string> contradictions(const std::vector<Record>& records) {
  Checker checker;
  for (const Record& record : records) std::visit(checker, record);
  return std::move(checker.found);
}

}  // namespace assay
