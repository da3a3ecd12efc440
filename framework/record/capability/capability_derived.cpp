// SPDX-License-Identifier: Apache-2.0
// The model's rows from cells, and records from what was fitted.
#include <algorithm>
#include <cmath>
#include <utility>

#include "record/capability/capability.hpp"
#include "record/capability/cells.hpp"
#include "stats/fit/line_fit.hpp"
#include "text/number_format.hpp"

namespace assay::capability {

namespace {

constexpr double model_alpha = 0.05;
constexpr const char* nanoseconds = "ns";
constexpr const char* formula_text = "time = R + E + I, weighted least squares";

DerivedRecord record_of(const char* name, std::string formula, Point group, const char* unit, Derived derived) {
  DerivedRecord record;
  record.name = name;
  record.formula = std::move(formula);
  record.group = std::move(group);
  record.quantity = "time";
  record.unit = unit;
  record.derived = std::move(derived);
  return record;
}

/// A parameter: its name, and the levels that it is of.
struct Parameter {
  const char* name;
  Point levels;
  bool operator==(const Parameter&) const = default;
};

class Model {
 public:
  explicit Model(const Point& machine) : machine_(machine) {}

  void add(const Cell& cell) {
    std::vector<std::size_t> used{place_of(cell)};
    if (cell.operation != "load") used.push_back(index_of({operation_name, with(operation_factor, cell.operation)}));
    if (const int sharers = cell.invalidated(); sharers > 0) {
      Point levels = place_in(cell);
      levels.set(sharers_factor, std::int64_t{sharers});
      used.push_back(index_of({invalidation_name, levels}));
    }
    cells_.push_back(cell);
    used_.push_back(std::move(used));
  }

  std::vector<DerivedRecord> records() const {
    std::vector<ModelRow> rows;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      ModelRow row{std::vector<double>(parameters_.size()), cells_[i].time};
      for (const std::size_t parameter : used_[i]) row.factors[parameter] = 1;
      rows.push_back(std::move(row));
    }
    const LinearModel model = fit_linear(rows, parameters_.size(), model_alpha);
    std::vector<DerivedRecord> found;
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      found.push_back(
          record_of(parameters_[i].name, formula_text, parameters_[i].levels, nanoseconds, model.parameters[i]));
    if (std::isfinite(model.misfit))
      found.push_back(record_of(misfit_name, "residuals over errors, root mean square", machine_, symbol(Unit::ratio),
                                {model.misfit, {model.misfit, model.misfit, 1}, true, {}}));
    for (std::size_t i = 0; i < cells_.size(); ++i)
      found.push_back(record_of(fit_name, "model / measured", cells_[i].point, symbol(Unit::ratio),
                                fit_of(cells_[i].time, model.fitted[i])));
    return found;
  }

 private:
  Point with(const char* factor, const std::string& level) const {
    Point point = machine_;
    point.set(factor, level);
    return point;
  }
  // The placement, and the distance where there are several.
  Point place_in(const Cell& cell) const {
    Point place = with(placement_factor, cell.placement);
    if (const Value* distance = cell.point.find(distance_factor)) place.set(distance_factor, *distance);
    return place;
  }
  std::size_t index_of(const Parameter& parameter) {
    const auto found = std::ranges::find(parameters_, parameter);
    if (found != parameters_.end()) return static_cast<std::size_t>(found - parameters_.begin());
    parameters_.push_back(parameter);
    return parameters_.size() - 1;
  }
  std::size_t place_of(const Cell& cell) {
    if (cell.is_local()) return index_of({local_name, machine_});
    if (cell.line != "invalid") return index_of({remote_name, place_in(cell)});
    const bool has_node = cell.placement.find("@memory=") != std::string::npos;
    return index_of({memory_name, has_node ? with(placement_factor, cell.placement) : machine_});
  }
  static Derived fit_of(const Estimate& measured, double fitted) {
    const Interval& of = measured.interval;
    if (measured.value <= 0 || of.low <= 0) return not_derived("the time is not above 0 within its interval");
    Derived fit{fitted / measured.value, {fitted / of.high, fitted / of.low, of.level}, true, {}};
    fit.valid = of.contains(fitted) || std::abs(fit.value - 1) <= tolerated;
    if (!fit.valid) fit.reason = "the model misses it by " + percent_text(std::abs(fit.value - 1));
    return fit;
  }
  static std::string percent_text(double share) { return rounded(100 * share) + " %"; }

  Point machine_;
  std::vector<Parameter> parameters_{};
  std::vector<Cell> cells_{};
  std::vector<std::vector<std::size_t>> used_{};  // parameters, by cell
};

// Time per operation of k members to that of one, whatever its place.
std::vector<DerivedRecord> contention_of(const std::vector<Cell>& cells) {
  std::vector<DerivedRecord> records;
  for (const Cell& cell : cells) {
    if (cell.members < 2) continue;
    const auto alone = std::ranges::find_if(cells, [&](const Cell& other) {
      return other.members == 1 && other.operation == cell.operation && other.machine == cell.machine;
    });
    if (alone == cells.end()) continue;
    Point group = cell.machine;
    group.set(operation_factor, cell.operation);
    group.set(members_factor, std::int64_t{cell.members});
    group.set(placement_factor, cell.placement);
    if (const Value* distance = cell.point.find(distance_factor)) group.set(distance_factor, *distance);
    records.push_back(record_of(contention_name, "time of k members / time of one", std::move(group),
                                symbol(Unit::ratio), ratio(cell.time, alone->time)));
  }
  return records;
}

}  // namespace

std::vector<DerivedRecord> derive(const std::vector<SeriesGroup>& groups) {
  const std::vector<Cell> cells = accesses_of(groups);
  std::vector<DerivedRecord> records;
  std::vector<Point> machines;
  for (const Cell& cell : cells)
    if (std::ranges::find(machines, cell.machine) == machines.end()) machines.push_back(cell.machine);
  for (const Point& machine : machines) {
    Model model(machine);
    for (const Cell& cell : cells)
      if (cell.machine == machine) model.add(cell);
    std::ranges::move(model.records(), std::back_inserter(records));
  }
  std::ranges::move(contention_of(contended_of(groups)), std::back_inserter(records));
  return records;
}

}  // namespace assay::capability
