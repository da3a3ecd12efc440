// SPDX-License-Identifier: Apache-2.0
// `assay predict`: what a campaign's parameters say of other things, and whether these were measured so.
#include <algorithm>
#include <ostream>
#include <set>

#include "app/commands/commands.hpp"
#include "app/results/listing.hpp"
#include "app/results/results.hpp"
#include "base/number.hpp"
#include "record/export/export_parts.hpp"
#include "record/predict/advice.hpp"
#include "record/predict/prediction.hpp"
#include "text/printable.hpp"
#include "text/suggest.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

constexpr const char* assay_predict = "assay predict";
constexpr std::size_t line_width = 100;

using predict::Fit;
using predict::Formula;
using predict::Prediction;

[[noreturn]] void refuse_predict(std::string what, std::string why, std::string remedy) {
  throw ConfigError(Problem{{assay_predict}, std::move(what), std::move(why), std::move(remedy)});
}

// "2, 4, 8": whole numbers, or sizes as 64Ki.
std::vector<double> numbers_of(const CommandLine& line, const std::string& option, double least, double most,
                               std::vector<double> otherwise) {
  const auto text = value_of(line, option);
  if (!text) return otherwise;
  std::vector<double> numbers;
  std::size_t at = 0;
  while (at <= text->size()) {
    const std::size_t comma = std::min(text->find(',', at), text->size());
    const std::string word(trimmed(std::string_view(*text).substr(at, comma - at)));
    const NumberResult read = read_number(word);
    const auto* number = read.what.empty() ? std::get_if<std::int64_t>(&read.value) : nullptr;
    if (number == nullptr || static_cast<double>(*number) < least || static_cast<double>(*number) > most)
      refuse_predict("--" + option + " " + shown(*text) + " is no list of whole numbers",
                     shown(word) + " is not from " + std::to_string(static_cast<std::int64_t>(least)) + " to " +
                         std::to_string(static_cast<std::int64_t>(most)),
                     "write --" + option + " 2,4,8");
    numbers.push_back(static_cast<double>(*number));
    at = comma + 1;
  }
  return numbers;
}

std::string levels_text(const Formula& formula) {
  std::vector<std::string> levels;
  for (const auto& [factor, level] : formula.levels) levels.push_back(factor + "=" + level);
  return joined(levels, " ");
}

std::string inputs_text(const Formula& formula) {
  std::vector<std::string> symbols;
  for (const auto& input : formula.inputs) symbols.push_back(input.symbol);
  if (formula.carried) symbols.emplace_back("LogGP");
  return joined(symbols);
}

Listing formula_listing(const std::string& target) {
  Listing listing{"formulas", {"formula", "measurement", "quantity", "levels", "inputs", "takes", "assumes", "source"}};
  for (const Formula& formula : predict::all_formulas())
    if (target.empty() || target == formula.measurement || target == formula.name)
      listing.add({formula.name, formula.measurement, formula.quantity, levels_text(formula), inputs_text(formula),
                   formula.text, formula.assumes, formula.source});
  return listing;
}

void say_wrapped(std::ostream& out, const std::string& label, const std::string& text) {
  bool is_first = true;
  const std::string blanks(label.size(), ' ');
  for (const std::string& part : wrapped(text, line_width - label.size())) {
    out << (is_first ? label : blanks) << part << '\n';
    is_first = false;
  }
}

// A paragraph for each: a table of sentences would be unreadable.
void print_formulas(std::ostream& out, const std::string& target) {
  out << "Parameters, as a campaign measures them\n";
  for (const auto& kind : predict::parameter_kinds()) {
    std::string label = "  " + kind.symbol;
    label.resize(std::max<std::size_t>(label.size() + 1, 12), ' ');
    say_wrapped(out, label, kind.meaning + " (" + kind.measurement + ", " + kind.quantity + ")");
  }
  say_wrapped(out, "  LogGP     ",
              "L, o_s, o_r, g and G of messages, by pieces of their sizes (layout loggp); T(m) is o_s + L + m G + o_r");
  out << "\nFormulas, for k members, P ranks, t threads of each rank, and m bytes\n";
  for (const Formula& formula : predict::all_formulas()) {
    if (!target.empty() && target != formula.measurement && target != formula.name) continue;
    out << "  " << formula.name << ": " << formula.measurement << ' ' << levels_text(formula) << ", "
        << formula.quantity << '\n';
    say_wrapped(out, "      takes   ", formula.text);
    say_wrapped(out, "      assumes ", formula.assumes);
    say_wrapped(out, "      source  ", formula.source);
  }
}

// What can be asked for; anything else is a mistake.
void check_target(const std::string& target) {
  std::set<std::string> known;
  for (const Formula& formula : predict::all_formulas()) {
    known.insert(formula.measurement);
    known.insert(formula.name);
  }
  if (!target.empty() && !known.contains(target))
    refuse_predict(
        "no formula predicts " + shown(target), {},
        suggestion(target, {known.begin(), known.end()}) +
            (nearest(target, {known.begin(), known.end()}).empty() ? "'assay predict --what' lists the formulas" : ""));
}

