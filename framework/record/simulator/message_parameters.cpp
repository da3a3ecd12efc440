// SPDX-License-Identifier: Apache-2.0
// Parameters out of the records that the layout `loggp` derives.
#include "record/simulator/message_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <ranges>
#include <set>

#include "base/error.hpp"
#include "record/logp/loggp.hpp"
#include "record/logp/loggp_curves.hpp"
#include "text/number_format.hpp"
#include "text/scale.hpp"
#include "text/words.hpp"

namespace assay::simulator {

namespace {

using Row = std::map<std::string, const Derived*>;

bool is_known(const Row& row, const char* name) {
  const auto found = row.find(name);
  return found != row.end() && found->second->valid && std::isfinite(found->second->value);
}

double value_of(const Row& row, const char* name) { return is_known(row, name) ? row.at(name)->value : 0; }

Line line_of(const Row& row, const char* fixed, const char* each) {
  if (!is_known(row, fixed) || !is_known(row, each)) return {};
  // Slopes of what does not depend on the size scatter about 0.
  return {std::max(0.0, value_of(row, fixed)), std::max(0.0, value_of(row, each))};
}

/// What the overheads leave of half a round trip; where they are more than it, they are shortened in proportion, so
/// that round trips stay what was measured.
double rest_of(double half, double& send, double& receive) {
  const double overheads = send + receive;
  if (half >= overheads) return half - overheads;
  const double share = overheads > 0 ? std::max(0.0, half) / overheads : 0;
  send *= share;
  receive *= share;
  return 0;
}

class PieceReader {
 public:
  PieceReader(const Row& row, std::vector<std::string>& remarks) : row_(row), remarks_(remarks) {
    piece_.from = value_of(row, loggp::from_name);
    piece_.to = value_of(row, loggp::to_name);
  }

  MessagePiece read() {
    piece_.send = line_of(row_, loggp::o_s_name, loggp::o_s_byte_name);
    piece_.receive = line_of(row_, loggp::o_r_name, loggp::o_r_byte_name);
    piece_.is_eager =
        row_.contains(loggp::eager_name) ? value_of(row_, loggp::eager_name) >= 0.5 : is_known(row_, loggp::o_r_name);
    if (!is_known(row_, loggp::o_s_name)) remark("o_s is not known, and part of L");
    if (piece_.is_eager && !is_known(row_, loggp::o_r_name)) remark("o_r is not known, and part of L");
    piece_.measured_send = piece_.send;
    // What such a send waits for is the receiver, and no overhead: all of it is between the two.
    if (!piece_.is_eager) piece_.send = piece_.receive = {};
    const Line half = half_trip();
    const bool fits = half.fixed >= piece_.send.fixed + piece_.receive.fixed;
    const bool fits_each = half.each >= piece_.send.each + piece_.receive.each;
    piece_.way.fixed = rest_of(half.fixed, piece_.send.fixed, piece_.receive.fixed);
    piece_.way.each = rest_of(half.each, piece_.send.each, piece_.receive.each);
    if (!fits) remark("o_s + o_r are more than half a round trip: shortened to it, with L 0");
    if (!fits_each) remark("per byte, o_s + o_r are more than half a round trip: shortened to it");
    piece_.has_gap = is_known(row_, loggp::gap_name) && is_known(row_, loggp::gap_byte_name);
    piece_.gap = piece_.has_gap ? line_of(row_, loggp::gap_name, loggp::gap_byte_name)
                                : Line{std::max(piece_.send.fixed, piece_.receive.fixed), piece_.way.each};
    if (!piece_.has_gap) remark("g and G are not known: the larger overhead, and the transfer per byte of round trips");
    return piece_;
  }

