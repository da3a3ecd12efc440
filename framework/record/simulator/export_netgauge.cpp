// SPDX-License-Identifier: Apache-2.0
// The table of Netgauge's pattern `loggp`.
#include <cmath>
#include <ostream>

#include "record/simulator/message_parameters.hpp"
#include "record/simulator/simulators.hpp"
#include "text/scale.hpp"
#include "text/words.hpp"

namespace assay::simulator {

namespace {

constexpr int netgauge_messages = 10;  // the n of its PRTT(n, d, s)

std::string microseconds_text(double nanoseconds) { return fixed_text(nanoseconds * 1e-3, 6); }

std::string netgauge_row(const MessagePiece& piece, double size) {
  const double trip = 2 * piece.half_trip().at(size);
  const double send = piece.measured_send.at(size), receive = piece.receive.at(size);
  const double more = netgauge_messages - 1;
  const double latency = piece.half_trip().fixed - piece.measured_send.fixed - piece.receive.fixed;
  return joined({fixed_text(size, 0), std::to_string(netgauge_messages), microseconds_text(trip),
                 microseconds_text(trip + more * piece.gap.at(size)), microseconds_text(trip + more * (send + trip)),
                 microseconds_text(std::max(0.0, latency)), microseconds_text(send), microseconds_text(receive),
                 microseconds_text(piece.gap.fixed), microseconds_text(piece.gap.each), microseconds_text(0)},
                " ");
}

}  // namespace

Remarks write_netgauge(std::ostream& out, const ExportSource& source, const ExportOptions& options) {
  const auto channel = message_channel(source.records, options.filter, "assay export --format netgauge");
  out << "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)\n"
      << "# us, from the lines of each piece; L without the overheads, which Netgauge leaves in it\n";
  for (const MessagePiece& piece : channel.pieces)
    for (const auto& [size, trip] : channel.trips)
      if (piece.from <= size && size <= piece.to) out << netgauge_row(piece, size) << '\n';
  return channel.remarks;
}

}  // namespace assay::simulator
