// SPDX-License-Identifier: Apache-2.0
// Codec of what a session learned of its cores.
#include "record/journal/codec_parts.hpp"

namespace assay::codec {

namespace {

Json encode_node_cores(const NodeCores& node) {
  Json json;
  json.set("node", node.node).set("cycles_per_step", node.cycles_per_step);
  set_optional(json, "one_thread", node.one_thread);
  return json;
}

NodeCores decode_node_cores(const Json& json) {
  return {text_at(json, "node"), int_at(json, "cycles_per_step"), optional_flag(json, "one_thread")};
}

Json encode_clock_level(const ClockLevel& level) {
  Json json;
  return json.set("step_ns", level.middle).set("readings", static_cast<std::int64_t>(level.readings));
}

ClockLevel decode_clock_level(const Json& json) {
  return {number_at(json, "step_ns"), integer_of<std::size_t>(json.at("readings"))};
}

Json encode_node_clocks(const NodeClocks& clocks) {
  Json json;
  set_optional(json, "node", clocks.node);
  return json.set("usual_step_ns", clocks.usual.count).set("levels", array_from(clocks.levels, encode_clock_level));
}

NodeClocks decode_node_clocks(const Json& json) {
  return {optional_text(json, "node"), nanoseconds_at(json, "usual_step_ns"),
          vector_from(json.at("levels"), decode_clock_level)};
}

Json encode_cpu(const NodeCpu& cpu) {
  Json json;
  set_optional(json, "node", cpu.node);
  return json.set("cpu", cpu.cpu);
}

NodeCpu decode_cpu(const Json& json) { return {optional_text(json, "node"), int_at(json, "cpu")}; }

Json encode_pair(const PairDistances& distances) {
  Json json;
  return json.set("one", encode_cpu(distances.pair.first))
      .set("other", encode_cpu(distances.pair.second))
      .set("distances_ns", array_from(distances.levels, [](double level) { return Json(level); }));
}

PairDistances decode_pair(const Json& json) {
  return {{decode_cpu(json.at("one")), decode_cpu(json.at("other"))},
          vector_from(json.at("distances_ns"), [](const Json& item) { return item.number(); })};
}

}  // namespace

void append_pairs(Json& to, const std::vector<PairDistances>& pairs) {
  if (!pairs.empty()) to.set("pairs", array_from(pairs, encode_pair));
}

std::vector<PairDistances> decode_pairs(const Json& json) {
  if (json.find("pairs") == nullptr) return {};
  return vector_from(json.at("pairs"), decode_pair);
}

void append_clocks(Json& to, const std::vector<NodeClocks>& clocks) {
  if (!clocks.empty()) to.set("clocks", array_from(clocks, encode_node_clocks));
}

std::vector<NodeClocks> decode_clocks(const Json& json) {
  if (json.find("clocks") == nullptr) return {};
  return vector_from(json.at("clocks"), decode_node_clocks);
}

Json encode_core_level(const CoreLevel& level) {
  Json json;
  set_optional(json, "node", level.node);
  json.set("cpu", level.cpu)
      .set("alone", level.alone)
      .set("chain_ns", level.chain.count)
      .set("because", to_text(level.because))
      .set("readings", level.readings)
      .set("readings_alone", level.readings_alone);
  if (level.call.cost > 0) json.set("call", level.call.cost).set("longest_call", level.call.longest);
  return json;
}

CoreLevel decode_core_level(const Json& json) {
  return {
      int_at(json, "cpu"),
      number_at(json, "alone"),
      nanoseconds_at(json, "chain_ns"),
      word_at(json, "because", parse_alone_because),
      json.at("readings").integer(),
      json.at("readings_alone").integer(),
      optional_text(json, "node"),
      json.find("call") != nullptr ? UsualCall{number_at(json, "call"), number_at(json, "longest_call")} : UsualCall{}};
}

void append(Json& to, const CoresRecord& record) {
  to.set("session", record.session)
      .set("cycles_per_step", record.cycles_per_step)
      .set("levels", array_from(record.levels, encode_core_level))
      .set("alone", record.alone)
      .set("shared", record.shared)
      .set("distances_ns", array_from(record.distances, [](double distance) { return Json(distance); }))
      .set("waited", record.waited);
  set_optional(to, "node", record.node);
  set_optional(to, "by_ranks", record.by_ranks);
  if (!record.nodes.empty()) to.set("nodes", array_from(record.nodes, encode_node_cores));
  append_clocks(to, record.clocks);
  append_pairs(to, record.pairs);
}

CoresRecord decode_cores(const Json& json) {
  return {int_at(json, "session"),
          int_at(json, "cycles_per_step"),
          vector_from(json.at("levels"), decode_core_level),
          number_at(json, "alone"),
          number_at(json, "shared"),
          vector_from(json.at("distances_ns"), [](const Json& item) { return item.number(); }),
          number_at(json, "waited"),
          optional_text(json, "node"),
          optional_flag(json, "by_ranks"),
          json.find("nodes") != nullptr ? vector_from(json.at("nodes"), decode_node_cores) : std::vector<NodeCores>(),
          decode_clocks(json),
          decode_pairs(json)};
}

}  // namespace assay::codec