 private:
  // A piece of few sizes may fall by chance: it is level then, as high as in its middle.
  Line half_trip() const {
    const double fixed = value_of(row_, loggp::rtt_name) / 2, each = value_of(row_, loggp::rtt_byte_name) / 2;
    if (each >= 0) return {std::max(0.0, fixed), each};
    return {std::max(0.0, fixed + each * (piece_.from + piece_.to) / 2), 0};
  }
  void remark(const std::string& text) {
    remarks_.push_back(fixed_text(piece_.from, 0) + " to " + fixed_text(piece_.to, 0) + " bytes: " + text);
  }
  const Row& row_;
  std::vector<std::string>& remarks_;
  MessagePiece piece_;
};

/// The derived records of the piece.
Row row_of(const std::vector<DerivedRecord>& records, const DerivedRecord& channel, std::int64_t number) {
  Row row;
  for (const DerivedRecord& record : records) {
    const Value* piece = record.group.find(loggp::piece_factor);
    if (piece == nullptr || record.regime != channel.regime || number_of(*piece) != static_cast<double>(number))
      continue;
    if (record.group.without(loggp::piece_factor) == channel.group) row[record.name] = &record.derived;
  }
  return row;
}

/// In proportion between the two nearest sizes; beyond them as at the nearest. 0 where there are none.
double between(const std::vector<HalfTrip>& times, double bytes) {
  const auto above = std::ranges::find_if(times, [&](const HalfTrip& one) { return one.bytes >= bytes; });
  if (above == times.end()) return times.empty() ? 0 : times.back().time;
  if (above == times.begin()) return above->time;
  const HalfTrip& below = *std::prev(above);
  return below.time + (above->time - below.time) * (bytes - below.bytes) / (above->bytes - below.bytes);
}

std::vector<HalfTrip> trips_of(const std::vector<loggp::Channel>& curves, const Point& key) {
  std::vector<HalfTrip> trips;
  for (const loggp::Channel& curve : curves)
    if (curve.key == key)
      for (const auto& [bytes, trip] : curve[loggp::Curve::rtt]) trips.push_back({bytes, trip.value / 2});
  std::ranges::sort(trips, {}, &HalfTrip::bytes);
  return trips;
}

/// The median of the usual regime, where it has an interval.
const Estimate* time_of(const PointRecord& point) {
  if (point.results.empty()) return nullptr;
  const Estimate& headline = point.results.front().headline;
  return headline.interval.available() && headline.value > 0 ? &headline : nullptr;
}

/// Whether the point has no level that differs from the channel's.
bool is_of(const Point& point, const Point& channel) {
  return std::ranges::all_of(channel.levels(), [&](const auto& level) {
    const Value* own = point.find(level.first);
    return own == nullptr || *own == level.second;
  });
}

bool has_level(const Point& point, const char* factor, const char* level) {
  const Value* own = point.find(factor);
  return own != nullptr && *own == Value(std::string(level));
}

/// Over half a round trip, which is taken from the nearest sizes. Of content that is new with each message, where that
/// was measured: what crosses in a reduction has just been computed, and what stays as it was is in both caches.
std::vector<HalfTrip> crossings_of(const std::vector<SeriesGroup>& groups, const MessageChannel& channel) {
  std::map<double, HalfTrip> crossings;
  std::set<double> fresh;
  for (const SeriesGroup& group : groups) {
    if (group.series.measurement != "mpi/ping_pong") continue;
    for (const PointRecord& point : group.points) {
      const Value* size = point.point.find("size");
      const auto bytes = size == nullptr ? std::nullopt : number_of(*size);
      const Estimate* time = time_of(point);
      if (!bytes || time == nullptr || !is_of(point.point, channel.key)) continue;
      if (!has_level(point.point, "direction", "both") || !has_level(point.point, "mode", "blocking")) continue;
      if (has_level(point.point, "content", "new"))
        fresh.insert(*bytes);
      else if (fresh.contains(*bytes))
        continue;
      crossings[*bytes] = {*bytes, std::max(0.0, time->value - between(channel.trips, *bytes)),
                           (time->interval.high - time->interval.low) / 2};
    }
  }
  const auto values = std::views::values(crossings);
  return {values.begin(), values.end()};
}

/// Of a channel, not of results: without the slopes that are derived, conditions on results would leave no gap.
bool holds_for(const std::vector<RowCondition>& filter, const Point& channel) {
  return std::ranges::all_of(filter, [&](const RowCondition& condition) {
    const std::string level = shown_level(channel, factor_named(condition.name));
    const bool is_one =
        std::ranges::any_of(condition.patterns, [&](const auto& pattern) { return matches(level, pattern); });
    return is_one != condition.is_negated;
  });
}

std::vector<std::string> names_of(const std::vector<MessageChannel>& channels) {
  std::vector<std::string> names;
  for (const MessageChannel& channel : channels) names.push_back("'" + channel_name(channel) + "'");
  return names;
}

}  // namespace

std::vector<MessageChannel> message_channels(const std::vector<SeriesGroup>& groups,
                                             const std::vector<RowCondition>& filter) {
  const auto derived = loggp::derive(groups);
  const auto curves = loggp::channels_of(groups);
  std::vector<MessageChannel> channels;
  for (const DerivedRecord& record : derived) {
    if (record.name != loggp::pieces_name || !holds_for(filter, record.group)) continue;
    MessageChannel channel{.key = record.group, .pieces = {}, .trips = trips_of(curves, record.group), .remarks = {}};
    bool has_trips = true;
    for (std::int64_t number = 1; number <= std::llround(record.derived.value); ++number) {
      const Row row = row_of(derived, record, number);
      has_trips &= is_known(row, loggp::rtt_name) && is_known(row, loggp::rtt_byte_name);
      channel.pieces.push_back(PieceReader(row, channel.remarks).read());
    }
    channel.crossings = crossings_of(groups, channel);
    if (has_trips && !channel.pieces.empty()) channels.push_back(std::move(channel));
  }
  return channels;
}

std::vector<MessageChannel> message_channels(const std::vector<Record>& records,
                                             const std::vector<RowCondition>& filter, const std::string& where) {
  auto channels = message_channels(group_by_series(records), filter);
  if (channels.empty())
    throw ConfigError(
        Problem{{where},
                "there are no LogGP parameters of messages",
                "they need round trips, overheads and bursts of three sizes or more, with intervals",
                "run configs/loggp-mpi.ini under mpirun, or configs/loggp.ini, and export that campaign"});
  return channels;
}

MessageChannel message_channel(const std::vector<Record>& records, const std::vector<RowCondition>& filter,
                               const std::string& where) {
  auto channels = message_channels(records, filter, where);
  if (channels.size() > 1)
    throw ConfigError(
        Problem{{where},
                "there are parameters of " + counted(channels.size(), "channel") + ", and the format has one",
                joined(names_of(channels), ", ", 4),
                "choose one by --filter NAME=LEVEL"});
  return std::move(channels.front());
}

std::string channel_name(const MessageChannel& channel) {
  std::vector<std::string> words;
  for (const auto& [factor, level] : channel.key.levels())
    words.push_back(factor + "=" + shown_level(channel.key, factor));
  return words.empty() ? "messages" : joined(words, " ");
}

Line crossing_line(const MessageChannel& channel, const MessagePiece& piece) {
  const double first = between(channel.crossings, piece.from);
  const double last = between(channel.crossings, piece.to);
  const double each = piece.to > piece.from ? (last - first) / (piece.to - piece.from) : 0;
  return {first - each * piece.from, each};
}

double crossing_error(const MessageChannel& channel, double bytes) {
  const auto above = std::ranges::find_if(channel.crossings, [&](const HalfTrip& one) { return one.bytes >= bytes; });
  if (channel.crossings.empty()) return 0;
  return above == channel.crossings.end() ? channel.crossings.back().error : above->error;
}

MessageChannel with_empty_messages(MessageChannel channel) {
  if (channel.crossings.empty() || channel.crossings.front().bytes > 0 || channel.pieces.empty()) return channel;
  MessagePiece empty = channel.pieces.front();
  empty.from = empty.to = 0;
  channel.pieces.insert(channel.pieces.begin(), empty);
  return channel;
}

std::vector<collective::LogGp> replay_parameters(const MessageChannel& measured) {
  const MessageChannel channel = with_empty_messages(measured);
  std::vector<collective::LogGp> pieces;
  for (const MessagePiece& each : channel.pieces)
    pieces.push_back({.L = each.way.fixed,
                      .o_s = each.send.fixed,
                      .o_r = each.receive.fixed,
                      .g = each.gap.fixed,
                      .G = each.way.each,
                      .o_s_byte = each.send.each,
                      .o_r_byte = each.receive.each,
                      .rendezvous_from = each.is_eager ? std::numeric_limits<double>::infinity() : 0,
                      .to = each.to,
                      .g_byte = each.gap.each,
                      .crossing = crossing_line(channel, each).fixed,
                      .crossing_byte = crossing_line(channel, each).each});
  pieces.back().to = std::numeric_limits<double>::infinity();
  return pieces;
}

}  // namespace assay::simulator
