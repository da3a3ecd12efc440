// SPDX-License-Identifier: Apache-2.0
// Types of records, and who encodes which.
#include "record/journal/codec.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "record/journal/codec_parts.hpp"

namespace assay {

namespace {

struct RecordKind {
  const char* type;
  Record (*decode)(const Json&);
};

template <auto decode_one>
Record as_record(const Json& json) {
  return decode_one(json);
}

// In the order of Record's alternatives.
constexpr std::array<RecordKind, std::variant_size_v<Record>> kinds{
    {{"campaign", as_record<codec::decode_campaign>},
     {"session", as_record<codec::decode_session>},
     {"series", as_record<codec::decode_series>},
     {"begin", as_record<codec::decode_begin>},
     {"incarnation", as_record<codec::decode_incarnation>},
     {"visit", as_record<codec::decode_visit>},
     {"failure", as_record<codec::decode_failure>},
     {"point", as_record<codec::decode_finished_point>},
     {"derived", as_record<codec::decode_derived>},
     {"variant", as_record<codec::decode_variant>},
     {"note", as_record<codec::decode_note>},
     {"end", as_record<codec::decode_end>},
     {"launch", as_record<codec::decode_launch>},
     {"alive", as_record<codec::decode_alive>},
     {"cores", as_record<codec::decode_cores>}}};

// A real that is not finite would read back as a word, so it stands in an object of its own.
Json encode_level(const Value& level) {
  const auto* real = std::get_if<double>(&level);
  if (real != nullptr && !std::isfinite(*real)) return Json::Object{{"real", *real}};
  return std::visit([](const auto& value) { return Json(value); }, level);
}

struct LevelFrom {
  Value operator()(std::int64_t value) const { return value; }
  Value operator()(double value) const { return value; }
  Value operator()(const std::string& value) const { return value; }
  Value operator()(const Json::Object& value) const { return Json(value).at("real").number(); }
  template <class Other>
  Value operator()(const Other&) const {
    throw JsonError("a level is neither a number nor a word");
  }
};

}  // namespace

bool is_record_type(std::string_view type) {
  return std::ranges::any_of(kinds, [&](const RecordKind& kind) { return type == kind.type; });
}

Json encode(const Record& record) {
  Json json;
  json.set("type", kinds.at(record.index()).type);
  std::visit([&](const auto& members) { codec::append(json, members); }, record);
  return json;
}

Record decode(const Json& json) {
  const std::string& type = codec::text_at(json, "type");
  for (const RecordKind& kind : kinds)
    if (type == kind.type) return kind.decode(json);
  throw JsonError("unknown type of record '" + type + "'");
}

Json encode(const Point& point) {
  Json::Object members;
  for (const auto& [factor, level] : point.levels()) members.emplace_back(factor, encode_level(level));
  return members;
}

Point decode_point(const Json& json) try {
  Point point;
  for (const auto& [factor, level] : json.object()) {
    if (point.find(factor) != nullptr) throw JsonError("factor '" + factor + "' stands twice in a point");
    point.set(factor, level.visit(LevelFrom{}));
  }
  return point;
} catch (const std::invalid_argument& refused) {
  throw JsonError(refused.what());
}

}  // namespace assay
