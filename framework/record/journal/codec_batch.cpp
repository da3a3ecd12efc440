// SPDX-License-Identifier: Apache-2.0
// Codec of batches: a column per guard over the members, left out where it holds its usual value throughout.
#include <algorithm>

#include "record/journal/codec.hpp"
#include "record/journal/codec_parts.hpp"

namespace assay {

namespace {

using codec::integer_of;

// Totals by index of quantity, null where nothing is claimed.
Json encode_claims(const Claims& claims) {
  Json::Array totals;
  for (std::size_t i = 0; i < max_quantities; ++i) {
    if (!claims.has(i)) continue;
    totals.resize(i);
    totals.emplace_back(claims[i]);
  }
  return totals;
}

Claims decode_claims(const Json& json) {
  const auto& totals = json.array();
  if (totals.size() > max_quantities) throw JsonError("more claims than quantities can be declared");
  Claims claims;
  for (std::size_t i = 0; i < totals.size(); ++i)
    if (!totals[i].is_null()) claims.set(i, totals[i].number());
  return claims;
}

// The key of a counter that is 0 in most batches.
struct Counter {
  const char* key;
  std::int64_t MemberReport::*field;
};
constexpr Counter counters[] = {{"voluntary", &MemberReport::voluntary},
                                {"involuntary", &MemberReport::involuntary},
                                {"major_faults", &MemberReport::major_faults},
                                {"beats", &MemberReport::beats}};

template <class Read>
Json column(const Batch& batch, Read read) {
  return codec::array_from(batch.members, [&](const MemberReport& member) { return Json(read(member)); });
}

// The array at a key, as long as there are members.
const Json::Array& column_at(const Json& json, std::string_view key, const Batch& batch) {
  const auto& values = json.at(key).array();
  if (values.size() != batch.members.size())
    throw JsonError("'" + std::string(key) + "' does not have one value per member");
  return values;
}

void append_counters(Json& to, const Batch& batch) {
  for (const Counter& counter : counters)
    if (std::ranges::any_of(batch.members, [&](const MemberReport& member) { return member.*counter.field != 0; }))
      to.set(counter.key, column(batch, [&](const MemberReport& member) { return member.*counter.field; }));
}

void decode_counters(const Json& json, Batch& batch) {
  for (const Counter& counter : counters)
    if (json.find(counter.key) != nullptr) {
      const auto& values = column_at(json, counter.key, batch);
      for (std::size_t i = 0; i < values.size(); ++i) batch.members[i].*counter.field = values[i].integer();
    }
}

void append_cpus(Json& to, const Batch& batch) {
  to.set("cpus", column(batch, [](const MemberReport& member) { return member.cpu_before; }));
  const auto moved = [](const MemberReport& member) { return member.cpu_before != member.cpu_after; };
  if (std::ranges::any_of(batch.members, moved))
    to.set("cpus_after", column(batch, [](const MemberReport& member) { return member.cpu_after; }));
}

void decode_cpus(const Json& json, Batch& batch) {
  const auto& before = column_at(json, "cpus", batch);
  const auto& after = json.find("cpus_after") == nullptr ? before : column_at(json, "cpus_after", batch);
  for (std::size_t i = 0; i < batch.members.size(); ++i) {
    batch.members[i].cpu_before = integer_of<int>(before[i]);
    batch.members[i].cpu_after = integer_of<int>(after[i]);
  }
}

void append_times(Json& to, const Batch& batch) {
  to.set("cpu_ns", column(batch, [](const MemberReport& member) { return member.cpu.count; }));
  to.set("wall_ns", column(batch, [](const MemberReport& member) { return member.wall.count; }));
}

// Two readings of the core by member, where they were taken.
struct ReadingColumns {
  const char* wide;
  const char* chain;
  CoreReading MemberReport::*field;
};
constexpr ReadingColumns reading_columns[] = {{"wide_ns", "chain_ns", &MemberReport::core_before},
                                              {"wide_after_ns", "chain_after_ns", &MemberReport::core_after}};

void append_readings(Json& to, const Batch& batch) {
  for (const auto& [wide, chain, field] : reading_columns) {
    const auto reading = field;
    if (std::ranges::none_of(batch.members, [&](const MemberReport& member) { return (member.*reading).taken(); }))
      continue;
    to.set(wide, column(batch, [&](const MemberReport& member) { return (member.*reading).wide.count; }));
    to.set(chain, column(batch, [&](const MemberReport& member) { return (member.*reading).chain.count; }));
  }
}

void decode_readings(const Json& json, Batch& batch) {
  for (const auto& [wide_key, chain_key, field] : reading_columns) {
    if (json.find(wide_key) == nullptr) continue;
    const auto& wide = column_at(json, wide_key, batch);
    const auto& chain = column_at(json, chain_key, batch);
    for (std::size_t i = 0; i < batch.members.size(); ++i)
      batch.members[i].*field = {{wide[i].number()}, {chain[i].number()}};
  }
}

// Only starts at agreed times have it.
void append_lateness(Json& to, const Batch& batch) {
  if (std::ranges::any_of(batch.members, [](const MemberReport& member) { return member.late != Nanoseconds{}; }))
    to.set("late_ns", column(batch, [](const MemberReport& member) { return member.late.count; }));
}

void decode_lateness(const Json& json, Batch& batch) {
  if (json.find("late_ns") == nullptr) return;
  const auto& late = column_at(json, "late_ns", batch);
  for (std::size_t i = 0; i < batch.members.size(); ++i) batch.members[i].late = {late[i].number()};
}

void decode_times(const Json& json, Batch& batch) {
  const auto& cpu = column_at(json, "cpu_ns", batch);
  const auto& wall = column_at(json, "wall_ns", batch);
  for (std::size_t i = 0; i < batch.members.size(); ++i) {
    batch.members[i].cpu = {cpu[i].number()};
    batch.members[i].wall = {wall[i].number()};
  }
}

}  // namespace

Json encode(const Batch& batch) {
  Json json;
  json.set("reps", batch.reps.count);
  json.set("claims", codec::array_from(batch.members, [](const auto& member) { return encode_claims(member.claims); }));
  append_times(json, batch);
  append_cpus(json, batch);
  append_counters(json, batch);
  append_lateness(json, batch);
  append_readings(json, batch);
  return json;
}

Batch decode_batch(const Json& json) {
  Batch batch;
  batch.reps = {json.at("reps").integer()};
  for (const Json& claims : json.at("claims").array()) batch.members.emplace_back().claims = decode_claims(claims);
  decode_times(json, batch);
  decode_cpus(json, batch);
  decode_counters(json, batch);
  decode_lateness(json, batch);
  decode_readings(json, batch);
  return batch;
}

}  // namespace assay
