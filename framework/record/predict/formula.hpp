// SPDX-License-Identifier: Apache-2.0
// The formulas: what each predicts, from which parameters, under which assumptions, and who published it.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "record/collective/schedule.hpp"
#include "record/predict/parameter.hpp"

namespace assay::predict {

/// What is predicted: a measurement's point, as far as formulas read it.
struct Setting {
  Point point;
  double members = 2;  ///< all of them, whatever the vehicle
  double threads = 1;  ///< of each rank
  double bytes = 0;
  std::vector<double> ends{};                              ///< of the transport's pieces (record/predict/transport.hpp)
  std::shared_ptr<const collective::Schedule> schedule{};  ///< null: the closed form is to be taken
};

/// One input: the symbol of a parameter kind, and further levels that it has to be at.
struct FormulaInput {
  std::string symbol;
  NamedLevels levels{};
  Lasts lasts{};  ///< of several points that differ in this only, the one at which it holds is taken
};

/// The share that overlaps, by rank from 0 to 1. Small ones are more probable: of the pairs of CPUs that formulas were
/// held against, two in three saved nothing, and the third saved all. The median is a quarter.
constexpr double seldom_overlapping(double rank) { return rank * rank; }
/// The same where two in three saved all: each share is as probable as another, and the median a half.
constexpr double evenly_overlapping(double rank) { return rank; }

/// One formula. `value` is in the unit of the quantity, over the inputs in their order.
struct Formula {
  std::string name;         ///< "barrier-central"
  std::string measurement;  ///< "sync/barrier"
  std::string quantity;
  NamedLevels levels{};            ///< of the points that it is for
  std::optional<Regime> regime{};  ///< of the results that it is for; else the one of most batches
  std::string algorithm{};         ///< where several formulas are for one point
  std::string text;                ///< over the symbols, with k for the members
  std::string assumes;
  std::string source;
  std::vector<FormulaInput> inputs{};
  double (*value)(std::span<const double> inputs, const Setting& setting) = nullptr;
  bool grows = true;  ///< with the number of members; else it is for two
  /// The collective operation over messages that it consists of, or that is added to `value`.
  std::optional<std::pair<collective::Collective, collective::Algorithm>> carried{};
  bool sizes = false;  ///< it depends on the size of what is sent
  /// What may overlap with the rest, or not: the time is `value` less a share of this, from 0 to 1. Null: nothing does.
  double (*overlap)(std::span<const double> inputs, const Setting& setting) = nullptr;
  double (*share)(double rank) = seldom_overlapping;
};

/// Its value, over its inputs and behind them the numbers of the transport where it is carried by messages.
double value_of(const Formula& formula, std::span<const double> numbers, const Setting& setting);

/// Those over accesses to cache lines, flags, locks and wake-ups of threads and processes.
std::vector<Formula> memory_formulas();
/// Those over LogGP parameters of messages: collective operations by algorithm, and barriers of threads in ranks.
std::vector<Formula> message_formulas();

}  // namespace assay::predict
