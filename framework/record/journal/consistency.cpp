// SPDX-License-Identifier: Apache-2.0
// Goes over the records once and remembers what each series and point was said to be.
#include "record/journal/consistency.hpp"

#include <utility>
#include <variant>

#include "record/journal/codec.hpp"
#include "text/json.hpp"

namespace assay {

std::string ConsistencyCheck::quoted(const Key& key) { return "'" + key.second + "' of series '" + key.first + "'"; }

void ConsistencyCheck::add(const Record& record) {
  std::visit([this](const auto& one) { look(one); }, record);
}

void ConsistencyCheck::look(const SessionRecord& /*record*/) { finished_.clear(); }

void ConsistencyCheck::look(const SeriesRecord& record) {
  require_measurement(record.series, record.measurement);
  for (const Quantity& quantity : record.quantities) require_unit({record.series, quantity.name}, quantity.unit);
}

// What was measured again, as adaptive levels are, may well be finished again.
void ConsistencyCheck::look(const IncarnationRecord& record) {
  finished_.erase({record.series, to_text(record.point)});
}

void ConsistencyCheck::look(const VisitRecord& record) {
  if (record.batches.empty()) return;  // read without them
  observations_[{record.series, to_text(record.point)}] += record.batches.size();
}

void ConsistencyCheck::look(const PointRecord& record) {
  const Key key{record.series, to_text(record.point)};
  require_measurement(record.series, record.measurement);
  for (const Result& result : record.results) {
    require_unit({record.series, result.quantity}, result.unit);
    require_observations(key, result);
  }
  const auto content = to_text(encode(record));
  const auto [first, is_new] = finished_.try_emplace(key, content);
  if (!is_new && first->second != content)
    tell(found_, "point " + quoted(key) + " was finished twice, and differently");
}

void ConsistencyCheck::tell(std::vector<std::string>& list, std::string text) {
  if (told_.insert(text).second) list.push_back(std::move(text));
}

void ConsistencyCheck::require_measurement(const std::string& series, const std::string& measurement) {
  const auto first = measurements_.try_emplace(series, measurement).first;
  if (first->second != measurement)
    tell(found_, "series '" + series + "' is of measurement '" + first->second + "' and of '" + measurement + "'");
}

void ConsistencyCheck::require_unit(const Key& quantity, Unit unit) {
  const auto first = units_.try_emplace(quantity, unit).first;
  if (first->second != unit)
    tell(found_, "quantity " + quoted(quantity) + " is in " + symbol(first->second) + " and in " + symbol(unit));
}

void ConsistencyCheck::require_observations(const Key& point, const Result& result) {
  const auto known = observations_.find(point);
  if (known != observations_.end() && result.summary.n > known->second)
    tell(missing_, "point " + quoted(point) + " has a result of " + std::to_string(result.summary.n) +
                       " observations, and its visits contain " + std::to_string(known->second));
}

std::vector<std::string> contradictions(const std::vector<Record>& records) {
  ConsistencyCheck check;
  for (const Record& record : records) check.add(record);
  auto all = check.found();
  all.insert(all.end(), check.missing().begin(), check.missing().end());
  return all;
}

namespace {

template <class Kind>
std::string visit_text(const Kind& record) {
  return "visit " + std::to_string(record.visit) + " to point '" + to_text(record.point) + "' of series '" +
         record.series + "'";
}

}  // namespace

void BeginMarkers::add(const Record& record) {
  if (const auto* marker = std::get_if<BeginRecord>(&record)) return begin(*marker);
  if (const auto* visit = std::get_if<VisitRecord>(&record)) return end(*visit);
  // A launch that was lost says so at its end.
  if (std::holds_alternative<SessionRecord>(record) || std::holds_alternative<LaunchRecord>(record)) return lose();
  const auto* point = std::get_if<PointRecord>(&record);
  const bool is_finished =
      point != nullptr && in_flight_ && point->series == in_flight_->series && point->point == in_flight_->point;
  if (is_finished || std::holds_alternative<EndRecord>(record)) in_flight_.reset();
}

void BeginMarkers::begin(const BeginRecord& record) {
  if (in_flight_)
    found_.push_back(visit_text(*in_flight_) + " was begun and never ended, and " + visit_text(record) +
                     " follows in the same session");
  in_flight_ = record;
  has_any_ = true;
}

void BeginMarkers::end(const VisitRecord& record) {
  const bool is_it = in_flight_ && in_flight_->visit == record.visit && in_flight_->series == record.series &&
                     in_flight_->point == record.point;
  if (has_any_ && !is_it) found_.push_back(visit_text(record) + " has no 'begin' record");
  if (is_it) in_flight_.reset();
}

void BeginMarkers::lose() {
  if (in_flight_) lost_.push_back(visit_text(*in_flight_));
  in_flight_.reset();
}

std::vector<std::string> BeginMarkers::lost() const {
  std::vector<std::string> all = lost_;
  if (in_flight_) all.push_back(visit_text(*in_flight_));
  return all;
}

}  // namespace assay
