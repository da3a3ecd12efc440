// SPDX-License-Identifier: Apache-2.0
// A batch: repetitions, number of members; a member: number of claims, index and value of each, then its guards.
// Descriptions come from plugins, which are not trusted: everything is checked on the way back.
#include "run/protocol/payloads.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "run/protocol/fields.hpp"
#include "text/json.hpp"

namespace assay {
namespace {

template <class Number>
void put(std::string& text, Number number) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
  text += ' ';
}

void put(std::string& text, const Claims& claims) {
  int count = 0;
  for (std::size_t i = 0; i < max_quantities; ++i) count += claims.has(i) ? 1 : 0;
  put(text, count);
  for (std::size_t i = 0; i < max_quantities; ++i) {
    if (!claims.has(i)) continue;
    put(text, i);
    put(text, claims[i]);
  }
}

void put(std::string& text, const MemberReport& report) {
  put(text, report.claims);
  for (const std::int64_t counter : {report.voluntary, report.involuntary, report.major_faults, report.beats})
    put(text, counter);
  for (const int cpu : {report.cpu_before, report.cpu_after}) put(text, cpu);
  for (const Nanoseconds time : {report.cpu, report.wall, report.core_before.wide, report.core_before.chain,
                                 report.core_after.wide, report.core_after.chain})
    put(text, time.count);
}

/// Takes numbers off the front of a text.
class Reader {
 public:
  explicit Reader(std::string_view text) : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}
  bool done() const { return at_ == end_; }

  template <class Number>
  Number take(const char* what) {
    Number number{};
    const auto [end, error] = std::from_chars(at_, end_, number);
    if (error != std::errc() || end == end_ || *end != ' ') fail(what);
    at_ = end + 1;
    return number;
  }
  std::size_t at_most(const char* what, std::size_t most) {
    const auto number = take<std::size_t>(what);
    if (number > most) fail(what);
    return number;
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw JsonError("yield.batches: no " + std::string(what) + " at byte " + std::to_string(at_ - begin_));
  }

  const char* begin_;
  const char* at_;
  const char* end_;
};

Claims claims_from(Reader& reader) {
  Claims claims;
  for (auto left = reader.at_most("number of claims", max_quantities); left > 0; --left) {
    const auto index = reader.at_most("index of a claim", max_quantities - 1);
    claims.set(index, reader.take<double>("claim"));
  }
  return claims;
}

MemberReport report_from(Reader& reader) {
  MemberReport report;
  report.claims = claims_from(reader);
  for (auto field :
       {&MemberReport::voluntary, &MemberReport::involuntary, &MemberReport::major_faults, &MemberReport::beats})
    report.*field = reader.take<std::int64_t>("counter");
  for (auto field : {&MemberReport::cpu_before, &MemberReport::cpu_after}) report.*field = reader.take<int>("CPU");
  for (auto field : {&MemberReport::cpu, &MemberReport::wall}) report.*field = {reader.take<double>("time")};
  for (auto reading : {&MemberReport::core_before, &MemberReport::core_after}) {
    (report.*reading).wide = {reader.take<double>("reading of the core")};
    (report.*reading).chain = {reader.take<double>("reading of the core")};
  }
  return report;
}

}  // namespace

std::string batches_to_text(const std::vector<Batch>& batches) {
  std::string text;
  for (const Batch& batch : batches) {
    put(text, batch.reps.count);
    put(text, batch.members.size());
    for (const MemberReport& report : batch.members) put(text, report);
  }
  return text;
}

std::vector<Batch> batches_from_text(std::string_view text) {
  std::vector<Batch> batches;
  for (Reader reader(text); !reader.done();) {
    Batch& batch = batches.emplace_back();
    batch.reps = {reader.take<std::int64_t>("repetitions")};
    // Room is made as members come: their number alone is only a claim.
    for (auto left = reader.take<std::size_t>("number of members"); left > 0; --left)
      batch.members.push_back(report_from(reader));
  }
  return batches;
}

