// SPDX-License-Identifier: Apache-2.0
// Room: offset and drift of clocks, fitted to exchanges of time stamps.
// How one clock follows from another: an offset and a drift, with bounds on the error of both.
#pragma once
#include "base/clock.hpp"
#include "base/units.hpp"

namespace assay {

/// The readings of a reference clock as a line over the readings of a local clock. Readings stay whole numbers and only
/// their differences from the bases become floating-point: clocks that are years apart lose no nanosecond. Bounds are
/// hard for clocks that keep their rates, whatever the delays by which they were compared.
struct ClockModel {
  Instant local_base;      ///< where the line is anchored, on the local clock
  Instant reference_base;  ///< and on the reference, but for `remainder`
  double remainder = 0;    ///< in nanoseconds
  double drift = 0;        ///< reference nanoseconds per local nanosecond, less 1
  Instant from;            ///< local times between which the clocks were compared
  Instant to;
  Nanoseconds bound{};       ///< most that a converted reading is wrong between `from` and `to`
  double drift_bound = 0;    ///< most that the drift is wrong
  Nanoseconds round_trip{};  ///< fastest exchange that the model rests on

  /// A local reading on the reference clock, to the nearest nanosecond.
  Instant to_reference(Instant local) const;
  /// The local reading at which the reference reads this.
  Instant to_local(Instant reference) const;
  /// Most that a conversion at this local time is wrong: grows outside of `from` to `to`.
  Nanoseconds bound_at(Instant local) const;
  /// How long after `to` the bound has doubled by what is left open of the drift; forever where nothing is.
  Nanoseconds keeps_for() const;
};

/// The model of two clocks that are one: readings stay as they are. `bound` is what the test that they are one could
/// not have seen.
ClockModel identity_model(Instant from, Instant to, Nanoseconds bound);

/// From the local clock of `near` to the reference of `far`, where the reference of the first is the local clock of the
/// second: drifts join as (1 + a)(1 + b) - 1 and bounds add (HCA2, Hunold and Carpen-Amarie, CLUSTER 2018). Holds from
/// the time on from which both do.
ClockModel joined(const ClockModel& near, const ClockModel& far);

}  // namespace assay
