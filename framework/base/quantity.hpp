// SPDX-License-Identifier: Apache-2.0
// What a batch yields: quantities as a measurement declares them, and the claims of its members.
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "base/units.hpp"

namespace assay {

/// Which member's claim counts, and how several are combined into one observation.
enum class Combine : std::uint8_t {
  only,     ///< the claim of member `claimant`
  slowest,  ///< the largest claim of all members
  fastest,  ///< the smallest
  mean,     ///< the arithmetic mean
  sum       ///< the sum
};

/// What the claim is divided by to become an observation.
enum class Per : std::uint8_t {
  event,  ///< reps times events_per_rep
  batch   ///< nothing: a value of the batch as a whole (a clock's step, a share)
};

/// One thing that a batch yields.
struct Quantity {
  std::string name = "time";
  Unit unit = Unit::nanoseconds;
  Combine combine = Combine::only;
  int claimant = 0;  ///< the member whose claim counts under Combine::only
  Per per = Per::event;
  bool is_signed = false;  ///< negative values are meaningful; otherwise they are a clock anomaly
  std::string summary{};   ///< one line: what exactly is timed or counted
  /// A share, of the batch, of what the measured action itself started and that ran on another CPU than the claimant.
  /// Where nothing is bound, results are kept apart by it: see Spread.
  bool is_elsewhere = false;
};

/// Most quantities a measurement may declare: a fixed bound, so that claims never allocate.
inline constexpr std::size_t max_quantities = 8;

/// What one member claims for the quantities that the description declares, by index; a member claims only what it saw.
class Claims {
 public:
  constexpr Claims() = default;
  /// A claim of the primary quantity, index 0: the common case is `return member.timed(reps, body)`.
  constexpr Claims(Nanoseconds primary) { set(0, primary.count); }  // NOLINT(google-explicit-constructor)
  /// Claims a total over the batch (never divided by repetitions). Throws std::out_of_range past max_quantities.
  constexpr Claims& set(std::size_t quantity, double total) {
    values_.at(quantity) = total;
    claimed_ |= 1U << quantity;
    return *this;
  }
  constexpr Claims& set(std::size_t quantity, Nanoseconds total) { return set(quantity, total.count); }
  constexpr bool has(std::size_t quantity) const { return (claimed_ >> quantity & 1U) != 0; }
  constexpr double operator[](std::size_t quantity) const { return values_[quantity]; }

 private:
  std::array<double, max_quantities> values_{};
  unsigned claimed_ = 0;
};

}  // namespace assay
