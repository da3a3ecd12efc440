// SPDX-License-Identifier: Apache-2.0
// Predictions as tables for people, with sentences on what does not agree.
#include <algorithm>
#include <array>
#include <ostream>
#include <set>

#include "record/predict/prediction.hpp"
#include "record/shown_value.hpp"
#include "record/table/block_table.hpp"
#include "record/table/results_table.hpp"
#include "text/number_format.hpp"
#include "text/printable.hpp"
#include "text/scale.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace assay::predict {

namespace {

constexpr std::size_t most_named = 4;  // formulas that lack the same

void say(std::ostream& out, const std::string& text, std::size_t width) {
  bool is_first = true;
  for (const std::string& line : wrapped(text, width - 2)) {
    out << (is_first ? "" : "  ") << line << '\n';
    is_first = false;
  }
}

// "97.0 ±0.6": the larger distance to an end of the interval.
std::string with_width(double value, const Interval& interval, const Scale& scale) {
  const std::string text = shown(value, interval, scale).value;
  if (!interval.available() || interval.level >= 1) return text;
  const double half = half_width(value, interval) / scale.size;
  return text + " ±" + fixed_text(half, decimals_for(value / scale.size, half));
}

std::vector<const Parameter*> used_of(const Report& report) {
  std::vector<const Parameter*> used;
  for (const Parameter& parameter : report.parameters)
    if (std::ranges::any_of(report.predictions, [&](const Prediction& one) {
          return std::ranges::find(one.inputs, &parameter) != one.inputs.end();
        }))
      used.push_back(&parameter);
  return used;
}

void print_parameters(std::ostream& out, const Report& report, std::string& marks) {
  MarkedColumn symbols("parameter", "", false);
  MarkedColumn values("value", "");
  MarkedColumn units("", "", false);
  MarkedColumn origins("from", "", false);
  for (const Parameter* one : used_of(report)) {
    const bool is_per_byte = one->symbol.ends_with("/B");
    const Scale scale = is_per_byte ? Scale{1, "ns/B"} : scale_of(one->estimate.value, one->unit);
    symbols.add({one->symbol});
    values.add({with_width(one->estimate.value, one->estimate.interval, scale), one->marks});
    units.add({one->unit == Unit::ratio ? "" : scale.name});
    origins.add({printable(one->origin)});
    marks += one->marks;
  }
  print_columns(out, {symbols, values, units, origins});
  out << '\n';
}

// The columns of one measurement's predictions.
class PredictionColumns {
 public:
  void add(const Prediction& one) {
    const Scale scale = scale_of(one.value, Unit::nanoseconds);
    what_.add({one.formula->name});
    for (std::size_t i = 0; i < factors.size(); ++i)
      levels_[i].add({printable(shown_level(one.setting.point, factors[i]))});
    predicted_.add({with_width(one.value, one.interval, scale), one.marks});
    const Held held = one.held.value_or(Held{});
    const Estimate& estimate = held.measured.estimate;
    measured_.add({one.held ? with_width(estimate.value, estimate.interval, scale) : "-", held.measured.marks});
    units_.add({scale.name});
    ratios_.add({one.held ? with_width(held.ratio, held.interval, Scale{1, ""}) : "-"});
    fits_.add({one.held ? to_text(held.fit) : "-"});
  }
  void print(std::ostream& out) const {
    std::vector<MarkedColumn> columns{what_};
    columns.insert(columns.end(), levels_.begin(), levels_.end());
    columns.insert(columns.end(), {predicted_, measured_, units_, ratios_, fits_});
    print_columns(out, columns, 1 + levels_.size());
  }

 private:
  static constexpr std::array<const char*, 7> factors{"channel", "members", "threads",  "size",
                                                      "start",   "vehicle", "placement"};

