// SPDX-License-Identifier: Apache-2.0
// LogGP parameters as options of LogGOPSim, and as the table of Netgauge's pattern `loggp`.
#include <cmath>
#include <ostream>

#include "record/simulator/message_parameters.hpp"
#include "record/simulator/simulators.hpp"
#include "text/printable.hpp"
#include "text/scale.hpp"
#include "text/words.hpp"

namespace assay::simulator {
namespace {

/// In units of so many ns; they are read as whole numbers.
std::string options_of(const MessageChannel& channel, double unit) {
  const MessagePiece& piece = channel.pieces.front();
  const auto whole = [unit](double time) { return fixed_text(std::round(time / unit), 0); };
  // In ns as LogGOPSim reads a fraction, and never as more than there is.
  const auto per_byte = [unit](double time) {
    return fixed_text(unit < 1 ? std::round(time / unit) : std::floor(time), 0);
  };
  return "-L " + whole(piece.way.fixed) + " -o " + whole((piece.send.fixed + piece.receive.fixed) / 2) + " -g " +
         whole(piece.gap.fixed) + " -G " + per_byte(piece.gap.each) + " -O " + per_byte(piece.send.each) + " -S " +
         fixed_text(piece.to, 0);
}

bool is_rounded(double time) { return time > 0 && std::abs(std::floor(time) - time) > 0.01 * time; }

}  // namespace

Remarks write_loggopsim(std::ostream& out, const ExportSource& source, const ExportOptions& options) {
  const auto channels = message_channels(source.records, options.filter, "assay export --format loggopsim");
  Remarks remarks;
  for (const MessageChannel& channel : channels) {
    const MessagePiece& piece = channel.pieces.front();
    const std::string name = printable(channel_name(channel));
    out << "# " << name << ", ns\n" << options_of(channel, 1) << '\n';
    out << "# the same in ps, for a schedule with its calculations in ps; G " << fixed_text(piece.gap.each, 4)
        << " ns/B, O " << fixed_text(piece.send.each, 4) << " ns/B\n"
        << "# " << options_of(channel, 1e-3) << '\n';
    if (is_rounded(piece.gap.each) || is_rounded(piece.send.each))
      remarks.push_back(name + ": LogGOPSim reads whole ns, and G of " + fixed_text(piece.gap.each, 3) + " and O of " +
                        fixed_text(piece.send.each, 3) + " ns per byte are cut off; take the line in ps");
    if (channel.pieces.size() > 1)
      remarks.push_back(name + ": messages above " + fixed_text(piece.to, 0) +
                        " bytes have other parameters, which LogGOPSim cannot have");
    remarks.insert(remarks.end(), channel.remarks.begin(), channel.remarks.end());
  }
  remarks.emplace_back("LogGOPSim has one o: the mean of o_s and o_r; messages of 0 bytes overflow in it, take 1");
  return remarks;
}

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
    for (const auto& [size, trip, error] : channel.trips)
      if (piece.from <= size && size <= piece.to) out << netgauge_row(piece, size) << '\n';
  return channel.remarks;
}

}  // namespace assay::simulator
