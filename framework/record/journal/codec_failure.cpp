// SPDX-License-Identifier: Apache-2.0
// Codec of workers that did not survive.
#include "record/codec_parts.hpp"

namespace assay::codec {

namespace {

Json encode_thread(const ThreadState& thread) {
  return Json::Object{{"process", thread.process},
                      {"thread", thread.thread},
                      {"name", thread.name},
                      {"state", thread.state},
                      {"cpu_ticks", thread.cpu_ticks},
                      {"waits_in", thread.waits_in},
                      {"system_call", thread.system_call}};
}

ThreadState decode_thread(const Json& json) {
  return {int_at(json, "process"),     int_at(json, "thread"),         text_at(json, "name"),
          text_at(json, "state"),      json.at("cpu_ticks").integer(), text_at(json, "waits_in"),
          text_at(json, "system_call")};
}

}  // namespace

void append(Json& to, const FailureRecord& record) {
  to.set("series", record.series)
      .set("point", encode(record.point))
      .set("session", record.session)
      .set("incarnation", record.incarnation)
      .set("visit", record.visit)
      .set("outcome", to_text(record.outcome))
      .set("reason", record.reason)
      .set("last_heard", record.last_heard)
      .set("output", record.output)
      .set("threads", array_from(record.threads, encode_thread));
}

FailureRecord decode_failure(const Json& json) {
  return {text_at(json, "series"), point_at(json, "point"),
          int_at(json, "session"), int_at(json, "incarnation"),
          int_at(json, "visit"),   word_at(json, "outcome", parse_outcome),
          text_at(json, "reason"), text_at(json, "last_heard"),
          text_at(json, "output"), vector_from(json.at("threads"), decode_thread)};
}

}  // namespace assay::codec