  MarkedColumn what_{"predicted", "", false};
  std::vector<MarkedColumn> levels_{
      {"channel", "", false},  {"k", ""}, {"threads", ""}, {"size", ""}, {"start", "", false}, {"vehicle", "", false},
      {"placement", "", false}};
  MarkedColumn predicted_{"predicted", ""};
  MarkedColumn measured_{"measured", ""};
  MarkedColumn units_{"", "", false};
  MarkedColumn ratios_{"ratio", ""};
  MarkedColumn fits_{"verdict", "", false};
};

std::string quantities_of(const Report& report, const std::string& measurement) {
  std::vector<std::string> names;
  for (const Prediction& one : report.predictions)
    if (one.formula->measurement == measurement && std::ranges::find(names, one.formula->quantity) == names.end())
      names.push_back(one.formula->quantity);
  return joined(names, ", ");
}

void print_predictions(std::ostream& out, const Report& report, std::string& marks) {
  std::vector<std::string> measurements;
  for (const Prediction& one : report.predictions)
    if (std::ranges::find(measurements, one.formula->measurement) == measurements.end())
      measurements.push_back(one.formula->measurement);
  for (const std::string& measurement : measurements) {
    PredictionColumns columns;
    for (const Prediction& one : report.predictions) {
      if (one.formula->measurement != measurement) continue;
      columns.add(one);
      marks += one.marks + (one.held ? one.held->measured.marks : "");
    }
    out << measurement << ", " << quantities_of(report, measurement) << '\n';
    columns.print(out);
    out << '\n';
  }
}

// Where the model misses: the formula, what it took in, and what it assumes.
void explain(std::ostream& out, const Prediction& one, std::size_t width) {
  std::string text =
      name_of(one) + ": the model misses it " + one.held->reason + ". It takes " + one.formula->text + ", with ";
  std::vector<std::string> inputs;
  for (const Parameter* input : one.inputs)
    inputs.push_back(input->symbol + " = " + short_text(input->estimate, input->unit) + " from " + input->origin);
  text += joined(inputs, "; ") + ". It assumes: " + one.formula->assumes + '.';
  say(out, printable(text), width);
}

// By the reason, so that one that many share is named once.
void print_doubts(std::ostream& out, const Report& report, std::size_t width) {
  std::vector<std::string> reasons;
  for (const Prediction& one : report.predictions)
    if (one.held && one.held->fit == Fit::cannot_say && std::ranges::find(reasons, one.held->reason) == reasons.end())
      reasons.push_back(one.held->reason);
  for (const std::string& reason : reasons) {
    std::vector<std::string> names;
    for (const Prediction& one : report.predictions)
      if (one.held && one.held->fit == Fit::cannot_say && one.held->reason == reason) names.push_back(name_of(one));
    say(out, printable("nothing can be said of " + joined(names, "; ", most_named) + ": " + reason), width);
  }
}

void print_verdicts(std::ostream& out, const Report& report, std::size_t width) {
  if (report.held() == 0) return say(out, "none of them was measured: --with DIR2 names a campaign that did", width);
  say(out,
      counted(report.held(), "prediction") + " can be held against a measured value: " +
          std::to_string(report.count(Fit::agrees)) + " agree, the model misses " +
          std::to_string(report.count(Fit::misses)) + ", of " + std::to_string(report.count(Fit::cannot_say)) +
          " nothing can be said. The 95 % intervals of the predictions, which are of the parameters and of a model "
          "that is "
          "taken to be good to 15 %, contain " +
          std::to_string(report.inside()) + " of the other " +
          counted(report.held() - report.count(Fit::cannot_say), "measured value"),
      width);
  for (const Prediction& one : report.predictions)
    if (one.held && one.held->fit == Fit::misses) explain(out, one, width);
  print_doubts(out, report, width);
}

// A parameter with where it is measured.
std::string need_text(const std::string& symbol) {
  if (symbol == "LogGP") return "LogGP of messages (layout loggp)";
  const auto& kinds = parameter_kinds();
  const auto kind = std::ranges::find(kinds, symbol, &ParameterKind::symbol);
  return symbol + " (" + kind->measurement + ")";
}

// Whether the name of the formula says the level.
bool subject_is(const Formula& formula, const std::string& factor) {
  return std::ranges::any_of(formula.levels, [&](const auto& level) { return level.first == factor; });
}

}  // namespace

std::vector<std::string> lack_texts(const Report& report) {
  std::set<std::vector<std::string>> seen;
  std::vector<std::string> texts;
  for (const Lack& lack : report.lacks) {
    if (lack.symbols.empty() || !seen.insert(lack.symbols).second) continue;
    std::vector<std::string> names;
    for (const Lack& other : report.lacks)
      if (other.symbols == lack.symbols) names.push_back(other.formula->name);
    std::vector<std::string> needs;
    for (const std::string& symbol : lack.symbols) needs.push_back(need_text(symbol));
    texts.push_back(joined(names, ", ", most_named) + (names.size() == 1 ? " lacks " : " lack ") + joined(needs));
  }
  return texts;
}

std::string name_of(const Prediction& prediction) {
  const Point& point = prediction.setting.point;
  std::string text = prediction.formula->name;
  for (const char* factor : {"channel", "members", "threads", "size", "start", "placement"})
    if (point.find(factor) != nullptr && !subject_is(*prediction.formula, factor))
      text += ' ' + std::string(factor) + '=' + shown_level(point, factor);
  return text;
}

void print(std::ostream& out, const Report& report, std::size_t width) {
  std::string marks;
  print_parameters(out, report, marks);
  print_predictions(out, report, marks);
  print_legend(out, marks);
  print_verdicts(out, report, width);
  for (const std::string& text : lack_texts(report)) say(out, "not predicted: " + text, width);
  if (!report.lacks.empty())
    say(out, "configs/predict.ini measures the parameters of one node, configs/loggp-mpi.ini those of messages", width);
  out << "intervals by " << report.draws << " draws of the parameters with seed " << report.seed << '\n';
}

}  // namespace assay::predict
