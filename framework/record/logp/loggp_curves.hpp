// SPDX-License-Identifier: Apache-2.0
// What was measured of each channel over message sizes.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "record/grouping.hpp"
#include "stats/fit/pieces.hpp"

namespace assay::loggp {

/// The quantities that are lines over the size, in the order in which they are divided into pieces.
enum class Curve : unsigned char {
  rtt,
  o_s_idle,
  o_s_prtt,  ///< o_s by bursts with delays: all there is where a send waits for its receiver
  o_r_ready,
  gap
};
inline constexpr std::size_t curve_count = 5;
/// "rtt", "o_s[idle]": what a curve's values are called in records.
const char* quantity_of(Curve curve);

/// A channel at one placement, in the regime that most of its round trips are in.
struct Channel {
  Point key;  ///< without the size
  Regime regime = Regime::solo;
  std::vector<Estimates> curves{curve_count};
  std::vector<std::map<double, std::string>> marks{curve_count};  ///< of each curve's numbers, by size
  std::map<double, Derived> saturated{};                          ///< the gap by saturation, by size
  std::map<double, bool> taken{};  ///< by size: whether a message is taken while no member receives

  const Estimates& operator[](Curve curve) const { return curves[static_cast<std::size_t>(curve)]; }
  Estimates& operator[](Curve curve) { return curves[static_cast<std::size_t>(curve)]; }
};

/// The channels of the layout `logp`'s lines whose factor `bytes` has levels, in their order.
std::vector<Channel> channels_of(const std::vector<SeriesGroup>& groups);

/// The marks (record/shown_value.hpp) of the numbers between two sizes that a record of one of the channels was
/// computed from, each once, in the order of legends. Those are the curves that its formula names.
std::string marks_of(const std::vector<Channel>& channels, const DerivedRecord& record, double first, double last);

}  // namespace assay::loggp
