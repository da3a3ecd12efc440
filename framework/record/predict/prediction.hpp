// SPDX-License-Identifier: Apache-2.0
// Room: predictions from parameters, held against what was measured.
// What a campaign's parameters predict, and whether it was so.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "record/predict/draw.hpp"
#include "record/predict/formula.hpp"
#include "record/predict/transport.hpp"

namespace assay::predict {

/// Of the intervals of predictions and ratios.
inline constexpr double prediction_level = 0.95;
/// A model is not expected to be better than this: within it a prediction agrees, however narrow the intervals are.
inline constexpr double model_tolerance = 0.15;
/// An interval of the ratio that reaches further from it than this factor says nothing of the model.
inline constexpr double widest_ratio = 1.5;

/// Whether a prediction was right.
enum class Fit : std::uint8_t { unmeasured, agrees, misses, cannot_say };
/// "", "agrees", "model misses", "cannot say".
std::string to_text(Fit fit);

/// A prediction beside a measured value.
struct Held {
  std::string campaign;  ///< that measured it
  Parameter measured;
  double ratio = 0;  ///< predicted over measured
  Interval interval{};
  bool is_inside = false;  ///< the measured value lies in the interval of the prediction
  Fit fit = Fit::cannot_say;
  std::string reason{};
};

/// One predicted value.
struct Prediction {
  const Formula* formula = nullptr;
  Setting setting;
  double value = 0;
  Interval interval{};       ///< 95 %, of the parameters' uncertainty and of the model's together
  Interval of_parameters{};  ///< 95 %, of the parameters' uncertainty alone
  std::string marks{};       ///< of all inputs; '^' where these are of members at different distances
  std::vector<const Parameter*> inputs{};
  std::optional<Held> held{};
};

/// A formula that has nothing to predict from.
struct Lack {
  const Formula* formula = nullptr;
  std::vector<std::string> symbols{};  ///< of the parameters that are missing
};

/// A campaign by name.
struct Campaign {
  std::string name;
  const std::vector<SeriesGroup>* groups = nullptr;
};

/// What is asked for.
struct Request {
  std::string target{};                  ///< a measurement or the name of a formula; empty: all
  std::vector<double> members{2, 4, 8};  ///< threads or ranks, beside those measured
  std::vector<double> sizes{8, 65536};   ///< bytes, likewise
  std::uint64_t seed = 1;
  std::size_t draws = 4000;
};

/// Everything that was predicted. Borrows formulas, and its own parameters: it can be moved, not copied.
struct Report {
  Report() = default;
  Report(Report&&) = default;
  Report& operator=(Report&&) = default;

  std::vector<Parameter> parameters;
  std::vector<Prediction> predictions;
  std::vector<Lack> lacks;
  std::vector<std::string> campaigns;
  std::uint64_t seed = 0;
  std::size_t draws = 0;

  std::size_t count(Fit fit) const;
  std::size_t held() const;    ///< predictions with a measured value
  std::size_t inside() const;  ///< of these that something can be said of, with the measured value in their interval
};

/// Predicts from the first campaign's parameters what any of the campaigns measured, and what none of them did, for
/// `members` at the placements of the parameters. Not empty: `campaigns`.
Report predict(const std::vector<Campaign>& campaigns, const Request& request);

/// The verdict on a prediction with these draws. A number agrees where the interval of the ratio contains 1 or the
/// ratio is within model_tolerance; the model misses it otherwise, unless there is a reason why nothing can be said: a
/// value that is unsteady, noisy or without interval; CPUs that moved meanwhile, or members at different distances, by
/// more than the tolerance of the value; an interval that reaches further than widest_ratio. A value whose budget ended
/// before its accuracy was reached has the interval that it reached, and is judged by it.
Held hold(const Prediction& prediction, const std::vector<double>& predicted, Parameter measured,
          const std::string& campaign, const Draws& draws);

/// The interval of a prediction whose parameters are known to `of_parameters`, under a model whose error is within
/// model_tolerance in 95 % of cases: both are taken as independent on the logarithmic scale, and their half widths
/// added in quadrature, each side by itself (model discrepancy: Kennedy and O'Hagan, Journal of the Royal Statistical
/// Society B 63, 2001). Not available where the value or the lower end is not above 0.
Interval with_model_error(double value, const Interval& of_parameters);

/// All formulas, in the order of lists.
const std::vector<Formula>& all_formulas();

/// The report for people: the parameters that were used, the predictions by measurement, a sentence on each that is
/// missed or of which nothing can be said, and what could not be predicted. Lines have at most `width` characters.
void print(std::ostream& out, const Report& report, std::size_t width);

/// What is missing for what, in a clause for each set of missing parameters: "barrier-central lacks A, a fetch-and-add
/// ... (sync/line)".
std::vector<std::string> lack_texts(const Report& report);

/// "barrier-central members=2 placement=same-l3": what a prediction is of.
std::string name_of(const Prediction& prediction);

}  // namespace assay::predict
