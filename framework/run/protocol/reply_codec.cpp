// SPDX-License-Identifier: Apache-2.0
// What a worker answers, member by member.
#include "run/protocol/reply_codec.hpp"

#include <utility>

#include "run/protocol/batch_text.hpp"
#include "run/protocol/cpu_list.hpp"
#include "run/protocol/description_codec.hpp"
#include "run/protocol/fields.hpp"

namespace assay {

namespace {

// Throughput and latency of one member after the other.
Json encode_readings(const std::vector<CoreReading>& readings) {
  Json::Array numbers;
  for (const CoreReading& reading : readings) {
    numbers.emplace_back(reading.wide.count);
    numbers.emplace_back(reading.chain.count);
  }
  return numbers;
}

std::vector<CoreReading> decode_readings(Fields& fields, const char* key) {
  const Json::Array& numbers = fields.array(key);
  if (numbers.size() % 2 != 0) fields.fail(key, "not two numbers for each member");
  std::vector<CoreReading> readings;
  for (std::size_t i = 0; i < numbers.size(); i += 2)
    readings.push_back({{numbers[i].number()}, {numbers[i + 1].number()}});
  return readings;
}

}  // namespace

Json encode_body(const Opened& opened) {
  return Json::Object{{"process", opened.process},
                      {"cpus", encode_cpus(opened.cpus)},
                      {"warm_up", opened.warm_up.count},
                      {"warm_up_reps", opened.warm_up_reps},
                      {"warm_up_took", opened.warm_up_took.count},
                      {"stack_padding", opened.stack_padding},
                      {"clock_step", opened.clock_step.count},
                      {"clock_cost", opened.clock_cost.count},
                      {"clock_spread", opened.clock_spread.count},
                      {"library", opened.library},
                      {"loop_copy", opened.loop_copy}};
}

Opened decode_opened(const Json& json) {
  Fields fields(json, "opened");
  Opened opened;
  opened.process = fields.small("process", 1);
  opened.cpus = decode_cpus(fields, "cpus");
  opened.warm_up = fields.duration("warm_up");
  opened.warm_up_reps = fields.integer("warm_up_reps", 0);
  opened.warm_up_took = fields.duration("warm_up_took");
  opened.stack_padding = fields.small("stack_padding", 0);
  opened.clock_step = fields.duration("clock_step");
  opened.clock_cost = fields.duration("clock_cost");
  opened.clock_spread = fields.duration("clock_spread");
  opened.library = fields.text("library");
  opened.loop_copy = fields.small("loop_copy", 0);
  fields.done();
  return opened;
}

Json encode_body(const VisitYield& yield) {
  return Json::Object{{"discarded", yield.discarded},
                      {"reference", yield.reference ? Json(yield.reference->count) : Json()},
                      {"apart", encode_readings(yield.apart)},
                      {"batches", batches_to_text(yield.batches)},
                      {"changed", yield.changed}};
}

VisitYield decode_yield(const Json& json) {
  Fields fields(json, "yield");
  VisitYield yield;
  yield.batches = batches_from_text(fields.text("batches"));
  yield.discarded = fields.small("discarded", 0);
  yield.reference = fields.optional_duration("reference");
  yield.changed = fields.text("changed");
  yield.apart = decode_readings(fields, "apart");
  fields.done();
  if (std::cmp_greater(yield.discarded, yield.batches.size())) fields.fail("discarded", "more than there are");
  return yield;
}

Json encode_body(const FailedMessage& failed) {
  return Json::Object{{"outcome", to_text(failed.outcome)}, {"why", failed.why}, {"code", failed.code}};
}

FailedMessage decode_failed(const Json& json) {
  Fields fields(json, "failed");
  const auto outcome = parse_outcome(fields.text("outcome"));
  FailedMessage failed{outcome.value_or(Outcome::open), fields.text("why"), fields.text("code")};
  fields.done();
  if (failed.outcome != Outcome::failed && failed.outcome != Outcome::unsupported &&
      failed.outcome != Outcome::not_applicable)
    fields.fail("outcome", "not one that a worker can have");
  return failed;
}

Json encode_body(const Described& described) {
  Json::Array measurements;
  for (const Description& description : described.measurements) measurements.push_back(encode_description(description));
  return Json::Object{{"measurements", std::move(measurements)}};
}

Described decode_described(const Json& json) {
  Fields fields(json, "described");
  Described described;
  for (const Json& item : fields.array("measurements")) described.measurements.push_back(decode_description(item));
  fields.done();
  return described;
}

Json encode_body(const AliveMessage& /*alive*/) { return Json::Object{}; }

AliveMessage decode_alive(const Json& json) {
  Fields(json, "alive").done();
  return {};
}

}  // namespace assay
