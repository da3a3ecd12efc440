// SPDX-License-Identifier: Apache-2.0
// Isotonic regression, and lines between its values.
#include "record/simulator/measured_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "text/number_format.hpp"
#include "text/scale.hpp"

namespace assay::simulator {

namespace {

using Trips = std::vector<HalfTrip>;

Trips trips_within(const MessageChannel& channel, const MessagePiece& piece) {
  Trips within;
  for (const HalfTrip& trip : channel.trips)
    if (piece.from <= trip.bytes && trip.bytes <= piece.to) within.push_back(trip);
  return within;
}

double worst_miss(const MessagePiece& piece, const Trips& trips) {
  double worst = 0;
  for (const HalfTrip& trip : trips)
    worst = std::max(worst, std::abs(piece.half_trip().at(trip.bytes) / trip.time - 1));
  return worst;
}

/// The nearest that do not fall, in squares: neighbours that fall become their mean.
Trips not_falling(const Trips& trips) {
  struct Pool {
    double sum = 0;
    std::size_t count = 0;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;
  for (const HalfTrip& trip : trips) {
    pools.push_back({trip.time, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  Trips level = trips;
  std::size_t at = 0;
  for (const Pool& pool : pools)
    for (std::size_t i = 0; i < pool.count; ++i) level[at++].time = pool.mean();
  return level;
}

void shorten(Line& line, double share) {
  line.fixed *= share;
  line.each *= share;
}

std::vector<MessagePiece> between_sizes(MessagePiece piece, const Trips& trips) {
  const auto overheads = [&](double bytes) { return piece.send.at(bytes) + piece.receive.at(bytes); };
  double share = 1;
  for (const HalfTrip& trip : trips)
    if (overheads(trip.bytes) > 0) share = std::min(share, trip.time / overheads(trip.bytes));
  shorten(piece.send, share);
  shorten(piece.receive, share);
  std::vector<MessagePiece> pieces;
  for (std::size_t i = 0; i + 1 < trips.size(); ++i) {
    const double rest = trips[i].time - overheads(trips[i].bytes);
    const double next = trips[i + 1].time - overheads(trips[i + 1].bytes);
    MessagePiece part = piece;
    part.from = trips[i].bytes;
    part.to = trips[i + 1].bytes;
    part.way.each = std::max(0.0, (next - rest) / (part.to - part.from));
    part.way.fixed = std::max(0.0, std::min(rest, next)) - part.way.each * part.from;
    // No latency is negative: after a steep rise only the upper size, which is this part's, is met.
    if (part.way.fixed < 0) part.way = {0, std::max(0.0, next) / part.to};
    if (!part.has_gap) part.gap = {std::max(part.send.fixed, part.receive.fixed), part.way.each};
    pieces.push_back(part);
  }
  return pieces;
}

}  // namespace

MessageChannel through_measured(MessageChannel channel) {
  std::vector<MessagePiece> pieces;
  for (const MessagePiece& piece : std::exchange(channel.pieces, {})) {
    const Trips trips = trips_within(channel, piece);
    const double miss = worst_miss(piece, trips);
    if (trips.size() < 3 || miss <= most_missed) {
      pieces.push_back(piece);
      continue;
    }
    const auto parts = between_sizes(piece, not_falling(trips));
    pieces.insert(pieces.end(), parts.begin(), parts.end());
    channel.remarks.push_back(fixed_text(piece.from, 0) + " to " + fixed_text(piece.to, 0) +
                              " bytes: the line of LogGP misses a measured round trip by " + percent(miss) +
                              ", so the platform goes straight from one measured size to the next");
  }
  channel.pieces = std::move(pieces);
  return channel;
}

}  // namespace assay::simulator
