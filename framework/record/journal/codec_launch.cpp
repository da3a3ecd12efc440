// SPDX-License-Identifier: Apache-2.0
// Codec of launches of ranks, and of their signs of life.
#include "record/codec_parts.hpp"

namespace assay::codec {

namespace {

Json encode_rank(const LaunchedRank& rank) {
  return Json::Object{{"node", rank.node},
                      {"process", rank.process},
                      {"cpus", array_from(rank.cpus, [](int cpu) { return Json(cpu); })}};
}

LaunchedRank decode_rank(const Json& json) {
  return {text_at(json, "node"), int_at(json, "process"), vector_from(json.at("cpus"), integer_of<int>)};
}

}  // namespace

void append(Json& to, const LaunchRecord& record) {
  to.set("session", record.session).set("launch", record.launch);
  if (!record.ranks.empty()) to.set("ranks", array_from(record.ranks, encode_rank));
  set_optional(to, "ended", record.ended);
  if (record.left != 0) to.set("left", record.left);
}

LaunchRecord decode_launch(const Json& json) {
  LaunchRecord record{int_at(json, "session"), int_at(json, "launch"), {}, optional_text(json, "ended"), 0};
  if (const Json* ranks = json.find("ranks")) record.ranks = vector_from(*ranks, decode_rank);
  if (const Json* left = json.find("left")) record.left = integer_of<int>(*left);
  return record;
}

void append(Json& to, const AliveRecord& record) { to.set("next_ns", record.next.count); }

AliveRecord decode_alive(const Json& json) { return {nanoseconds_at(json, "next_ns")}; }

}  // namespace assay::codec
