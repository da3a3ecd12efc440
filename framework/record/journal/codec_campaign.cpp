// SPDX-License-Identifier: Apache-2.0
// Codec of what frames the results: campaign, session, series, launch, failure, note, end.
#include <array>
#include <charconv>
#include <optional>

#include "record/journal/codec_parts.hpp"
#include "text/scale.hpp"

namespace assay::codec {

namespace {

constexpr std::array<const char*, 5> combine_words{"only", "slowest", "fastest", "mean", "sum"};
constexpr std::array<const char*, 2> per_words{"event", "batch"};

// Finds a word's place in the order of an enumeration.
template <class Enum, std::size_t size>
auto parser_of(const std::array<const char*, size>& words) {
  return [&words](std::string_view text) -> std::optional<Enum> {
    for (std::size_t i = 0; i < size; ++i)
      if (text == words.at(i)) return static_cast<Enum>(i);
    return std::nullopt;
  };
}

// The seed needs all 64 bits, which readers of JSON do not keep in a number: it is a text.
std::optional<std::uint64_t> parse_seed(std::string_view text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return seed;
}

Json encode_quantity(const Quantity& quantity) {
  return Json::Object{{"name", quantity.name},
                      {"unit", symbol(quantity.unit)},
                      {"combine", combine_words.at(static_cast<std::size_t>(quantity.combine))},
                      {"claimant", quantity.claimant},
                      {"per", per_words.at(static_cast<std::size_t>(quantity.per))},
                      {"signed", quantity.is_signed},
                      {"summary", quantity.summary}};
}

Quantity decode_quantity(const Json& json) {
  Quantity quantity;
  quantity.name = text_at(json, "name");
  quantity.unit = word_at(json, "unit", parse_unit);
  quantity.combine = word_at(json, "combine", parser_of<Combine>(combine_words));
  quantity.claimant = int_at(json, "claimant");
  quantity.per = word_at(json, "per", parser_of<Per>(per_words));
  quantity.is_signed = json.at("signed").boolean();
  quantity.summary = text_at(json, "summary");
  return quantity;
}

Json encode_facts(const Facts& facts) {
  Json::Object members;
  for (const auto& [key, value] : facts) members.emplace_back(key, value);
  return members;
}

Facts decode_facts(const Json& json) {
  Facts facts;
  for (const auto& [key, value] : json.object()) facts.emplace_back(key, value.string());
  return facts;
}

Json encode_rank(const LaunchedRank& rank) {
  return Json::Object{{"node", rank.node},
                      {"process", rank.process},
                      {"cpus", array_from(rank.cpus, [](int cpu) { return Json(cpu); })}};
}

LaunchedRank decode_rank(const Json& json) {
  return {text_at(json, "node"), int_at(json, "process"), vector_from(json.at("cpus"), integer_of<int>)};
}

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

void append(Json& to, const CampaignRecord& record) {
  to.set("title", record.title)
      .set("seed", std::to_string(record.seed))
      .set("schedule", record.schedule)
      .set("configuration", record.configuration);
  set_optional(to, "id", record.id);
}

CampaignRecord decode_campaign(const Json& json) {
  return {text_at(json, "title"), text_at(json, "configuration"), word_at(json, "seed", parse_seed),
          text_at(json, "schedule"), optional_text(json, "id")};
}

void append(Json& to, const SessionRecord& record) {
  to.set("session", record.session)
      .set("started", record.started)
      .set("command_line", record.command_line)
      .set("facts", encode_facts(record.facts));
  set_optional(to, "continues", record.continues);
  set_optional(to, "new_machine", record.new_machine);
  set_optional(to, "configuration", record.configuration);
}

SessionRecord decode_session(const Json& json) {
  return {int_at(json, "session"),
          text_at(json, "started"),
          text_at(json, "command_line"),
          decode_facts(json.at("facts")),
          optional_flag(json, "continues"),
          optional_flag(json, "new_machine"),
          optional_text(json, "configuration")};
}

void append(Json& to, const SeriesRecord& record) {
  to.set("series", record.series)
      .set("measurement", record.measurement)
      .set("rule", record.rule)
      .set("quantities", array_from(record.quantities, encode_quantity));
  set_optional(to, "version", record.version);
}

SeriesRecord decode_series(const Json& json) {
  return {text_at(json, "series"), text_at(json, "measurement"), vector_from(json.at("quantities"), decode_quantity),
          text_at(json, "rule"), optional_text(json, "version")};
}

void append(Json& to, const VariantRecord& record) {
  to.set("variant", record.variant).set("session", record.session).set("stands", record.stands);
}

VariantRecord decode_variant(const Json& json) {
  return {text_at(json, "variant"), int_at(json, "session"), json.at("stands").boolean()};
}

void append(Json& to, const NodeRecord& record) {
  to.set("node", record.node).set("facts", encode_facts(record.facts));
}

NodeRecord decode_node(const Json& json) { return {text_at(json, "node"), decode_facts(json.at("facts"))}; }

void append(Json& to, const AnswerRecord& record) {
  to.set("series", record.series)
      .set("point", encode(record.point))
      .set("value", record.value)
      .set("relative_half_width", record.relative_half_width);
}

AnswerRecord decode_answer(const Json& json) {
  return {text_at(json, "series"), point_at(json, "point"), number_at(json, "value"),
          number_at(json, "relative_half_width")};
}

void append(Json& to, const NoteRecord& record) { to.set("text", record.text); }

NoteRecord decode_note(const Json& json) { return {text_at(json, "text")}; }

void append(Json& to, const EndRecord& record) {
  to.set("session", record.session)
      .set("reason", record.reason)
      .set("points", record.points)
      .set("without_result", record.without_result)
      .set("took_ns", record.took.count);
}

EndRecord decode_end(const Json& json) {
  return {int_at(json, "session"), text_at(json, "reason"), int_at(json, "points"), int_at(json, "without_result"),
          nanoseconds_at(json, "took_ns")};
}

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
