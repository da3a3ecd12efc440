// SPDX-License-Identifier: Apache-2.0
// Types of records, and who encodes which.
#include "record/journal/codec.hpp"

#include <algorithm>
#include <array>

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
     {"cores", as_record<codec::decode_cores>},
     {"node", as_record<codec::decode_node>},
     {"answer", as_record<codec::decode_answer>}}};

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

}  // namespace assay
