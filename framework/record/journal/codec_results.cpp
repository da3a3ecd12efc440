// SPDX-License-Identifier: Apache-2.0
// Codec of results: finished points and derived values.
#include "record/journal/codec_parts.hpp"
#include "text/scale.hpp"

namespace assay::codec {

namespace {

void append_interval(Json& to, const Interval& interval) {
  to.set("low", interval.low).set("high", interval.high).set("level", interval.level);
}

Interval decode_interval(const Json& json) {
  return {number_at(json, "low"), number_at(json, "high"), number_at(json, "level")};
}

Json encode_estimate(const Estimate& estimate) {
  Json json;
  json.set("statistic", estimate.statistic).set("value", estimate.value);
  append_interval(json, estimate.interval);
  return json.set("basis", estimate.basis);
}

Estimate decode_estimate(const Json& json) {
  return {text_at(json, "statistic"), number_at(json, "value"), decode_interval(json), text_at(json, "basis")};
}

Json encode_verdict(const Verdict& verdict) {
  return Json::Object{{"outcome", to_text(verdict.outcome)},
                      {"reason", verdict.reason},
                      {"estimate", encode_estimate(verdict.estimate)}};
}

Verdict decode_verdict(const Json& json) {
  return {word_at(json, "outcome", parse_outcome), text_at(json, "reason"), decode_estimate(json.at("estimate"))};
}

// A description's numbers by key; n is kept beside them.
struct Described {
  const char* key;
  double Summary::*field;
};
constexpr Described descriptions[] = {{"mean", &Summary::mean},
                                      {"stddev", &Summary::stddev},
                                      {"standard_error", &Summary::standard_error},
                                      {"median", &Summary::median},
                                      {"min", &Summary::min},
                                      {"max", &Summary::max},
                                      {"q10", &Summary::q10},
                                      {"q25", &Summary::q25},
                                      {"q75", &Summary::q75},
                                      {"q90", &Summary::q90},
                                      {"contamination", &Summary::contamination}};

Json encode_summary(const Summary& summary) {
  Json json;
  json.set("n", static_cast<std::int64_t>(summary.n));
  for (const Described& described : descriptions) json.set(described.key, summary.*described.field);
  return json;
}

Summary decode_summary(const Json& json) {
  Summary summary;
  summary.n = integer_of<std::size_t>(json.at("n"));
  for (const Described& described : descriptions) summary.*described.field = number_at(json, described.key);
  return summary;
}

Json encode_mode(const Mode& mode) {
  Json json;
  json.set("median", mode.median).set("weight", mode.weight);
  append_interval(json, mode.interval);
  return json;
}

Mode decode_mode(const Json& json) {
  return {number_at(json, "median"), number_at(json, "weight"), decode_interval(json)};
}

Json encode_steadiness(const Steadiness& steadiness) {
  return Json::Object{{"dropped", steadiness.dropped},
                      {"effective", steadiness.effective},
                      {"autocorrelation", steadiness.autocorrelation},
                      {"drift", steadiness.drift},
                      {"modes", array_from(steadiness.modes, encode_mode)}};
}

Steadiness decode_steadiness(const Json& json) {
  return {int_at(json, "dropped"), number_at(json, "effective"), number_at(json, "autocorrelation"),
          text_at(json, "drift"), vector_from(json.at("modes"), decode_mode)};
}

Json encode_process(const IncarnationMedian& process) {
  return Json::Object{{"session", process.session},
                      {"incarnation", process.incarnation},
                      {"median", process.value},
                      {"n", static_cast<std::int64_t>(process.n)}};
}

IncarnationMedian decode_process(const Json& json) {
  return {int_at(json, "session"), int_at(json, "incarnation"), number_at(json, "median"),
          integer_of<std::size_t>(json.at("n"))};
}

Json encode_session(const SessionEstimate& session) {
  Json json;
  json.set("session", session.session).set("value", session.value);
  append_interval(json, session.interval);
  json.set("n", static_cast<std::int64_t>(session.n));
  if (session.clock_ghz > 0) json.set("clock_ghz", session.clock_ghz);
  return json;
}

SessionEstimate decode_session_estimate(const Json& json) {
  return {int_at(json, "session"), number_at(json, "value"), decode_interval(json),
          integer_of<std::size_t>(json.at("n")), json.find("clock_ghz") != nullptr ? number_at(json, "clock_ghz") : 0};
}

void append_clock(Json& to, const CoreClock& clock) {
  if (clock.known())
    to.set("clock_ghz", clock.ghz).set("clock_accuracy", clock.accuracy);
  else if (clock.why != NoClock::not_kept)
    to.set("no_clock", to_text(clock.why));
}

CoreClock decode_clock(const Json& json) {
  if (json.find("clock_ghz") != nullptr)
    return {number_at(json, "clock_ghz"), number_at(json, "clock_accuracy"), NoClock::not_kept};
  return {0, 0, json.find("no_clock") != nullptr ? word_at(json, "no_clock", parse_no_clock) : NoClock::not_kept};
}

Json encode_another_day(const AnotherDay& other) {
  Json json;
  append_interval(json, other.interval);
  return json.set("from", static_cast<std::int64_t>(other.from));
}

AnotherDay decode_another_day(const Json& json) {
  return {decode_interval(json), integer_of<std::size_t>(json.at("from"))};
}

CoreState decode_state(const Json& json) {
  CoreState state = json.find("state") != nullptr ? word_at(json, "state", parse_core_state) : CoreState{};
  if (json.find("step_ns") != nullptr) state.step = nanoseconds_at(json, "step_ns");
  return state;
}

Json encode_result(const Result& result) {
  Json json = Json::Object{{"quantity", result.quantity},
                           {"unit", symbol(result.unit)},
                           {"regime", to_text(result.regime)},
                           {"regime_share", result.regime_share},
                           {"verdict", encode_verdict(result.verdict)},
                           {"headline", encode_estimate(result.headline)},
                           {"summary", encode_summary(result.summary)},
                           {"visits", result.visits},
                           {"incarnations", result.incarnations},
                           {"disturbed_share", result.disturbed_share},
                           {"noisy", result.noisy},
                           {"within_spread", result.within_spread},
                           {"between_spread", result.between_spread},
                           {"term", to_text(result.term)},
                           {"span_ns", result.span.count},
                           {"steadiness", encode_steadiness(result.steadiness)},
                           {"processes", array_from(result.processes, encode_process)},
                           {"sessions", array_from(result.sessions, encode_session)}};
  if (result.stretches > 1) json.set("stretches", result.stretches);
  if (result.state != CoreState{}) json.set("state", to_text(result.state));
  if (result.state.step > Nanoseconds{}) json.set("step_ns", result.state.step.count);
  if (result.state_share != 1) json.set("state_share", result.state_share);
  append_clock(json, result.clock);
  if (result.another_day.from > 0) json.set("another_day", encode_another_day(result.another_day));
  if (result.converted > 0) json.set("converted", result.converted);
  if (result.law) json.set("distance_power", result.law.distance_power);
  if (result.law.clock_power) json.set("clock_power", *result.law.clock_power);
  return json;
}

DistanceLaw decode_law(const Json& json) {
  if (json.find("distance_power") == nullptr) return {};
  return {number_at(json, "distance_power"),
          json.find("clock_power") != nullptr ? std::optional(number_at(json, "clock_power")) : std::nullopt};
}

Result decode_result(const Json& json) {
  return {text_at(json, "quantity"),
          word_at(json, "unit", parse_unit),
          word_at(json, "regime", parse_regime),
          number_at(json, "regime_share"),
          decode_verdict(json.at("verdict")),
          decode_estimate(json.at("headline")),
          decode_summary(json.at("summary")),
          int_at(json, "visits"),
          int_at(json, "incarnations"),
          number_at(json, "disturbed_share"),
          json.at("noisy").boolean(),
          number_at(json, "within_spread"),
          number_at(json, "between_spread"),
          word_at(json, "term", parse_term),
          nanoseconds_at(json, "span_ns"),
          decode_steadiness(json.at("steadiness")),
          vector_from(json.at("processes"), decode_process),
          vector_from(json.at("sessions"), decode_session_estimate),
          json.find("stretches") != nullptr ? int_at(json, "stretches") : 1,
          decode_state(json),
          json.find("state_share") != nullptr ? number_at(json, "state_share") : 1,
          decode_clock(json),
          json.find("another_day") != nullptr ? decode_another_day(json.at("another_day")) : AnotherDay{},
          json.find("converted") != nullptr ? number_at(json, "converted") : 0,
          decode_law(json)};
}

Json encode_representative(const SymmetryTest::Representative& one) {
  return Json::Object{{"placement", one.placement}, {"value", one.value}};
}

SymmetryTest::Representative decode_representative(const Json& json) {
  return {text_at(json, "placement"), number_at(json, "value")};
}

Json encode_symmetry(const SymmetryTest& test) {
  return Json::Object{{"verdict", to_text(test.verdict)},
                      {"p", test.p},
                      {"placements", test.placements},
                      {"lowest", encode_representative(test.lowest)},
                      {"middle", encode_representative(test.middle)},
                      {"highest", encode_representative(test.highest)},
                      {"unit", test.unit}};
}

SymmetryTest decode_symmetry(const Json& json) {
  return {word_at(json, "verdict", parse_symmetry),
          number_at(json, "p"),
          json.at("placements").integer(),
          decode_representative(json.at("lowest")),
          decode_representative(json.at("middle")),
          decode_representative(json.at("highest")),
          text_at(json, "unit")};
}

Json encode_reference(const ReferenceTrips& reference) {
  return Json::Object{{"visits", static_cast<std::int64_t>(reference.visits)},
                      {"median_ns", reference.median},
                      {"low_ns", reference.low},
                      {"high_ns", reference.high},
                      {"moved", reference.moved}};
}

ReferenceTrips decode_reference(const Json& json) {
  return {integer_of<std::size_t>(json.at("visits")), number_at(json, "median_ns"), number_at(json, "low_ns"),
          number_at(json, "high_ns"), json.at("moved").boolean()};
}

constexpr auto early_causes = static_cast<std::size_t>(Disturbance::throttled);

Json encode_counts(const DisturbanceCounts& counts) {
  Json::Object causes;
  for (std::size_t cause = 0; cause < counts.size(); ++cause)
    causes.emplace_back(to_text(static_cast<Disturbance>(cause)), static_cast<std::int64_t>(counts.at(cause)));
  return causes;
}

DisturbanceCounts decode_counts(const Json& json) {
  DisturbanceCounts counts{};
  for (std::size_t cause = 0; cause < counts.size(); ++cause)
    // Journals from before visits were watched do not have the later causes.
    if (const auto name = to_text(static_cast<Disturbance>(cause)); cause < early_causes || json.find(name) != nullptr)
      counts.at(cause) = integer_of<std::size_t>(json.at(name));
  return counts;
}

}  // namespace

void append(Json& to, const PointRecord& record) {
  to.set("series", record.series)
      .set("measurement", record.measurement)
      .set("point", encode(record.point))
      .set("outcome", to_text(record.outcome))
      .set("reason", record.reason)
      .set("code", record.code)
      .set("reps", record.reps.count)
      .set("results", array_from(record.results, encode_result))
      .set("disturbed", encode_counts(record.disturbed))
      .set("simulated", record.simulated);
  if (record.reference.visits > 0) to.set("reference", encode_reference(record.reference));
  if (record.clock_bound) to.set("clock_bound_ns", record.clock_bound->count);
  set_optional(to, "id", record.id);
  set_optional(to, "unfinished", record.unfinished);
  set_optional(to, "library", record.library);
  if (record.events_per_rep != 1) to.set("events_per_rep", record.events_per_rep);
  if (!record.others.empty()) to.set("others", array_from(record.others, encode_result));
  if (!record.cores.empty()) to.set("cores", array_from(record.cores, encode_core_level));
  append_clocks(to, record.clocks);
  append_pairs(to, record.pairs);
  if (record.settled > 0) to.set("settled", record.settled);
}

PointRecord decode_finished_point(const Json& json) {
  return {text_at(json, "series"),
          text_at(json, "measurement"),
          point_at(json, "point"),
          word_at(json, "outcome", parse_outcome),
          text_at(json, "reason"),
          text_at(json, "code"),
          Reps{json.at("reps").integer()},
          vector_from(json.at("results"), decode_result),
          decode_counts(json.at("disturbed")),
          json.at("simulated").boolean(),
          json.find("reference") != nullptr ? decode_reference(json.at("reference")) : ReferenceTrips{},
          optional_text(json, "id"),
          json.find("clock_bound_ns") != nullptr ? std::optional(nanoseconds_at(json, "clock_bound_ns")) : std::nullopt,
          optional_flag(json, "unfinished"),
          optional_text(json, "library"),
          json.find("events_per_rep") != nullptr ? number_at(json, "events_per_rep") : 1,
          json.find("others") != nullptr ? vector_from(json.at("others"), decode_result) : std::vector<Result>{},
          json.find("cores") != nullptr ? vector_from(json.at("cores"), decode_core_level) : std::vector<CoreLevel>{},
          json.find("settled") != nullptr ? int_at(json, "settled") : 0,
          decode_clocks(json),
          decode_pairs(json)};
}

void append(Json& to, const DerivedRecord& record) {
  to.set("series", record.series)
      .set("name", record.name)
      .set("formula", record.formula)
      .set("group", encode(record.group))
      .set("quantity", record.quantity)
      .set("regime", to_text(record.regime))
      .set("unit", record.unit)
      .set("value", record.derived.value);
  append_interval(to, record.derived.interval);
  to.set("valid", record.derived.valid).set("reason", record.derived.reason);
  if (record.symmetry) to.set("symmetry", encode_symmetry(*record.symmetry));
}

DerivedRecord decode_derived(const Json& json) {
  DerivedRecord record{
      text_at(json, "series"),
      text_at(json, "name"),
      text_at(json, "formula"),
      point_at(json, "group"),
      text_at(json, "quantity"),
      word_at(json, "regime", parse_regime),
      text_at(json, "unit"),
      {number_at(json, "value"), decode_interval(json), json.at("valid").boolean(), text_at(json, "reason")}};
  if (const Json* symmetry = json.find("symmetry")) record.symmetry = decode_symmetry(*symmetry);
  return record;
}

}  // namespace assay::codec
