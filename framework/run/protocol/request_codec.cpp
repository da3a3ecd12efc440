// SPDX-License-Identifier: Apache-2.0
// What the supervisor asks, member by member.
#include "run/protocol/request_codec.hpp"

#include <bit>
#include <utility>

#include "run/protocol/cpu_list.hpp"
#include "run/protocol/fields.hpp"

namespace assay {
namespace {

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

}  // namespace assay
