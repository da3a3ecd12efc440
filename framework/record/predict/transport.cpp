// SPDX-License-Identifier: Apache-2.0
// Transports out of the records of the layout `loggp`.
#include "record/predict/transport.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include "record/logp/loggp.hpp"
#include "record/logp/loggp_curves.hpp"
#include "record/simulator/message_parameters.hpp"
#include "stats/fit/propagation.hpp"

namespace assay::predict {

namespace {

constexpr std::array<const char*, 7> symbols{loggp::rtt_name,     loggp::o_s_name,      loggp::o_r_name,
                                             loggp::gap_name,     loggp::rtt_byte_name, loggp::o_s_byte_name,
                                             loggp::o_r_byte_name};
constexpr std::array<const char*, 2> crossing_symbols{"X", "X/B"};
static_assert(symbols.size() + crossing_symbols.size() == numbers_per_piece);

// The records of one piece.
class Piece {
 public:
  Piece(const std::vector<DerivedRecord>& records, const Point& group) : records_(records), group_(group) {}

  const DerivedRecord* find(std::string_view name) const {
    for (const DerivedRecord& record : records_)
      if (record.name == name && record.group == group_ && record.derived.interval.available()) return &record;
    return nullptr;
  }
  double number(std::string_view name, double otherwise) const {
    const DerivedRecord* found = find(name);
    return found == nullptr ? otherwise : found->derived.value;
  }
  // By their place in `symbols`; null where it was not measured.
  const DerivedRecord* of(std::size_t which) const { return find(symbols[which]); }
  bool has_latency() const { return find(loggp::latency_name) != nullptr || find(loggp::delivery_name) != nullptr; }

 private:
  const std::vector<DerivedRecord>& records_;
  const Point& group_;
};

Parameter parameter_at(const Piece& piece, std::size_t which, const Point& group,
                       const std::vector<loggp::Channel>& channels) {
  Parameter parameter;
  parameter.symbol = symbols[which];
  parameter.point = group;
  const bool is_per_byte = parameter.symbol.ends_with("/B");
  parameter.quantity = is_per_byte ? "ns/B" : "ns";
  parameter.origin = "LogGP of messages, " + short_point(group);
  const DerivedRecord* record = piece.of(which);
  if (record != nullptr) {
    parameter.marks =
        loggp::marks_of(channels, *record, piece.number(loggp::from_name, 0), piece.number(loggp::to_name, 0));
    parameter.estimate = {"derived", record->derived.value, record->derived.interval, "derived"};
  } else {
    const double gap = std::max(piece.number(loggp::o_s_name, 0), piece.number(loggp::o_r_name, 0));
    parameter.estimate = exactly_known(parameter.symbol == loggp::gap_name ? gap : 0);
    parameter.origin += ", not measured";
  }
  return parameter;
}

/// What messages that cross take longer, by piece of the sizes.
class Crossings {
 public:
  Crossings(const std::vector<SeriesGroup>& groups, const Point& key) : key_(key) {
    for (simulator::MessageChannel& channel : simulator::message_channels(groups))
      if (channel.key == key) channel_ = std::move(channel);
  }
  /// Libraries need less for messages of no bytes than for a byte, and barriers have them.
  bool has_empty() const { return !channel_.crossings.empty() && channel_.crossings.front().bytes == 0; }

  void add(double from, double to, std::array<std::size_t, numbers_per_piece>& numbers,
           std::vector<Parameter>& parameters) const {
    simulator::MessagePiece piece;
    piece.from = from;
    piece.to = to;
    const simulator::Line line = simulator::crossing_line(channel_, piece);
    const double error = simulator::crossing_error(channel_, from);
    const Interval interval{std::max(0.0, line.fixed - error), line.fixed + error, 0.95};
    const std::array estimates{Estimate{"derived", line.fixed, interval, "derived"}, exactly_known(line.each)};
    for (std::size_t i = 0; i < estimates.size(); ++i) {
      Parameter parameter;
      parameter.symbol = crossing_symbols.at(i);
      parameter.point = key_;
      parameter.quantity = i == 0 ? "ns" : "ns/B";
      parameter.origin = "messages that cross, " + short_point(key_);
      parameter.estimate = channel_.crossings.empty() ? exactly_known(0) : estimates.at(i);
      if (channel_.crossings.empty()) parameter.origin += ", not measured";
      numbers.at(symbols.size() + i) = parameters.size();
      parameters.push_back(std::move(parameter));
    }
  }

 private:
  Point key_;
  simulator::MessageChannel channel_{};
};

void add_crossings(Transport& transport, const std::vector<SeriesGroup>& groups, std::vector<Parameter>& parameters) {
  const Crossings crossings(groups, transport.key);
  if (crossings.has_empty()) {
    transport.ends.insert(transport.ends.begin(), 0);
    transport.numbers.insert(transport.numbers.begin(), transport.numbers.front());
  }
  double from = 0;
  for (std::size_t i = 0; i < transport.ends.size(); ++i) {
    crossings.add(from, transport.ends[i], transport.numbers[i], parameters);
    from = transport.ends[i] + 1;
  }
}

}  // namespace

std::vector<Transport> gather_transports(const std::vector<SeriesGroup>& groups, std::vector<Parameter>& parameters) {
  std::vector<Transport> transports;
  const auto records = loggp::derive(groups);
  const auto channels = loggp::channels_of(groups);
  for (const DerivedRecord& record : records) {
    if (record.name != loggp::to_name) continue;
    const Piece piece(records, record.group);
    if (!piece.has_latency() || piece.of(0) == nullptr || piece.find(loggp::o_s_name) == nullptr) continue;
    const Point key = record.group.without(loggp::piece_factor);
    auto transport = std::ranges::find(transports, key, &Transport::key);
    if (transport == transports.end()) transport = transports.insert(transports.end(), Transport{key});
    transport->ends.push_back(record.derived.value);
    auto& numbers = transport->numbers.emplace_back();
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      numbers[i] = parameters.size();
      parameters.push_back(parameter_at(piece, i, record.group, channels));
    }
  }
  for (Transport& transport : transports) add_crossings(transport, groups, parameters);
  return transports;
}

std::vector<collective::LogGp> log_gp(std::span<const double> numbers, std::span<const double> ends) {
  std::vector<collective::LogGp> pieces;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const auto x = numbers.subspan(i * numbers_per_piece, numbers_per_piece);
    collective::LogGp piece;
    piece.o_s = x[1];
    piece.o_r = x[2];
    piece.g = x[3];
    piece.o_s_byte = x[5];
    piece.o_r_byte = x[6];
    // Of each draw, since what makes an overhead longer makes the rest of the same round trip shorter.
    piece.L = std::max(0.0, x[0] / 2 - piece.o_s - piece.o_r);
    piece.G = std::max(0.0, x[4] / 2 - piece.o_s_byte - piece.o_r_byte);
    piece.crossing = x[7];
    piece.crossing_byte = x[8];
    piece.to = i + 1 < ends.size() ? ends[i] : std::numeric_limits<double>::infinity();
    pieces.push_back(piece);
  }
  return pieces;
}

}  // namespace assay::predict
