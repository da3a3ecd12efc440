// SPDX-License-Identifier: Apache-2.0
// Codec of what happened in worker processes: incarnations and visits with their judged batches.
#include <algorithm>

#include "record/core_cycles.hpp"
#include "record/journal/codec.hpp"
#include "record/journal/codec_parts.hpp"

namespace assay::codec {

namespace {

Json encode_causes(const Disturbances& causes) {
  Json::Array words;
  for (std::size_t i = 0; i < disturbance_count; ++i)
    if (causes.test(i)) words.emplace_back(to_text(static_cast<Disturbance>(i)));
  return words;
}

Disturbances decode_causes(const Json& json) {
  Disturbances causes;
  for (const Json& word : json.array()) {
    const auto cause = parse_disturbance(word.string());
    if (!cause) throw JsonError("unknown cause of disturbance '" + word.string() + "'");
    causes.set(static_cast<std::size_t>(*cause));
  }
  return causes;
}

std::vector<CoreReading> decode_apart(const Json& json) {
  const auto& wide = json.at("apart_wide_ns").array();
  const auto& chain = json.at("apart_chain_ns").array();
  if (wide.size() != chain.size()) throw JsonError("'apart_wide_ns' and 'apart_chain_ns' differ in length");
  std::vector<CoreReading> apart;
  for (std::size_t i = 0; i < wide.size(); ++i) apart.push_back({{wide[i].number()}, {chain[i].number()}, {}});
  if (const Json* calls = json.find("apart_call_ns")) {
    if (calls->array().size() != apart.size()) throw JsonError("'apart_call_ns' and 'apart_wide_ns' differ in length");
    for (std::size_t i = 0; i < apart.size(); ++i) apart[i].call = {calls->array()[i].number()};
  }
  return apart;
}

/// Journals of before have one reading of the first member's core on each side of a visit, of a loop that happened to
/// see neighbours, and none of its clock. What was called a disturbance then is a state.
void take_up_speed(const Json& json, VisitRecord& visit) {
  const CoreReading before{nanoseconds_at(json, "speed_before_ns"), no_clock};
  const CoreReading after{nanoseconds_at(json, "speed_after_ns"), no_clock};
  for (JudgedBatch& judged : visit.batches) {
    if (judged.batch.members.empty()) continue;
    judged.batch.members.front().core_before = before;
    judged.batch.members.front().core_after = after;
    judged.judgement.disturbed.reset(static_cast<std::size_t>(Disturbance::speed));
  }
}

}  // namespace

void append(Json& to, const BeginRecord& record) {
  to.set("series", record.series)
      .set("point", encode(record.point))
      .set("session", record.session)
      .set("incarnation", record.incarnation)
      .set("visit", record.visit);
  set_optional(to, "retried", record.retried);
}

BeginRecord decode_begin(const Json& json) {
  return {text_at(json, "series"),     point_at(json, "point"), int_at(json, "session"),
          int_at(json, "incarnation"), int_at(json, "visit"),   optional_flag(json, "retried")};
}

void append(Json& to, const IncarnationRecord& record) {
  to.set("series", record.series)
      .set("point", encode(record.point))
      .set("session", record.session)
      .set("incarnation", record.incarnation)
      .set("process", record.process)
      .set("cpus", array_from(record.cpus, [](int cpu) { return Json(cpu); }))
      .set("warm_up_ns", record.warm_up.count)
      .set("warm_up_reps", record.warm_up_reps)
      .set("stack_padding_bytes", record.stack_padding);
  if (record.memory >= 0) to.set("memory_node", record.memory);
  if (record.took > Nanoseconds{}) to.set("took_ns", record.took.count);
  if (record.clock_step > Nanoseconds{}) to.set("clock_step_ns", record.clock_step.count);
  set_optional(to, "id", record.id);
  if (record.loop_copy >= 0) to.set("loop_copy", record.loop_copy);
}

IncarnationRecord decode_incarnation(const Json& json) {
  return {text_at(json, "series"),
          point_at(json, "point"),
          int_at(json, "session"),
          int_at(json, "incarnation"),
          int_at(json, "process"),
          vector_from(json.at("cpus"), integer_of<int>),
          nanoseconds_at(json, "warm_up_ns"),
          json.at("warm_up_reps").integer(),
          int_at(json, "stack_padding_bytes"),
          json.find("memory_node") != nullptr ? int_at(json, "memory_node") : -1,
          json.find("clock_step_ns") != nullptr ? nanoseconds_at(json, "clock_step_ns") : Nanoseconds{},
          optional_text(json, "id"),
          json.find("took_ns") != nullptr ? nanoseconds_at(json, "took_ns") : Nanoseconds{},
          json.find("loop_copy") != nullptr ? int_at(json, "loop_copy") : -1};
}

void append(Json& to, const VisitRecord& record) {
  to.set("series", record.series)
      .set("point", encode(record.point))
      .set("session", record.session)
      .set("incarnation", record.incarnation)
      .set("visit", record.visit)
      .set("round", record.round)
      .set("at_ns", record.at.count)
      .set("took_ns", record.took.count)
      .set("discarded", record.discarded);
  if (record.reference) to.set("reference_ns", record.reference->count);
  if (!record.apart.empty()) {
    to.set("apart_wide_ns", array_from(record.apart, [](const CoreReading& r) { return Json(r.wide.count); }));
    to.set("apart_chain_ns", array_from(record.apart, [](const CoreReading& r) { return Json(r.chain.count); }));
    if (std::ranges::any_of(record.apart, [](const CoreReading& r) { return r.call > Nanoseconds{}; }))
      to.set("apart_call_ns", array_from(record.apart, [](const CoreReading& r) { return Json(r.call.count); }));
  }
  if (record.clock_bound) to.set("clock_bound_ns", record.clock_bound->count);
  if (!record.nodes.empty()) to.set("nodes", array_from(record.nodes, [](const std::string& n) { return Json(n); }));
  if (!record.parts.empty())
    to.set("parts", array_from(record.parts, [](const NamedPart& part) {
             return Json(Json::Object{{"name", part.name}, {"value", part.value}, {"count", part.count}});
           }));
  to.set("batches", array_from(record.batches, [](const JudgedBatch& batch) { return assay::encode(batch); }));
}

VisitRecord decode_visit(const Json& json) {
  VisitRecord record{text_at(json, "series"),
                     point_at(json, "point"),
                     int_at(json, "session"),
                     int_at(json, "incarnation"),
                     int_at(json, "visit"),
                     int_at(json, "round"),
                     nanoseconds_at(json, "at_ns"),
                     nanoseconds_at(json, "took_ns"),
                     int_at(json, "discarded"),
                     {},
                     vector_from(json.at("batches"), decode_judged)};
  if (json.find("reference_ns") != nullptr) record.reference = nanoseconds_at(json, "reference_ns");
  if (json.find("apart_wide_ns") != nullptr) record.apart = decode_apart(json);
  if (json.find("speed_before_ns") != nullptr) take_up_speed(json, record);
  if (json.find("clock_bound_ns") != nullptr) record.clock_bound = nanoseconds_at(json, "clock_bound_ns");
  if (const Json* nodes = json.find("nodes"))
    record.nodes = vector_from(*nodes, [](const Json& node) { return node.string(); });
  if (const Json* parts = json.find("parts"))
    record.parts = vector_from(*parts, [](const Json& part) {
      return NamedPart{text_at(part, "name"), number_at(part, "value"), part.at("count").integer()};
    });
  return record;
}

}  // namespace assay::codec

namespace assay {

// The judgement stands in the batch's object; the usual one, solo and clean, takes no room.
Json encode(const JudgedBatch& judged) {
  Json json = encode(judged.batch);
  if (judged.batch.shares_cpus) json.set("shares_cpus", true);
  if (judged.judgement.regime != Regime::solo) json.set("regime", to_text(judged.judgement.regime));
  if (judged.judgement.spread != Spread::unknown) json.set("spread", to_text(judged.judgement.spread));
  if (judged.judgement.disturbed.any()) json.set("disturbed", codec::encode_causes(judged.judgement.disturbed));
  return json;
}

JudgedBatch decode_judged(const Json& json) {
  JudgedBatch judged{decode_batch(json), {}};
  judged.batch.shares_cpus = json.find("shares_cpus") != nullptr && json.at("shares_cpus").boolean();
  if (json.find("regime") != nullptr) judged.judgement.regime = codec::word_at(json, "regime", parse_regime);
  if (json.find("spread") != nullptr) judged.judgement.spread = codec::word_at(json, "spread", parse_spread);
  if (const Json* causes = json.find("disturbed")) judged.judgement.disturbed = codec::decode_causes(*causes);
  return judged;
}

}  // namespace assay
