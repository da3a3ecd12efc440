// SPDX-License-Identifier: Apache-2.0
// Conversion of readings, and models over models.
#include "stats/clock_model.hpp"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

std::int64_t whole(double ns) { return std::llround(ns); }

Nanoseconds larger(Nanoseconds a, Nanoseconds b) { return std::max(a, b); }

// A conversion rounds to whole nanoseconds.
constexpr Nanoseconds rounding{0.5};

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
  model.bound += larger(far.bound_at(near.to_reference(near.from)), far.bound_at(near.to_reference(near.to)));
  model.drift_bound += far.drift_bound;
  return model;
}

ClockModel on_top_of(ClockModel near, const ClockModel& far, Instant at) {
  near.bound += far.bound_at(at) + rounding;
  near.drift_bound += far.drift_bound;
  return near;
}

}  // namespace assay
