// SPDX-License-Identifier: Apache-2.0
// LogGP parameters of messages as a campaign measured them, for collective operations over them.
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "record/collective/replay.hpp"
#include "record/predict/parameter.hpp"

namespace assay::predict {

/// The numbers that one piece of message sizes has, in the order of formulas' inputs.
inline constexpr std::size_t numbers_per_piece = 9;

/// Messages of one kind at one placement: which parameters they have, piece by piece (record/logp/loggp.hpp).
struct Transport {
  Point key;                   ///< placement, vehicle and, where there is one, the channel
  std::vector<double> ends{};  ///< the largest message of each piece
  std::vector<std::array<std::size_t, numbers_per_piece>> numbers{};  ///< by piece, places among the parameters
};

/// Appends the parameters of each kind of messages that the layout `loggp` finds L of: round trip and overheads, at 0
/// bytes and per byte, and the gap; and what messages that cross take longer. What was not measured is exactly known:
/// o_r is 0, since L contains it then, overheads per byte are 0, the gap is the larger overhead, and messages may
/// cross.
std::vector<Transport> gather_transports(const std::vector<SeriesGroup>& groups, std::vector<Parameter>& parameters);

/// The parameters from one draw of them, piece by piece; L and G are what round trip and overheads of the draw leave.
std::vector<collective::LogGp> log_gp(std::span<const double> numbers, std::span<const double> ends);

}  // namespace assay::predict
