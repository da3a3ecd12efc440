// SPDX-License-Identifier: Apache-2.0
// What is derived of one point by itself, while it has all of its observations: tails, and parts that have names.
#include <algorithm>
#include <cmath>

#include "base/number.hpp"
#include "run/point/open_point.hpp"
#include "stats/tail/tail.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

/// A tail of one point, as records that differ in name, formula and value.
class TailRecords {
 public:
  TailRecords(DerivedRecord like, const Tail& tail) : like_(std::move(like)), tail_(tail) {}

  std::vector<DerivedRecord> all(const std::vector<double>& probabilities) && {
    for (const double p : probabilities) add_quantile(p);
    add("longest", "of " + counted(tail_.size(), "observation"), {tail_.longest(), {}, true, {}});
    add_shape();
    return std::move(records_);
  }

 private:
  DerivedRecord& add(const std::string& name, const std::string& explanation, Derived derived) {
    DerivedRecord record = like_;
    record.name += "." + name;
    if (!explanation.empty()) record.formula += ": " + explanation;
    record.derived = std::move(derived);
    return records_.emplace_back(std::move(record));
  }
  void add_quantile(double p) {
    const TailQuantile quantile = tail_.quantile(p);
    const bool is_known = quantile.reason.empty();
    const std::string basis = quantile.basis == "ranks" ? "by ranks" : "by " + law();
    // As it was written: 99.99, and not 99.99000000000001.
    const double percents = std::round(p * 1e12) / 1e10;
    add("p" + number_text(percents), is_known ? basis : "",
        {quantile.value, quantile.interval, is_known, quantile.reason});
  }
  void add_shape() {
    const auto& fit = tail_.fit();
    if (!fit) return;
    std::string explanation = "of " + law() + "; test of Anderson and Darling: p = " + rounded(fit->probability);
    if (fit->dependence > 1)
      explanation += "; exceedances come in runs, as good as " +
                     rounded(static_cast<double>(fit->exceeding.count) / fit->dependence) + " independent ones";
    add("shape", explanation, {fit->law.shape, fit->shape, true, {}}).unit.clear();
  }
  std::string law() const {
    const auto& fit = tail_.fit();
    return "the generalised Pareto law of the " + std::to_string(fit->exceeding.count) + " over " +
           rounded(fit->threshold) + " " + like_.unit;
  }

  DerivedRecord like_;
  const Tail& tail_;
  std::vector<DerivedRecord> records_;
};

}  // namespace

DerivedRecord OpenPoint::derived_like(std::size_t quantity) const {
  DerivedRecord like;
  like.series = series_->name;
  like.group = point_;
  like.quantity = series_->measurement.quantities[quantity].name;
  like.unit = symbol(series_->measurement.quantities[quantity].unit);
  return like;
}

std::vector<DerivedRecord> OpenPoint::derived() const {
  std::vector<DerivedRecord> records = parts_.records(derived_like(0), series_->precision.rule.alpha);
  for (const DerivedSpec& spec : series_->derived) {
    if (spec.kind != DerivedSpec::Kind::tail) continue;
    const auto& quantities = series_->measurement.quantities;
    const auto named = std::ranges::find(quantities, spec.quantity, &Quantity::name);
    const auto index = named == quantities.end() ? 0 : static_cast<std::size_t>(named - quantities.begin());
    const CoreState state = answered();
    const Key key{index, samples_.dominant(state), state};
    DerivedRecord like = derived_like(index);
    like.name = spec.name;
    like.formula = spec.text;
    like.regime = key.regime;
    const Tail tail(samples_.sample(key), series_->precision.rule.alpha);
    std::ranges::move(TailRecords(like, tail).all(spec.probabilities), std::back_inserter(records));
  }
  return records;
}

}  // namespace assay
