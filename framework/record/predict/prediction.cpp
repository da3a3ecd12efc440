// SPDX-License-Identifier: Apache-2.0
// Every formula at every setting that has its parameters.
#include "record/predict/prediction.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/rng.hpp"

namespace assay::predict {

namespace {

constexpr double most_replayed = 8e6;  // operations of a schedule times draws: about a tenth of a second

// A point that formulas may be for, with what was measured there.
struct Case {
  Setting setting;
  const PointRecord* measured = nullptr;
  const Result* result = nullptr;
  std::string campaign{};
};

class Predictor {
 public:
  Predictor(const std::vector<Campaign>& campaigns, const Request& request)
      : campaigns_(campaigns), request_(request), draws_(request.seed, request.draws) {
    report_.parameters = gather(*campaigns.front().groups, campaigns.front().name);
    transports_ = gather_transports(*campaigns.front().groups, report_.parameters);
    report_.seed = request.seed;
    report_.draws = request.draws;
    for (const Campaign& campaign : campaigns) report_.campaigns.push_back(campaign.name);
  }

  Report all() && {
    for (const Formula& formula : all_formulas())
      if (request_.target.empty() || request_.target == formula.measurement || request_.target == formula.name)
        add(formula);
    return std::move(report_);
  }

 private:
  void add(const Formula& formula) {
    const auto cases = cases_of(formula);
    bool has_any = false;
    std::vector<std::string> missing;
    for (const Case& one : cases) {
      auto lacking = add(formula, one);
      has_any |= lacking.empty();
      if (missing.empty()) missing = std::move(lacking);
    }
    if (has_any) return;
    if (missing.empty()) missing = missing_at(formula, {});
    report_.lacks.push_back({&formula, std::move(missing)});
  }

  // Adds what the formula predicts there, or returns what it lacks.
  std::vector<std::string> add(const Formula& formula, const Case& one) {
    auto missing = missing_at(formula, one.setting.point);
    if (!missing.empty()) return missing;
    Prediction prediction;
    prediction.formula = &formula;
    prediction.setting = one.setting;
    std::optional<Parameter> measured;
    if (one.measured != nullptr) measured = parameter_of("measured", *one.measured, *one.result, one.campaign);
    double distance = measured ? measured->distance : 0;
    for (const FormulaInput& input : formula.inputs) {
      prediction.inputs.push_back(input_at(formula, input, one.setting.point, distance));
      if (distance == 0) distance = prediction.inputs.back()->distance;
    }
    if (formula.carried) carry(formula, prediction);
    const std::vector<double> predicted = draw(prediction);
    prediction.of_parameters = interval_of(predicted, prediction_level);
    prediction.interval = with_model_error(prediction.value, prediction.of_parameters);
    if (!measured && !are_together(prediction)) prediction.marks += '^';
    if (measured) prediction.held = hold(prediction, predicted, std::move(*measured), one.campaign, draws_);
    report_.predictions.push_back(std::move(prediction));
    return {};
  }

  // Sets the value and the marks; returns the value by draw.
  std::vector<double> draw(Prediction& prediction) const {
    const Formula& formula = *prediction.formula;
    std::vector<std::vector<double>> draws;
    std::vector<double> values;
    for (const Parameter* input : prediction.inputs) {
      values.push_back(input->estimate.value);
      draws.push_back(draws_.of(*input));
      for (const char mark : input->marks)
        if (prediction.marks.find(mark) == std::string::npos) prediction.marks += mark;
    }
    const auto value = [&](double share) {
      const double most = value_of(formula, values, prediction.setting);
      return formula.overlap == nullptr ? most : most - share * formula.overlap(values, prediction.setting);
    };
    prediction.value = value(formula.share(0.5));
    Rng shares = Rng(draws_.seed()).substream("overlap/" + formula.name);
    std::vector<double> predicted(draws_.count());
    for (std::size_t i = 0; i < predicted.size(); ++i) {
      for (std::size_t j = 0; j < values.size(); ++j) values[j] = draws[j][i];
      predicted[i] = value(formula.share(shares.uniform()));
    }
    return predicted;
  }

  // The numbers of the transport, and the messages where there are not too many for so many draws.
  void carry(const Formula& formula, Prediction& prediction) const {
    Setting& setting = prediction.setting;
    const Transport& transport = *transport_at(setting.point);
    setting.ends = transport.ends;
    for (const auto& piece : transport.numbers)
      for (const std::size_t number : piece) prediction.inputs.push_back(&report_.parameters[number]);
    const auto [what, how] = *formula.carried;
    const auto ranks = static_cast<int>(setting.members / setting.threads);
    if (collective::operations_at_most(what, how, ranks) * static_cast<double>(draws_.count()) <= most_replayed)
      setting.schedule =
          std::make_shared<const collective::Schedule>(collective::make(what, how, ranks, setting.bytes));
  }

  const Transport* transport_at(const Point& setting) const {
    const auto found = std::ranges::find_if(transports_, [&](const Transport& one) { return is_on(one.key, setting); });
    return found == transports_.end() ? nullptr : &*found;
  }
  // Messages between members elsewhere, or through something else, are others.
  static bool is_on(const Point& transport, const Point& setting) {
    return std::ranges::all_of(std::array{"vehicle", "placement", "channel"}, [&](const char* factor) {
      return level_text(transport, factor) == level_text(setting, factor);
    });
  }

  std::vector<std::string> missing_at(const Formula& formula, const Point& setting) const {
    std::vector<std::string> missing;
    if (formula.carried && transport_at(setting) == nullptr) missing.emplace_back("LogGP");
    for (const FormulaInput& input : formula.inputs)
      if (input_at(formula, input, setting, 0) == nullptr) missing.push_back(input.symbol);
    return missing;
  }

