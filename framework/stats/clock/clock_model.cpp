// SPDX-License-Identifier: Apache-2.0
// Conversion of readings, and models over models.
#include "stats/clock/clock_model.hpp"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

std::int64_t whole(double ns) { return std::llround(ns); }

Nanoseconds larger(Nanoseconds a, Nanoseconds b) { return std::max(a, b); }

// A conversion rounds to whole nanoseconds.
constexpr Nanoseconds model_rounding{0.5};

}  // namespace

Instant ClockModel::to_reference(Instant local) const {
  const std::int64_t since = local.ns - local_base.ns;
  return {reference_base.ns + since + whole(remainder + drift * static_cast<double>(since))};
}

Instant ClockModel::to_local(Instant reference) const {
  const std::int64_t since = reference.ns - reference_base.ns;
  return {local_base.ns + since - whole((remainder + drift * static_cast<double>(since)) / (1 + drift))};
}

Nanoseconds ClockModel::bound_at(Instant local) const {
  const Nanoseconds outside = larger({}, larger(from - local, local - to));
  return bound + drift_bound * outside;
}

Nanoseconds ClockModel::keeps_for() const {
  constexpr Nanoseconds for_ever = seconds(1e9);
  return drift_bound > 0 ? std::min(for_ever, bound / drift_bound) : for_ever;
}

ClockModel identity_model(Instant from, Instant to, Nanoseconds bound) {
  ClockModel model;
  model.local_base = model.reference_base = from;
  model.from = from;
  model.to = to;
  model.bound = bound;
  return model;
}

ClockModel joined(const ClockModel& near, const ClockModel& far) {
  ClockModel model = near;
  const std::int64_t since = near.reference_base.ns - far.local_base.ns;
  const double moved = far.remainder + far.drift * static_cast<double>(since) + near.remainder * (1 + far.drift);
  model.reference_base = {far.reference_base.ns + since + whole(moved)};
  model.remainder = moved - static_cast<double>(whole(moved));
  model.drift = near.drift + far.drift + near.drift * far.drift;
  // A clock that is the reference itself was so before any exchange.
  if (far.drift_bound > 0) model.from = std::max(model.from, std::min(model.to, near.to_local(far.from)));
  model.bound +=
      model_rounding + larger(far.bound_at(near.to_reference(model.from)), far.bound_at(near.to_reference(model.to)));
  model.drift_bound += far.drift_bound;
  return model;
}

}  // namespace assay
