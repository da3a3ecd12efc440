// SPDX-License-Identifier: Apache-2.0
// LogGP parameters of each channel, by pieces of its message sizes.
#pragma once
#include <vector>

#include "record/grouping.hpp"

namespace assay {

namespace loggp {

/// The factor that sizes are levels of, and the one that numbers the pieces of a channel in the records below.
inline constexpr const char* size_factor = "bytes";
inline constexpr const char* piece_factor = "piece";

/// Names of the records: the number of pieces, then of each piece its ends, the share of its sizes that are taken while
/// no member receives, and the parameters. Those that end in "/B" are per byte.
inline constexpr const char* pieces_name = "pieces";
inline constexpr const char* from_name = "from";
inline constexpr const char* to_name = "to";
inline constexpr const char* eager_name = "eager";
inline constexpr const char* rtt_name = "rtt";
inline constexpr const char* rtt_byte_name = "rtt/B";
inline constexpr const char* o_s_name = "o_s";
inline constexpr const char* o_s_byte_name = "o_s/B";
inline constexpr const char* o_r_name = "o_r";
inline constexpr const char* o_r_byte_name = "o_r/B";
inline constexpr const char* gap_name = "g";
inline constexpr const char* gap_byte_name = "G";
inline constexpr const char* latency_name = "L";
inline constexpr const char* delivery_name = "L+o_r";
inline constexpr const char* gap_byte_by_rtt_name = "G[rtt]";  ///< G by round trips less overheads
inline constexpr const char* gap_by_rtt_name = "g[rtt]-to-g";  ///< the gap of large messages by round trips, over g
inline constexpr const char* saturation_name = "g[saturated]-to-g";  ///< the mean of a burst that settled, over g

/// The records of every channel that has round trips, overheads or gaps at three sizes or more: what the lines of the
/// layout `logp` found at each size, divided into pieces that are straight in all of them together
/// (stats/fit/pieces.hpp). `group` is the channel without its sizes, with the number of the piece from 1.
std::vector<DerivedRecord> derive(const std::vector<SeriesGroup>& groups);

}  // namespace loggp
}  // namespace assay
