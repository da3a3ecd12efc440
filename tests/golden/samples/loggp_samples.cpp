// SPDX-License-Identifier: Apache-2.0
// Two channels of known lines.
#include "golden/samples/loggp_samples.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "unit/record/results.hpp"

namespace assay::test {

namespace {

// Exact lines with an interval of 1 %.
struct Law {
  double fixed;
  double per_byte;
  double at(std::int64_t bytes) const { return fixed + per_byte * static_cast<double>(bytes); }
};

class Channel {
 public:
  Channel(std::vector<Record>& records, const char* name) : records_(records), name_(name) {}

  void round_trip(std::int64_t bytes, Law law) { add("round_trip", bytes, {}, {number("rtt", law.at(bytes))}); }
  void overheads(std::int64_t bytes, Law send, Law receive) {
    add("overheads", bytes, {}, {number("o_s[idle]", send.at(bytes)), number("o_r[ready]", receive.at(bytes))});
  }
  void refused(std::int64_t bytes) {
    PointRecord record{"overheads",
                       "logp/overheads",
                       point(bytes, {}),
                       Outcome::unsupported,
                       "a message may not fit without a receiver; use a smaller one",
                       "",
                       Reps{0},
                       {}};
    records_.emplace_back(std::move(record));
  }
  // Bursts whose mean settles at 1024 messages, and their slope.
  void gap(std::int64_t bytes, Law gap, Law trip, double delay = 0) {
    const Levels delayed{{"delay", delay}};
    if (delay == 0)
      for (const std::int64_t n : {1, 512, 1024}) {
        Levels levels = delayed;
        levels.emplace_back("burst", n);
        add("burst", bytes, levels,
            {number("burst_time", trip.at(bytes) + gap.at(bytes) * static_cast<double>(n - 1))});
      }
    const double value = gap.at(bytes);
    records_.emplace_back(DerivedRecord{"burst",
                                        "g",
                                        "slope burst",
                                        point(bytes, delayed),
                                        "burst_time",
                                        Regime::spin,
                                        "ns/burst",
                                        {value, {value * 0.99, value * 1.01, 0.95}, true, ""}});
  }

 private:
  using Levels = std::vector<std::pair<std::string, Value>>;

  Point point(std::int64_t bytes, const Levels& further) const {
    Point point = point_of({{"channel", std::string(name_)}, {"bytes", bytes}});
    for (const auto& [factor, level] : further) point.set(factor, level);
    point.set("vehicle", std::string("process"));
    point.set("members", std::int64_t{2});
    point.set("placement", std::string("same-l3"));
    return point;
  }
  static Result number(const char* quantity, double value) {
    Result result = plain_result(value, 0.01);
    result.quantity = quantity;
    result.regime = Regime::spin;
    return result;
  }
  void add(const char* protocol, std::int64_t bytes, const Levels& further, std::vector<Result> results) {
    PointRecord record = finished_point(protocol, point(bytes, further), results.front());
    record.measurement = std::string("logp/") + protocol;
    record.results = std::move(results);
    records_.emplace_back(std::move(record));
  }

  std::vector<Record>& records_;
  const char* name_;
};

void add_two_protocols(std::vector<Record>& records) {
  Channel channel(records, "mpi");
  for (const std::int64_t bytes : {1, 256, 1024, 4096}) {
    channel.round_trip(bytes, {5600, 0.4});
    channel.overheads(bytes, {500, 0.05}, {300, 0.05});
    channel.gap(bytes, {800, 0.1}, {5600, 0.4});
    channel.gap(bytes, {510, 0.05}, {5600, 0.4}, 1.5);
  }
  for (const std::int64_t bytes : {4160, 8192, 16384, 65536}) {
    channel.round_trip(bytes, {10800, 0.16});
    channel.refused(bytes);
    channel.gap(bytes, {5400, 0.08}, {10800, 0.16});
    channel.gap(bytes, {3000, 0}, {10800, 0.16}, 1.5);
  }
}

}  // namespace

std::vector<Record> loggp_records() {
  std::vector<Record> records;
  records.emplace_back(CampaignRecord{"Messages", "[campaign]\nlayout = loggp\n", 42, "interleaved"});
  for (const char* protocol : {"round_trip", "overheads", "burst"})
    records.emplace_back(SeriesRecord{protocol, std::string("logp/") + protocol, {}, "median-ci(eps=0.02)"});
  add_two_protocols(records);
  Channel pipe(records, "pipe");
  for (const std::int64_t bytes : {1, 4096, 65536}) pipe.round_trip(bytes, {9000, 0.3});
  for (const std::int64_t bytes : {1, 4096}) pipe.overheads(bytes, {700, 0.06}, {650, 0.05});
  records.emplace_back(EndRecord{0, "complete", 40, 0, seconds(60)});
  return records;
}

}  // namespace assay::test