  // The threads of ranks are of another vehicle and placement than the ranks: any that were measured.
  const Parameter* input_at(const Formula& formula, const FormulaInput& input, const Point& setting,
                            double distance) const {
    return find(report_.parameters, input.symbol, input.levels, formula.carried ? Point() : setting, distance,
                input.lasts);
  }

  // Whether the members of all inputs were at one distance.
  static bool are_together(const Prediction& prediction) {
    double least = 0;
    double most = 0;
    for (const Parameter* input : prediction.inputs) {
      if (input->distance == 0) continue;
      least = least == 0 ? input->distance : std::min(least, input->distance);
      most = std::max(most, input->distance);
    }
    return most <= same_distance * least || prediction.marks.find('^') != std::string::npos ||
           most - least <= model_tolerance * prediction.value;
  }

  std::vector<Case> cases_of(const Formula& formula) const {
    std::vector<Case> cases;
    for (const Campaign& campaign : campaigns_)
      for (const SeriesGroup& group : *campaign.groups)
        if (group.series.measurement == formula.measurement)
          for (const PointRecord& point : group.points) add_measured(formula, campaign, point, cases);
    add_unmeasured(formula, cases);
    return cases;
  }

  static void add_measured(const Formula& formula, const Campaign& campaign, const PointRecord& point,
                           std::vector<Case>& cases) {
    if (!is_at(point.point, formula.levels)) return;
    for (const Result* result : results_by_distance(point, formula.quantity, formula.regime))
      cases.push_back({setting_of(formula, point.point), &point, result, campaign.name});
  }

  static Setting setting_of(const Formula& formula, const Point& point) {
    Setting setting;
    setting.point = point;
    setting.members = level_number(point, "members", 2);
    setting.threads = std::max(1.0, level_number(point, "threads", 1));
    setting.bytes = formula.sizes ? level_number(point, "size", 0) : 0;
    return setting;
  }

  // At the places of the parameters, for the numbers of members and the sizes that are asked for.
  void add_unmeasured(const Formula& formula, std::vector<Case>& cases) const {
    const auto members = formula.grows ? request_.members : std::vector<double>{2};
    const auto sizes = formula.sizes ? request_.sizes : std::vector<double>{0};
    for (const Point& place : places_of(formula))
      for (const double count : members)
        for (const double bytes : sizes) {
          Case one{setting_of(formula, point_at(formula, place, count, bytes))};
          const bool is_known =
              std::ranges::any_of(cases, [&](const Case& other) { return is_same(other.setting, one.setting); });
          if (!is_known) cases.push_back(std::move(one));
        }
  }

  static Point point_at(const Formula& formula, const Point& place, double members, double bytes) {
    Point point;
    for (const auto& [factor, word] : formula.levels) point.set(factor, word);
    const double threads = formula.carried && !formula.inputs.empty() ? 2 : 1;
    if (threads > 1) point.set("threads", static_cast<std::int64_t>(threads));
    if (formula.sizes) point.set("size", static_cast<std::int64_t>(bytes));
    for (const char* factor : {"vehicle", "placement"})
      if (const Value* found = place.find(factor)) point.set(factor, *found);
    if (const Value* channel = place.find("channel"); formula.carried && channel != nullptr)
      point.set("channel", *channel);
    point.set("members", static_cast<std::int64_t>(members * threads));
    return point;
  }

  static bool is_same(const Setting& a, const Setting& b) {
    return a.members == b.members && a.threads == b.threads && a.bytes == b.bytes && same_place(a.point, b.point);
  }

  static bool same_place(const Point& a, const Point& b) {
    return level_text(a, "placement") == level_text(b, "placement") &&
           level_text(a, "vehicle") == level_text(b, "vehicle");
  }

  std::vector<Point> places_of(const Formula& formula) const {
    std::vector<Point> places;
    if (formula.carried) {
      for (const Transport& transport : transports_) places.push_back(transport.key);
      return places;
    }
    for (const Parameter& parameter : report_.parameters) {
      const bool is_input = std::ranges::any_of(formula.inputs, [&](const FormulaInput& input) {
        return input.symbol == parameter.symbol && is_at(parameter.point, input.levels);
      });
      const bool is_of_place = std::ranges::any_of(parameter_kinds(), [&](const ParameterKind& kind) {
        return kind.symbol == parameter.symbol && kind.shares == Shares::place;
      });
      const bool is_known =
          std::ranges::any_of(places, [&](const Point& place) { return same_place(place, parameter.point); });
      if (is_input && is_of_place && !is_known) places.push_back(parameter.point);
    }
    return places;
  }

  const std::vector<Campaign>& campaigns_;
  const Request& request_;
  Draws draws_;
  Report report_;
  std::vector<Transport> transports_{};
};

}  // namespace

const std::vector<Formula>& all_formulas() {
  static const std::vector<Formula> all = [] {
    auto formulas = memory_formulas();
    std::ranges::move(message_formulas(), std::back_inserter(formulas));
    return formulas;
  }();
  return all;
}

std::size_t Report::count(Fit fit) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      predictions, [&](const Prediction& one) { return (one.held ? one.held->fit : Fit::unmeasured) == fit; }));
}

std::size_t Report::held() const { return predictions.size() - count(Fit::unmeasured); }

std::size_t Report::inside() const {
  return static_cast<std::size_t>(std::ranges::count_if(predictions, [](const Prediction& one) {
    return one.held && one.held->fit != Fit::cannot_say && one.held->is_inside;
  }));
}

Report predict(const std::vector<Campaign>& campaigns, const Request& request) {
  return Predictor(campaigns, request).all();
}

}  // namespace assay::predict
