// SPDX-License-Identifier: Apache-2.0
// LogGP parameters of a channel's messages, piece by piece, as numbers that simulators can use.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "record/collective/replay.hpp"
#include "record/grouping.hpp"
#include "record/table/table_choice.hpp"

namespace assay::simulator {

/// A straight line over the size of a message, in ns and ns per byte.
struct Line {
  double fixed = 0;
  double each = 0;
  double at(double bytes) const { return fixed + bytes * each; }
};

/// The parameters of messages of some sizes. What is not known is 0, and part of `way`.
struct MessagePiece {
  double from = 0;  ///< smallest and largest size measured
  double to = 0;
  bool is_eager = true;  ///< they are accepted without a receiver
  Line send;             ///< o_s
  Line receive;          ///< o_r
  Line way;              ///< what is left of half a round trip: L, and the transfer per byte. Never negative
  Line gap;              ///< g and G; where they were not measured, those of `way`
  bool has_gap = false;
  Line measured_send;  ///< o_s as measured, where messages wait for their receiver, too
  Line half_trip() const { return {send.fixed + way.fixed + receive.fixed, send.each + way.each + receive.each}; }
};

/// Half of a measured round trip, in ns.
struct HalfTrip {
  double bytes = 0;
  double time = 0;
  double error = 0;  ///< half the width of its interval, where that matters
};

struct MessageChannel {
  Point key;  ///< its levels without the size
  std::vector<MessagePiece> pieces;
  std::vector<HalfTrip> trips;  ///< by ascending size
  /// By ascending size, and by how much two messages that cross take longer than half a round trip, in ns; never
  /// negative. None where that was not measured.
  std::vector<HalfTrip> crossings = {};
  std::vector<std::string> remarks;  ///< what was assumed where a parameter is not known
};

/// The channels that were measured; none where there are no parameters.
std::vector<MessageChannel> message_channels(const std::vector<SeriesGroup>& groups,
                                             const std::vector<RowCondition>& filter = {});
/// Those of the campaign for which the conditions hold. Throws ConfigError, at `where`, when there is none; the
/// problem names the campaigns that measure it.
std::vector<MessageChannel> message_channels(const std::vector<Record>& records,
                                             const std::vector<RowCondition>& filter, const std::string& where);
/// The only one. Throws ConfigError when there are several.
MessageChannel message_channel(const std::vector<Record>& records, const std::vector<RowCondition>& filter,
                               const std::string& where);

/// The levels by which a channel is told from others: "channel=pipe placement=same-l3".
std::string channel_name(const MessageChannel& channel);

/// By how much a message takes longer whose sender receives one of that size at the same time: the line through the
/// values at the ends of a piece, which are between the sizes at which that was measured in proportion, and beyond them
/// as at the nearest.
Line crossing_line(const MessageChannel& channel, const MessagePiece& piece);
/// The half width of its interval, at a size.
double crossing_error(const MessageChannel& channel, double bytes);

/// With a piece of their own for messages of no bytes, where crossings of such were measured: barriers have them, and
/// libraries need less for them than for a byte.
MessageChannel with_empty_messages(MessageChannel channel);

/// For replays of schedules.
std::vector<collective::LogGp> replay_parameters(const MessageChannel& channel);

}  // namespace assay::simulator