Json end_json(const Interval& interval, double end) { return when_json(interval, end); }

std::vector<Json> row_of(const Prediction& one) {
  const auto level = [&](const char* factor) -> Json {
    const Value* found = one.setting.point.find(factor);
    return found == nullptr ? Json() : level_json(*found);
  };
  std::vector<std::string> inputs;
  for (const predict::Parameter* input : one.inputs)
    inputs.push_back(input->symbol + "=" + to_text(Json(input->estimate.value)));
  std::vector<Json> row{one.formula->name, one.formula->measurement, one.formula->quantity};
  for (const char* factor : {"channel", "vehicle", "placement", "members", "threads", "size", "start"})
    row.push_back(level(factor));
  row.insert(row.end(),
             {finite_json(one.value), end_json(one.interval, one.interval.low),
              end_json(one.interval, one.interval.high), one.marks, joined(inputs, " "),
              end_json(one.of_parameters, one.of_parameters.low), end_json(one.of_parameters, one.of_parameters.high)});
  if (!one.held) {
    row.resize(row.size() + 11);
    return row;
  }
  const predict::Held& held = *one.held;
  const Estimate& measured = held.measured.estimate;
  row.insert(row.end(), {held.campaign, finite_json(measured.value), end_json(measured.interval, measured.interval.low),
                         end_json(measured.interval, measured.interval.high), held.measured.marks,
                         finite_json(held.ratio), end_json(held.interval, held.interval.low),
                         end_json(held.interval, held.interval.high), held.is_inside, to_text(held.fit), held.reason});
  return row;
}

Listing prediction_listing(const predict::Report& report) {
  Listing listing{"predictions", {"formula",        "measurement",     "quantity",       "channel",   "vehicle",
                                  "placement",      "members",         "threads",        "size",      "start",
                                  "predicted",      "predicted_low",   "predicted_high", "marks",     "inputs",
                                  "parameters_low", "parameters_high", "measured_in",    "measured",  "measured_low",
                                  "measured_high",  "measured_marks",  "ratio",          "ratio_low", "ratio_high",
                                  "inside",         "verdict",         "reason"}};
  listing.facts = {
      {"unit", "ns"}, {"seed", std::to_string(report.seed)}, {"draws", static_cast<std::int64_t>(report.draws)}};
  for (const Prediction& one : report.predictions) listing.add(row_of(one));
  return listing;
}

Listing advice_listing(const predict::Advice& advice) {
  Listing listing{
      "advice",
      {"channel", "receiver", "placement", "vehicle", "measured_bytes", "latency_ns", "latency_low_ns",
       "latency_high_ns", "send_ns", "receive_cpu_ns", "sender_load", "receiver_load", "keeps_up", "marks"}};
  const auto number = [](std::optional<double> value) { return value ? finite_json(*value) : Json(); };
  const double rate = advice.request.rate;
  for (const predict::Candidate& one : advice.ranked)
    listing.add({one.channel, one.sleeps ? "sleeps" : "spins", one.placement, one.vehicle,
                 one.measured_bytes > 0 ? Json(one.measured_bytes) : Json(), one.latency.value,
                 end_json(one.latency.interval, one.latency.interval.low),
                 end_json(one.latency.interval, one.latency.interval.high), one.send ? Json(one.send->value) : Json(),
                 one.receive ? Json(one.receive->value) : Json(), rate > 0 ? number(one.sender_load(rate)) : Json(),
                 rate > 0 ? number(one.receiver_load(rate)) : Json(), one.keeps_up, one.marks});
  Json::Array unmeasured(advice.unmeasured.begin(), advice.unmeasured.end());
  listing.facts = {{"rate", rate}, {"bytes", advice.request.bytes}, {"not_measured", std::move(unmeasured)}};
  return listing;
}

// All words of the factor `channel`, of every protocol of LogP.
std::vector<std::string> known_channels(const Registry& registry) {
  std::vector<std::string> channels;
  for (const Entry& entry : registry.entries())
    if (entry.description.name == "logp/round_trip")
      for (const Factor& factor : entry.description.factors)
        if (factor.name == "channel") channels = factor.words;
  return channels;
}

int print_advice(const CommandLine& line, const Registry& registry, AppContext& context) {
  const auto request = predict::parse_hand_over(*value_of(line, "advise"), std::string(assay_predict) + " --advise");
  const std::string& directory = line.operands.front();
  auto records = read_results(assay_predict, directory, context.err);
  apply_state(line, assay_predict, records);
  scan_journal(
      directory, [](const RecordHead& head) { return head.type == "incarnation"; },
      [&](Record record) { records.push_back(std::move(record)); });
  const auto advice = predict::advise(records, request, known_channels(registry));
  const ListingFormat format = listing_format(line);
  if (format == ListingFormat::table)
    predict::print(context.out, advice, line_width);
  else
    write_listing(context.out, advice_listing(advice), format);
  return advice.ranked.empty() ? ExitCode::refused : ExitCode::ok;
}

