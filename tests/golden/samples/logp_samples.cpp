// SPDX-License-Identifier: Apache-2.0
// The records behind the golden files of the layout `logp`.
#include "golden/samples/logp_samples.hpp"

#include <string>
#include <utility>

#include "unit/record/results.hpp"

namespace assay::test {

namespace {

constexpr const char* apart = "same-l3";
constexpr const char* shared = "same-pu";

// Builds the points of one channel.
class Primitive {
 public:
  Primitive(std::vector<Record>& records, const char* channel, const char* placement)
      : records_(records), channel_(channel), placement_(placement) {}

  Point point(const std::vector<std::pair<std::string, Value>>& further = {}) const {
    Point point = point_of({{"channel", std::string(channel_)}, {"bytes", std::int64_t{1}}});
    for (const auto& [factor, level] : further) point.set(factor, level);
    point.set("vehicle", std::string("thread"));
    point.set("members", std::int64_t{2});
    point.set("placement", std::string(placement_));
    return point;
  }

  Primitive& results(const char* protocol, std::vector<Result> results) {
    const bool is_blocked = std::string(protocol) == "blocked";
    PointRecord record = finished_point(
        protocol, is_blocked ? point({{"settle", std::int64_t{30000}}, {"proof", std::string("syscall")}}) : point(),
        results.front());
    record.measurement = std::string("logp/") + protocol;
    record.results = std::move(results);
    records_.emplace_back(std::move(record));
    return *this;
  }

  Primitive& refused(const char* protocol, const char* code, const char* reason) {
    records_.emplace_back(PointRecord{
        protocol, std::string("logp/") + protocol, point(), Outcome::not_applicable, reason, code, Reps{0}, {}});
    return *this;
  }

  // A slope over bursts, without or with delays.
  Primitive& slope(std::int64_t delay, double value, double half, Regime regime = Regime::spin) {
    records_.emplace_back(DerivedRecord{"burst",
                                        delay > 0 ? "o_s[prtt]" : "g[flood]",
                                        "slope burst",
                                        point({{"delay", delay}}),
                                        "burst_time",
                                        regime,
                                        "ns/burst",
                                        {value, {value - half, value + half, 0.95}, true, ""}});
    return *this;
  }

 private:
  std::vector<Record>& records_;
  const char* channel_;
  const char* placement_;
};

Result number(const char* quantity, double value, double half, Regime regime, double share = 1) {
  Result result = plain_result(value, half / value);
  result.quantity = quantity;
  result.regime = regime;
  result.regime_share = share;
  result.headline.interval = {value - half, value + half, 0.95};
  result.term = Term::short_term;
  return result;
}

Result share_of(double value) {
  Result result = number("proved", value, 0.01, Regime::blocked);
  result.unit = Unit::ratio;
  return result;
}

Result unfinished(Result result) {
  result.verdict.outcome = Outcome::max_time;
  result.verdict.reason = "half-width 8 % > 5 % after 3 s";
  return result;
}

void add_series(std::vector<Record>& records, const char* protocol) {
  records.emplace_back(SeriesRecord{protocol, std::string("logp/") + protocol, {}, "median-ci(eps=0.05)"});
}

void add_pollers(std::vector<Record>& records) {
  Primitive(records, "ring", apart)
      .results("round_trip", {number("rtt", 393, 4, Regime::spin)})
      .results("overheads",
               {number("o_s[idle]", 3.04, 0.02, Regime::spin), number("o_r[ready]", 2.98, 0.02, Regime::spin)})
      .results("issue", {number("g[issue]", 2.9, 0.1, Regime::spin), number("o_s[drain]", 19.9, 0.2, Regime::spin)})
      .results("one_way", {number("T1", 195, 3, Regime::spin), number("D", 191, 3, Regime::spin),
                           number("T1[back]", 197, 3, Regime::spin)})
      .refused("blocked", "N7", "the receiver polls and never sleeps")
      .slope(0, 0.7, 0.1);
  Primitive(records, "flag", apart)
      .results("round_trip", {unfinished(number("rtt", 98, 8, Regime::spin))})
      .refused("overheads", "N2", "pending messages merge: there is no rate of them")
      .results("issue", {number("g[issue]", 0.402, 0.004, Regime::spin), number("o_s[drain]", 19.9, 0.2, Regime::spin)})
      .refused("blocked", "N7", "the receiver polls and never sleeps");
  Primitive(records, "flag", shared)
      .refused("round_trip", "N1", "members spin and share a CPU")
      .refused("overheads", "N1", "members spin and share a CPU");
}

void add_sleepers(std::vector<Record>& records) {
  Primitive(records, "futex", apart)
      .results("round_trip",
               {number("rtt", 26010, 700, Regime::blocked, 0.66), number("rtt", 252, 6, Regime::spin, 0.34)})
      .results("overheads", {number("o_s[idle]", 227, 2, Regime::spin), number("o_r[ready]", 2.4, 0.1, Regime::spin)})
      .results("blocked", {number("o_s[blk]", 7650, 90, Regime::blocked), number("T1", 11020, 150, Regime::blocked),
                           number("D", 3370, 180, Regime::blocked), number("o_r[blk,cpu]", 4210, 60, Regime::blocked),
                           share_of(0.98)})
      .slope(0, 228, 3)
      .slope(2, 7480, 100, Regime::blocked);
  Primitive(records, "sem", apart)
      .results("round_trip", {number("rtt", 21000, 9000, Regime::blocked)})
      .results("overheads", {number("o_s[idle]", 5.0, 0.1, Regime::spin), number("o_r[ready]", 4.1, 0.1, Regime::spin)})
      .results("blocked",
               {number("o_s[blk]", 7610, 90, Regime::blocked), number("T1", 7700, 150, Regime::blocked),
                number("D", 60, 90, Regime::blocked), number("o_r[blk,cpu]", 3900, 60, Regime::blocked), share_of(1)})
      .slope(0, 5.1, 0.2)
      .slope(2, 230, 10, Regime::blocked);
  Primitive(records, "futex", shared)
      .results("round_trip", {number("rtt", 4819, 20, Regime::blocked)})
      .refused("blocked", "N3", "waking the receiver preempts the sender under policy other")
      .results("one_way", {number("T1", 2574, 20, Regime::blocked), number("D", -1950, 40, Regime::blocked),
                           number("T1[back]", 2580, 20, Regime::blocked)});
}

}  // namespace

std::vector<Record> logp_records() {
  std::vector<Record> records;
  records.emplace_back(CampaignRecord{"LogP on two cores", "[campaign]\nlayout = logp\n", 42, "interleaved"});
  for (const char* protocol : {"round_trip", "overheads", "issue", "blocked", "one_way"}) add_series(records, protocol);
  records.emplace_back(SeriesRecord{"burst", "logp/burst", {}, "median-ci(eps=0.05)"});
  records.emplace_back(SeriesRecord{"mutex", "sync/lock", {}, "median-ci(eps=0.05)"});
  add_pollers(records);
  add_sleepers(records);
  PointRecord lock = finished_point("mutex", point_of({{"lock", std::string("mutex")}}), plain_result(5.7, 0.01));
  lock.measurement = "sync/lock";
  records.emplace_back(lock);
  records.emplace_back(EndRecord{0, "complete", 16, 0, seconds(60)});
  return records;
}

}  // namespace assay::test
