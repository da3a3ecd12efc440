// SPDX-License-Identifier: Apache-2.0
// A platform of SimGrid on which messages between two hosts take what was measured.
#include <algorithm>
#include <ostream>

#include "base/value.hpp"
#include "record/simulator/measured_pieces.hpp"
#include "record/simulator/simulators.hpp"
#include "text/printable.hpp"
#include "text/scale.hpp"
#include "text/words.hpp"

namespace assay::simulator {

namespace {

// The model adds so many bytes to each message on the wire: found with version 3.32, where a message of n bytes takes
// the transfer time of n + 16, and the segment of that size.
constexpr double simgrid_header = 16;
// A host has one link to the others, and a way between two leads over both: the latency of the file counts twice. The
// factors are by this, in ns, and by 1 byte per ns.
constexpr double simgrid_way = 1000;
// What stands for a transfer that takes no time: bandwidths are positive.
constexpr double least_per_byte = 1e-6;
constexpr double largest_message = 1 << 30;

/// The least of the bytes from which on a piece holds, less one: segments begin above their number.
double border(const std::vector<MessagePiece>& pieces, std::size_t i) { return i == 0 ? 0 : pieces[i - 1].to; }

// "0:5e-07:5e-11;4096:0:0", seconds and seconds per byte.
template <class Overhead>
std::string overheads(const MessageChannel& channel, Overhead overhead) {
  std::vector<std::string> segments;
  for (std::size_t i = 0; i < channel.pieces.size(); ++i) {
    const Line line = overhead(channel.pieces[i]);
    segments.push_back(to_text(border(channel.pieces, i)) + ':' + to_text(line.fixed * 1e-9) + ':' +
                       to_text(line.each * 1e-9));
  }
  return joined(segments, ";");
}

template <class Factor>
std::string factors(const MessageChannel& channel, Factor factor) {
  std::vector<std::string> segments;
  for (std::size_t i = 0; i < channel.pieces.size(); ++i) {
    const double from = border(channel.pieces, i);
    segments.push_back(to_text(i == 0 ? 0 : from + simgrid_header) + ':' + to_text(factor(channel.pieces[i].way)));
  }
  return joined(segments, ";");
}

double per_byte_of(const Line& way) { return std::max(way.each, least_per_byte); }

double largest_eager(const MessageChannel& channel) {
  for (std::size_t i = 0; i < channel.pieces.size(); ++i)
    if (!channel.pieces[i].is_eager) return border(channel.pieces, i);
  return largest_message;
}

void write_property(std::ostream& out, const char* name, const std::string& value) {
  out << "    <prop id=\"" << name << "\" value=\"" << value << "\"/>\n";
}

// Two hyphens end a comment of XML.
std::string comment_text(std::string text) {
  text = printable(text);
  for (std::size_t at = 0; (at = text.find("--", at)) != std::string::npos;) text.replace(at, 2, "- ");
  return text;
}

}  // namespace

Remarks write_simgrid(std::ostream& out, const ExportSource& source, const ExportOptions& options) {
  const MessageChannel channel = with_empty_messages(
      through_measured(message_channel(source.records, options.filter, "assay export --format simgrid")));
  const double eager = largest_eager(channel);
  out << "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      << "<!-- " << comment_text(channel_name(channel)) << ", measured up to " << to_text(channel.pieces.back().to)
      << " bytes. 'smpirun -np N -platform FILE PROGRAM' runs a program on it. -->\n"
      << "<platform version=\"4.1\">\n  <config>\n";
  write_property(out, "network/model", "SMPI");
  write_property(out, "network/TCP-gamma", "0");
  write_property(out, "network/crosstraffic", "0");
  write_property(out, "network/weight-S", "0");
  write_property(out, "smpi/async-small-thresh", to_text(eager + 1));
  write_property(out, "smpi/send-is-detached-thresh", to_text(eager + 1));
  write_property(out, "smpi/os", overheads(channel, [](const MessagePiece& piece) { return piece.send; }));
  // Collective operations send so where a rank receives at the same time.
  write_property(out, "smpi/ois", overheads(channel, [&](const MessagePiece& piece) {
                   const Line crossing = crossing_line(channel, piece);
                   return Line{piece.send.fixed + crossing.fixed, piece.send.each + crossing.each};
                 }));
  write_property(out, "smpi/or", overheads(channel, [](const MessagePiece& piece) { return piece.receive; }));
  write_property(out, "smpi/lat-factor", factors(channel, [](const Line& way) {
                   return std::max(0.0, way.fixed - simgrid_header * per_byte_of(way)) / simgrid_way;
                 }));
  write_property(out, "smpi/bw-factor", factors(channel, [](const Line& way) { return 1 / per_byte_of(way); }));
  out << "  </config>\n  <cluster id=\"ranks\" prefix=\"rank-\" suffix=\"\" radical=\"0-"
      << std::to_string(options.ranks - 1) << "\" speed=\"1Gf\" bw=\"1GBps\" lat=\"" << to_text(simgrid_way / 2)
      << "ns\"/>\n</platform>\n";
  Remarks remarks = channel.remarks;
  if (channel.crossings.empty())
    remarks.emplace_back(
        "messages that cross were not measured (mpi/ping_pong, direction = both): they are taken to need no more than "
        "others, and barriers and reductions to need too little");
  remarks.emplace_back("the model has no g: a rank sends and receives as fast as its overheads and its link permit");
  return remarks;
}

}  // namespace assay::simulator
