// SPDX-License-Identifier: Apache-2.0
// The wire form of requests and replies: {"protocol", "number", "kind", "body"}.
#include "run/protocol/messages.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>
#include <utility>
#include <vector>

#include "run/protocol/fields.hpp"
#include "run/protocol/payloads.hpp"
#include "text/json.hpp"

namespace assay {

namespace {

constexpr int most_cpus = 1 << 20;

/// Numbers of CPUs by rank.
Json::Array encode_cpus(const std::vector<int>& cpus) { return {cpus.begin(), cpus.end()}; }

/// Exact inverse. Throws JsonError for what is not the number of a CPU.
std::vector<int> decode_cpus(Fields& fields, std::string_view key, int least = 0) {
  std::vector<int> cpus;
  for (const Json& item : fields.array(key)) {
    const std::int64_t cpu = item.integer();
    if (cpu < least || cpu >= most_cpus) fields.fail(key, "not the number of a CPU");
    cpus.push_back(static_cast<int>(cpu));
  }
  return cpus;
}

constexpr int most_members = 1 << 16;
constexpr int most_batches = 1 << 20;

Point decode_point(Fields& fields, std::string_view key) {
  auto point = parse_point(fields.text(key));
  if (!point) fields.fail(key, "not a point");
  return *std::move(point);
}

}  // namespace

Json encode_body(const OpenMessage& open) {
  return Json::Object{{"measurement", open.measurement},
                      {"point", to_text(open.point)},
                      {"vehicle", open.vehicle},
                      {"members", open.members},
                      {"placement", open.placement.name},
                      {"cpus", encode_cpus(open.placement.cpus)},
                      {"policy", open.policy},
                      {"memory", open.placement.memory},
                      {"bystander", open.bystander},
                      {"counter_clock", open.counter_clock},
                      {"seed", std::bit_cast<std::int64_t>(open.seed)},
                      {"warm_up", open.warm_up.count},
                      {"loop_copy", open.loop_copy}};
}

OpenMessage decode_open(const Json& json) {
  Fields fields(json, "open");
  OpenMessage open;
  open.measurement = fields.non_empty("measurement");
  open.point = decode_point(fields, "point");
  open.vehicle = fields.non_empty("vehicle");
  open.members = fields.small("members", 1, most_members);
  open.placement = {fields.text("placement"), decode_cpus(fields, "cpus"), fields.small("memory", -1)};
  open.policy = fields.non_empty("policy");
  open.bystander = fields.flag("bystander");
  open.counter_clock = fields.flag("counter_clock");
  open.seed = std::bit_cast<std::uint64_t>(fields.integer("seed"));
  open.warm_up = fields.duration("warm_up");
  open.loop_copy = fields.small("loop_copy", 0);
  fields.done();
  if (open.placement.bound() && std::cmp_not_equal(open.placement.cpus.size(), open.members))
    fields.fail("cpus", "not one for each member");
  return open;
}

Json encode_body(const VisitOrder& order) {
  return Json::Object{{"reps", order.reps.count}, {"discard", order.discard},     {"most_discard", order.most_discard},
                      {"batches", order.batches}, {"reference", order.reference}, {"deadline", order.deadline.count}};
}

VisitOrder decode_visit(const Json& json) {
  Fields fields(json, "visit");
  VisitOrder order;
  order.reps.count = fields.integer("reps", 1);
  order.discard = fields.small("discard", 0, most_batches);
  order.most_discard = fields.small("most_discard", 0);
  order.batches = fields.small("batches", 0, most_batches);
  order.reference = fields.flag("reference");
  order.deadline = fields.duration("deadline");
  fields.done();
  return order;
}

Json encode_body(const DescribeMessage&) { return Json::Object{}; }

DescribeMessage decode_describe(const Json& json) {
  Fields(json, "describe").done();
  return {};
}

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
    readings.push_back({{numbers[i].number()}, {numbers[i + 1].number()}, {}});
  return readings;
}

// Workers of builds that time none leave them out.
void append_calls(Json& to, const std::vector<CoreReading>& readings) {
  Json::Array calls;
  for (const CoreReading& reading : readings) calls.emplace_back(reading.call.count);
  const auto is_read = [](const CoreReading& reading) { return reading.call > Nanoseconds{}; };
  if (std::ranges::any_of(readings, is_read)) to.set("apart_calls", std::move(calls));
}