namespace {

constexpr Words<Combine, 5> combine_words{{{Combine::only, "only"},
                                           {Combine::slowest, "slowest"},
                                           {Combine::fastest, "fastest"},
                                           {Combine::mean, "mean"},
                                           {Combine::sum, "sum"}}};
constexpr Words<Per, 2> per_words{{{Per::event, "event"}, {Per::batch, "batch"}}};
constexpr Words<FactorKind, 2> kind_words{
    {{FactorKind::quantitative, "quantitative"}, {FactorKind::categorical, "categorical"}}};
constexpr Words<Waiting, 7> waiting_words{{{Waiting::none, "none"},
                                           {Waiting::spins, "spins"},
                                           {Waiting::blocks, "blocks"},
                                           {Waiting::either, "either"},
                                           {Waiting::yields, "yields"},
                                           {Waiting::watches, "watches"},
                                           {Waiting::polls, "polls"}}};
constexpr Words<CoreCycles, 3> core_cycles_words{
    {{CoreCycles::never, "never"}, {CoreCycles::on_one_cpu, "on-one-cpu"}, {CoreCycles::always, "always"}}};
constexpr Words<Start, 3> start_words{
    {{Start::barrier, "barrier"}, {Start::dissemination, "dissemination"}, {Start::window, "window"}}};
constexpr Words<Unit, 6> unit_words{{{Unit::nanoseconds, symbol(Unit::nanoseconds)},
                                     {Unit::count, symbol(Unit::count)},
                                     {Unit::bytes, symbol(Unit::bytes)},
                                     {Unit::bytes_per_second, symbol(Unit::bytes_per_second)},
                                     {Unit::per_second, symbol(Unit::per_second)},
                                     {Unit::ratio, symbol(Unit::ratio)}}};

template <class Items, class Encode>
Json::Array array_of(const Items& items, Encode encode_item) {
  Json::Array array;
  for (const auto& item : items) array.push_back(encode_item(item));
  return array;
}

Json::Array texts_of(const std::vector<std::string>& texts) {
  return array_of(texts, [](const std::string& text) { return Json(text); });
}

Json encode_quantity(const Quantity& quantity) {
  return Json::Object{{"name", quantity.name},
                      {"unit", word_of(unit_words, quantity.unit)},
                      {"combine", word_of(combine_words, quantity.combine)},
                      {"claimant", quantity.claimant},
                      {"per", word_of(per_words, quantity.per)},
                      {"signed", quantity.is_signed},
                      {"summary", quantity.summary}};
}

Quantity decode_quantity(const Json& json) {
  Fields fields(json, "quantity");
  Quantity quantity{fields.non_empty("name"),    fields.word("unit", unit_words), fields.word("combine", combine_words),
                    fields.small("claimant", 0), fields.word("per", per_words),   fields.flag("signed"),
                    fields.text("summary")};
  fields.done();
  return quantity;
}

Json encode_factor(const Factor& factor) {
  return Json::Object{{"name", factor.name},
                      {"kind", word_of(kind_words, factor.kind)},
                      {"unit", word_of(unit_words, factor.unit)},
                      {"standard", to_text(factor.standard)},
                      {"words", texts_of(factor.words)},
                      {"summary", factor.summary},
                      {"pattern", factor.is_pattern}};
}

Value decode_value(Fields& fields, std::string_view key) {
  const auto value = parse_value(fields.text(key));
  if (!value) fields.fail(key, "not a level");
  return *value;
}

Factor decode_factor(const Json& json) {
  Fields fields(json, "factor");
  Factor factor{fields.non_empty("name"),        fields.word("kind", kind_words),
                fields.word("unit", unit_words), decode_value(fields, "standard"),
                fields.texts("words"),           fields.text("summary"),
                fields.flag("pattern")};
  fields.done();
  return factor;
}

Json encode_traits(const Traits& traits) {
  return Json::Object{{"vehicles", texts_of(traits.vehicles)},
                      {"waiting", word_of(waiting_words, traits.waiting)},
                      {"events_per_rep", traits.events_per_rep},
                      {"least_reps", traits.reps.least.count},
                      {"most_reps", traits.reps.most.count},
                      {"simulated", traits.simulated},
                      {"code", traits.code},
                      {"why_not", traits.why_not},
                      {"start", word_of(start_words, traits.start)},
                      {"compares_stamps", traits.compares_stamps},
                      {"includes_losses", traits.includes_losses},
                      {"takes_memory", traits.takes_memory}};
}

RepsBounds decode_reps(Fields& fields) {
  const Reps least{fields.integer("least_reps", 1)};
  return {least, Reps{fields.integer("most_reps", least.count)}};
}

Traits decode_traits(const Json& json) {
  Fields fields(json, "traits");
  Traits traits{fields.texts("vehicles"),        fields.word("waiting", waiting_words),
                fields.number("events_per_rep"), decode_reps(fields),
                fields.flag("simulated"),        fields.text("code"),
                fields.text("why_not"),          fields.word("start", start_words),
                fields.flag("compares_stamps"),  fields.flag("includes_losses"),
                fields.flag("takes_memory")};
  fields.done();
  if (traits.vehicles.empty()) fields.fail("vehicles", "none");
  if (traits.events_per_rep <= 0) fields.fail("events_per_rep", "not above zero");
  return traits;
}

Json encode_members(MemberRange members) { return Json::Object{{"least", members.least}, {"most", members.most}}; }

MemberRange decode_members(const Json& json) {
  Fields fields(json, "members");
  const int least = fields.small("least", 1);
  const MemberRange members{least, fields.small("most", least)};
  fields.done();
  return members;
}

Json encode_selected(const std::pair<std::string, Traits>& selected) {
  return Json::Object{{"level", selected.first}, {"traits", encode_traits(selected.second)}};
}

std::pair<std::string, Traits> decode_selected(const Json& json) {
  Fields fields(json, "selected");
  std::pair<std::string, Traits> selected{fields.text("level"), decode_traits(fields.take("traits"))};
  fields.done();
  return selected;
}

template <class Decode>
auto decode_all(Fields& fields, std::string_view key, Decode decode_item) {
  std::vector<decltype(decode_item(std::declval<const Json&>()))> items;
  for (const Json& item : fields.array(key)) items.push_back(decode_item(item));
  return items;
}

void check_sense(const Description& description, const Fields& fields) {
  const auto& quantities = description.quantities;
  if (quantities.empty() || quantities.size() > max_quantities)
    fields.fail("quantities",
                "1 to " + std::to_string(max_quantities) + " are allowed, not " + std::to_string(quantities.size()));
  for (const Quantity& quantity : quantities)
    if (quantity.claimant >= description.members.most)
      fields.fail("quantities", "'" + quantity.name + "' is claimed by a member that no team has");
}

}  // namespace

Json encode_description(const Description& description) {
  return Json::Object{{"name", description.name},
                      {"summary", description.summary},
                      {"quantities", array_of(description.quantities, encode_quantity)},
                      {"factors", array_of(description.factors, encode_factor)},
                      {"members", encode_members(description.members)},
                      {"traits", encode_traits(description.traits)},
                      {"selector", description.selector},
                      {"selected", array_of(description.selected, encode_selected)},
                      {"version", description.version},
                      {"placement", description.placement},
                      {"core_cycles", word_of(core_cycles_words, description.core_cycles)}};
}

Description decode_description(const Json& json) {
  Fields fields(json, "description");
  Description description{fields.non_empty("name"),
                          fields.text("summary"),
                          decode_all(fields, "quantities", decode_quantity),
                          decode_all(fields, "factors", decode_factor),
                          decode_members(fields.take("members")),
                          decode_traits(fields.take("traits")),
                          fields.text("selector"),
                          decode_all(fields, "selected", decode_selected),
                          fields.small("version", 1),
                          fields.non_empty("placement"),
                          fields.word("core_cycles", core_cycles_words)};
  fields.done();
  check_sense(description, fields);
  return description;
}

}  // namespace assay
