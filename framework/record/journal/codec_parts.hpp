// SPDX-License-Identifier: Apache-2.0
// Within the codec: typed members of an object, and one pair of functions for each kind of record. Members that are not
// known are passed over, since journals are read by older and newer programs; messages, which both sides of one program
// exchange, are read by run/protocol/fields.hpp, which refuses them.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "record/journal/codec_point.hpp"
#include "record/record.hpp"
#include "text/json.hpp"

namespace assay::codec {

/// A whole number as an object's member; throws JsonError when `Integer` cannot hold it.
template <class Integer>
Integer integer_of(const Json& json) {
  const std::int64_t value = json.integer();
  if (!std::in_range<Integer>(value)) throw JsonError("integer out of range: " + std::to_string(value));
  return static_cast<Integer>(value);
}
inline int int_at(const Json& json, std::string_view key) { return integer_of<int>(json.at(key)); }
inline double number_at(const Json& json, std::string_view key) { return json.at(key).number(); }
inline Nanoseconds nanoseconds_at(const Json& json, std::string_view key) { return {number_at(json, key)}; }
inline const std::string& text_at(const Json& json, std::string_view key) { return json.at(key).string(); }
inline Point point_at(const Json& json, std::string_view key) { return decode_point(json.at(key)); }

/// Members that stand only where they have something to say.
inline std::string optional_text(const Json& json, std::string_view key) {
  const Json* found = json.find(key);
  return found == nullptr ? std::string() : found->string();
}
inline bool optional_flag(const Json& json, std::string_view key) {
  const Json* found = json.find(key);
  return found != nullptr && found->boolean();
}
inline void set_optional(Json& to, std::string_view key, const std::string& text) {
  if (!text.empty()) to.set(std::string(key), text);
}
inline void set_optional(Json& to, std::string_view key, bool flag) {
  if (flag) to.set(std::string(key), flag);
}

/// What a parser of words makes of a member; throws JsonError with the word when it is unknown.
template <class Parser>
auto word_at(const Json& json, std::string_view key, Parser parse) {
  const std::string& word = text_at(json, key);
  if (const auto value = parse(word)) return *value;
  throw JsonError("unknown " + std::string(key) + " '" + word + "'");
}

/// An array of what `encode_one` makes of each item, and back.
template <class Items, class Encoder>
Json array_from(const Items& items, Encoder encode_one) {
  Json::Array array;
  array.reserve(items.size());
  for (const auto& item : items) array.push_back(encode_one(item));
  return array;
}
template <class Decoder>
auto vector_from(const Json& json, Decoder decode_one) {
  std::vector<decltype(decode_one(json))> items;
  for (const Json& item : json.array()) items.push_back(decode_one(item));
  return items;
}

/// Appends a record's members to an object that has its type already.
void append(Json& to, const CampaignRecord& record);
void append(Json& to, const SessionRecord& record);
void append(Json& to, const SeriesRecord& record);
void append(Json& to, const BeginRecord& record);
void append(Json& to, const IncarnationRecord& record);
void append(Json& to, const VisitRecord& record);
void append(Json& to, const FailureRecord& record);
void append(Json& to, const PointRecord& record);
void append(Json& to, const DerivedRecord& record);
void append(Json& to, const VariantRecord& record);
void append(Json& to, const NoteRecord& record);
void append(Json& to, const EndRecord& record);
void append(Json& to, const LaunchRecord& record);
void append(Json& to, const AliveRecord& record);
void append(Json& to, const CoresRecord& record);
void append(Json& to, const NodeRecord& record);
void append(Json& to, const AnswerRecord& record);

/// What is known of a core, as records of sessions and points have it.
Json encode_core_level(const CoreLevel& level);
CoreLevel decode_core_level(const Json& json);
/// The clocks of nodes, where any are known.
void append_clocks(Json& to, const std::vector<NodeClocks>& clocks);
std::vector<NodeClocks> decode_clocks(const Json& json);
void append_pairs(Json& to, const std::vector<PairDistances>& pairs);
std::vector<PairDistances> decode_pairs(const Json& json);

/// A record from the object of its type.
CampaignRecord decode_campaign(const Json& json);
SessionRecord decode_session(const Json& json);
SeriesRecord decode_series(const Json& json);
BeginRecord decode_begin(const Json& json);
IncarnationRecord decode_incarnation(const Json& json);
VisitRecord decode_visit(const Json& json);
FailureRecord decode_failure(const Json& json);
PointRecord decode_finished_point(const Json& json);
DerivedRecord decode_derived(const Json& json);
VariantRecord decode_variant(const Json& json);
NoteRecord decode_note(const Json& json);
EndRecord decode_end(const Json& json);
LaunchRecord decode_launch(const Json& json);
AliveRecord decode_alive(const Json& json);
CoresRecord decode_cores(const Json& json);
NodeRecord decode_node(const Json& json);
AnswerRecord decode_answer(const Json& json);

}  // namespace assay::codec