void decode_calls(Fields& fields, std::vector<CoreReading>& readings) {
  const Json::Array& numbers = fields.array("apart_calls");
  if (numbers.size() != readings.size()) fields.fail("apart_calls", "not one for each member");
  for (std::size_t i = 0; i < numbers.size(); ++i) readings[i].call = {numbers[i].number()};
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

namespace {

Json encode_found(const std::vector<FoundPart>& found_parts) {
  Json::Array items;
  for (const FoundPart& one : found_parts)
    items.emplace_back(Json::Object{{"name", one.name}, {"value", one.value}, {"count", one.count}});
  return items;
}

std::vector<FoundPart> decode_found(Fields& fields, const char* key) {
  std::vector<FoundPart> found_parts;
  for (const Json& item : fields.array(key)) {
    Fields one(item, "part");
    found_parts.push_back({one.text("name"), one.number("value"), one.integer("count", 0)});
    one.done();
  }
  return found_parts;
}

}  // namespace

Json encode_body(const VisitYield& yield) {
  Json body = Json::Object{{"discarded", yield.discarded},
                           {"reference", yield.reference ? Json(yield.reference->count) : Json()},
                           {"apart", encode_readings(yield.apart)},
                           {"batches", batches_to_text(yield.batches)},
                           {"changed", yield.changed}};
  // Where there are none, workers of builds that know of none send the same.
  if (!yield.apart_cpus.empty()) body.set("apart_cpus", encode_cpus(yield.apart_cpus));
  append_calls(body, yield.apart);
  if (!yield.found_parts.empty()) body.set("found_parts", encode_found(yield.found_parts));
  return body;
}

VisitYield decode_yield(const Json& json) {
  Fields fields(json, "yield");
  VisitYield yield;
  yield.batches = batches_from_text(fields.text("batches"));
  yield.discarded = fields.small("discarded", 0);
  yield.reference = fields.optional_duration("reference");
  yield.changed = fields.text("changed");
  if (json.find("found_parts") != nullptr) yield.found_parts = decode_found(fields, "found_parts");
  yield.apart = decode_readings(fields, "apart");
  if (json.find("apart_calls") != nullptr) decode_calls(fields, yield.apart);
  if (json.find("apart_cpus") != nullptr) {
    yield.apart_cpus = decode_cpus(fields, "apart_cpus", -1);
    if (yield.apart_cpus.size() != yield.apart.size()) fields.fail("apart_cpus", "not one for each member");
  }
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

namespace {

/// A message before its body is understood.
struct Envelope {
  std::int64_t number;
  std::string kind;
  const Json* body;
};

std::string seal(std::int64_t number, std::string_view kind, Json body) {
  return to_text(
      Json::Object{{"protocol", protocol_version}, {"number", number}, {"kind", kind}, {"body", std::move(body)}});
}

Envelope unseal(const Json& json, std::int64_t least_number) {
  Fields fields(json, "message");
  if (const auto theirs = fields.integer("protocol", 0); theirs != protocol_version)
    throw JsonError("messages of version " + std::to_string(theirs) + " where this program's are of version " +
                    std::to_string(protocol_version) + "; build both from the same sources");
  Envelope envelope{fields.integer("number", least_number), fields.text("kind"), &fields.take("body")};
  fields.done();
  return envelope;
}

/// The kind of each alternative, in the variant's order, with its reader.
template <class Message>
struct Kind {
  std::string_view name;
  Message (*decode)(const Json&);
};

constexpr std::array<Kind<Request>, 3> requests{
    {{"open", [](const Json& body) -> Request { return decode_open(body); }},
     {"visit", [](const Json& body) -> Request { return decode_visit(body); }},
     {"describe", [](const Json& body) -> Request { return decode_describe(body); }}}};

constexpr std::array<Kind<Reply>, 5> replies{
    {{"opened", [](const Json& body) -> Reply { return decode_opened(body); }},
     {"yield", [](const Json& body) -> Reply { return decode_yield(body); }},
     {"failed", [](const Json& body) -> Reply { return decode_failed(body); }},
     {"described", [](const Json& body) -> Reply { return decode_described(body); }},
     {"alive", [](const Json& body) -> Reply { return decode_alive(body); }}}};

template <class Message, std::size_t N>
std::string seal_as(const std::array<Kind<Message>, N>& kinds, const Message& message, std::int64_t number) {
  static_assert(N == std::variant_size_v<Message>);
  return seal(number, kinds.at(message.index()).name,
              std::visit([](const auto& alternative) { return encode_body(alternative); }, message));
}

template <class Message, std::size_t N>
Message decode_as(const std::array<Kind<Message>, N>& kinds, const Envelope& envelope) {
  const auto kind = std::ranges::find(kinds, envelope.kind, &Kind<Message>::name);
  if (kind == kinds.end()) throw JsonError("message.kind: '" + envelope.kind + "' is unknown");
  return kind->decode(*envelope.body);
}

}  // namespace

std::string encode(const Request& request, std::int64_t number) { return seal_as(requests, request, number); }

NumberedRequest decode_request(std::string_view line) {
  const Json json = parse_json(line);
  const Envelope envelope = unseal(json, 1);
  return {envelope.number, decode_as(requests, envelope)};
}

std::string encode(const Reply& reply, std::int64_t answers) { return seal_as(replies, reply, answers); }

NumberedReply decode_reply(std::string_view line) {
  const Json json = parse_json(line);
  const Envelope envelope = unseal(json, last_word);
  return {envelope.number, decode_as(replies, envelope)};
}

}  // namespace assay