int list_formulas(const CommandLine& line, AppContext& context) {
  if (!line.operands.empty() || line.has("with"))
    refuse_predict("--what and a campaign contradict each other", "formulas are the same for all", "leave one out");
  const std::string target = value_of(line, "for").value_or("");
  check_target(target);
  const ListingFormat format = listing_format(line);
  if (format == ListingFormat::table)
    print_formulas(context.out, target);
  else
    write_listing(context.out, formula_listing(target), format);
  return ExitCode::ok;
}

predict::Request predict_request(const CommandLine& line) {
  constexpr double most_members = 1 << 20;
  constexpr double most_bytes = 1LL << 40;
  predict::Request request;
  request.target = value_of(line, "for").value_or("");
  check_target(request.target);
  request.members = numbers_of(line, "members", 2, most_members, request.members);
  request.sizes = numbers_of(line, "size", 0, most_bytes, request.sizes);
  request.seed = line.value<std::uint64_t>("seed").value_or(request.seed);
  return request;
}

int run_predict(const CommandLine& line, const Registry& registry, AppContext& context) {
  if (line.has("what")) return list_formulas(line, context);
  if (line.has("advise")) {
    for (const char* option : {"for", "with", "members", "size", "seed", "strict"})
      if (line.has(option))
        refuse_predict("--" + std::string(option) + " and --advise contradict each other", {}, "leave one out");
    return print_advice(line, registry, context);
  }
  const auto request = predict_request(line);
  std::vector<std::string> paths{line.operands.front()};
  if (const auto other = value_of(line, "with")) paths.push_back(*other);
  std::vector<std::vector<SeriesGroup>> groups;
  for (const std::string& path : paths)
    groups.push_back(group_by_series(results_of(line, path, assay_predict, context.err)));
  std::vector<predict::Campaign> campaigns;
  for (std::size_t i = 0; i < paths.size(); ++i) campaigns.push_back({paths[i], &groups[i]});
  const auto report = predict::predict(campaigns, request);
  if (report.predictions.empty())
    throw ResultError(printable(paths.front()) + ": nothing can be predicted from it; " +
                      joined(predict::lack_texts(report), "; ", 3) +
                      ". 'assay run predict' measures the parameters of one node");
  const ListingFormat format = listing_format(line);
  if (format == ListingFormat::table)
    predict::print(context.out, report, line_width);
  else
    write_listing(context.out, prediction_listing(report), format);
  return line.has("strict") && report.count(Fit::misses) > 0 ? ExitCode::some_failed : ExitCode::ok;
}

}  // namespace

CommandInfo predict_command() {
  CommandInfo command;
  command.name = "predict";
  command.synopsis =
      "predict DIR [--for MEASUREMENT] [--with DIR2] [options] | predict DIR --advise TEXT | predict --what";
  command.summary = "Predicts other times from the parameters of a campaign, and holds them against measured ones.";
  command.details =
      "Costs of cache lines, flags, locks, wake-ups and messages predict round trips, barriers, locks, broadcasts\n"
      "and collective operations, with the intervals of the parameters carried through. Where a campaign measured\n"
      "the same, both stand side by side: the prediction agrees, the model misses by a factor, or nothing can be "
      "said.\n"
      "--advise ranks what was measured for a hand-over by latency, with the time that it takes both sides:\n"
      "'hand-over bytes=64 from=cpu:0 to=cpu:1 rate=10000/s', with placement=WORD in the place of CPUs.\n";
  command.least_operands = 1;
  command.most_operands = 1;
  command.unless_given = "what";
  command.options = {
      {"for", "NAME", "only this measurement, or the formula of that name"},
      {"with", {"DIR", ValueKind::results}, "hold the predictions against what this campaign measured, too"},
      {"members", "LIST", "numbers of members to predict for beside those measured; default: 2,4,8"},
      {"size", "LIST", "bytes that collective operations move, beside those measured; default: 8,64Ki"},
      {"what", "", "list the formulas, with what they take and assume, and their sources"},
      {"advise", "TEXT", "rank the primitives that were measured for a hand-over"},
      {"seed", {"NUMBER", seed_value()}, "of the draws of the parameters; default: 1"},
      {"strict", "", "exit with 1 where the model misses a measured value"},
      listing_option(),
      state_option(),
      anonymous_option(),
      help_option()};
  command.operands = {{"DIR", ValueKind::results}};
  command.exits = {ExitCode::some_failed, ExitCode::refused};
  command.failure = "with --strict: the model misses a measured value";
  command.examples = {{"assay predict --what --for sync/barrier", "the formulas of barriers, and who published them"},
                      {"assay predict measured --for sync/barrier --members 2,8,64", "barriers of more members", false},
                      {"assay predict measured --advise 'hand-over bytes=64 from=cpu:0 to=cpu:1 rate=10000/s'",
                       "which primitive for a hand-over", false}};
  command.run = &run_predict;
  return command;
}

}  // namespace assay
