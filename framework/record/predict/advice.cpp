// SPDX-License-Identifier: Apache-2.0
// Candidates out of round trips, overheads and sends to sleepers at one placement.
#include "record/predict/advice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "record/shown_value.hpp"
#include "stats/fit/logp.hpp"

namespace assay::predict {

namespace {

constexpr double least_share = 0.25;  // of a regime, as tables show it
constexpr double line_bytes = 64;
// Channels whose messages carry their bytes; what the others hand over is read from memory.
constexpr std::array<std::string_view, 9> carriers{"pipe", "unix-stream", "unix-dgram", "unix-seqpacket", "tcp",
                                                   "udp",  "rpc-udp",     "rpc-tcp",    "mqueue"};

// Those that spin whatever happens; the others give up within microseconds, and sleep.
constexpr std::array<std::string_view, 4> spinners{"flag", "flag-one-line", "ring", "spinlock-ring"};
constexpr double longest_spin = 10'000;  // ns between hand-overs, after which receivers that can sleep do

bool always_spins(const std::string& channel) {
  return channel.empty() || std::ranges::find(spinners, channel) != spinners.end();
}

bool carries(const std::string& channel) { return std::ranges::find(carriers, channel) != carriers.end(); }

// Points with the numbers that they have, by what candidates have in common.
class AdviceSearch {
 public:
  AdviceSearch(const std::vector<Record>& records, const HandOver& request)
      : request_(request), groups_(group_by_series(records)) {
    for (const Record& record : records)
      if (const auto* incarnation = std::get_if<IncarnationRecord>(&record))
        cpus_.insert({{incarnation->series, to_text(incarnation->point)}, incarnation->cpus});
  }

  Advice found(const std::vector<std::string>& channels) const {
    Advice advice;
    advice.request = request_;
    Seen seen;
    each("round_trip", [&](const PointRecord& point) {
      seen.places.insert(level_text(point.point, "placement"));
      if (is_there(point)) add_trips(advice.ranked, point, seen);
    });
    each("blocked", [&](const PointRecord& point) {
      if (!is_there(point) || find_result(point, "T1", Regime::blocked) == nullptr) return;
      add_sleeper(advice.ranked, point);
      seen.measured.insert(level_text(point.point, "channel"));
    });
    for (const std::string& channel : channels)
      if (!seen.measured.contains(channel)) advice.unmeasured.push_back(channel);
    advice.places.assign(seen.places.begin(), seen.places.end());
    advice.asleep.assign(seen.asleep.begin(), seen.asleep.end());
    rank(advice.ranked);
    return advice;
  }

 private:
  // What there was beside candidates.
  struct Seen {
    std::set<std::string> places{};
    std::set<std::string> measured{};
    std::set<std::string> asleep{};
  };

  template <class Use>
  void each(const std::string& protocol, Use use) const {
    for (const SeriesGroup& group : groups_) {
      if (group.series.measurement != "logp/" + protocol && group.series.measurement != "mpi/" + protocol) continue;
      for (const PointRecord& point : group.points)
        if (is_at(point.point, {{"work", "none"}, {"stop", "lease"}, {"heartbeat", "off"}})) use(point);
    }
  }

  bool follows_closely() const { return request_.rate > 0 && 1e9 / request_.rate < longest_spin; }

  bool is_there(const PointRecord& point) const {
    if (!request_.placement.empty() && level_text(point.point, "placement") != request_.placement) return false;
    if (!request_.vehicle.empty() && level_text(point.point, "vehicle") != request_.vehicle) return false;
    if (!request_.from) return true;
    const auto range = cpus_.equal_range({point.series, to_text(point.point)});
    return std::any_of(range.first, range.second, [&](const auto& entry) {
      const std::vector<int>& cpus = entry.second;
      return cpus.size() == 2 && std::ranges::is_permutation(cpus, std::array{*request_.from, *request_.to});
    });
  }

  // The result of another protocol for the same channel, placement and size; null where there is none.
  const Result* beside(const PointRecord& like, const std::string& protocol, const char* quantity) const {
    const Result* found = nullptr;
    each(protocol, [&](const PointRecord& point) {
      const bool is_same = std::ranges::all_of(std::array{"channel", "placement", "vehicle", "bytes"}, [&](auto name) {
        return level_text(point.point, name) == level_text(like.point, name);
      });
      if (is_same && found == nullptr) found = dominant_result(point, quantity);
    });
    return found;
  }

  // Reading what is handed over from the sender's cache: line by line, as loads that depend on each other.
  double payload_time(const std::string& placement) const {
    for (const SeriesGroup& group : groups_)
      if (group.series.measurement == "sync/line")
        for (const PointRecord& point : group.points)
          if (is_at(point.point,
                    {{"operation", "load"}, {"line", "modified"}, {"holder", "other"}, {"access", "dependent"}}) &&
              (placement.empty() || level_text(point.point, "placement") == placement))
            if (const Result* result = dominant_result(point, "time"))
              return std::ceil(request_.bytes / line_bytes) * result->headline.value;
    return 0;
  }

  // On one CPU a member that was preempted by the one that it woke did not sleep: its partner has all the same.
  bool has_slept(const PointRecord& point, const Result& result) const {
    if (!is_between(result.regime)) return result.regime == Regime::blocked;
    if (result.state.spread == Spread::one_cpu) return true;
    const auto range = cpus_.equal_range({point.series, to_text(point.point)});
    return std::any_of(range.first, range.second, [](const auto& entry) {
      const std::vector<int>& cpus = entry.second;
      return cpus.size() == 2 && cpus.front() == cpus.back();
    });
  }

  void add_trips(std::vector<Candidate>& all, const PointRecord& point, Seen& seen) const {
    const std::string channel = level_text(point.point, "channel");
    for (const Result& result : point.results) {
      const bool slept = has_slept(point, result);
      if (result.quantity != "rtt" || result.regime_share < least_share) continue;
      if (is_between(result.regime) && !slept) continue;
      seen.measured.insert(channel);
      if (slept || always_spins(channel) || follows_closely())
        add(all, point, result);
      else
        seen.asleep.insert(channel);
    }
  }

  Candidate candidate(const PointRecord& point, const Result& result) const {
    Candidate one;
    one.channel = point.point.find("channel") == nullptr ? "mpi" : level_text(point.point, "channel");
    one.placement = level_text(point.point, "placement");
    one.vehicle = level_text(point.point, "vehicle");
    one.marks = marks_of(point, result);
    if (carries(one.channel) || one.channel == "mpi")
      one.measured_bytes = level_number(point.point, "bytes", 1);
    else
      one.payload = payload_time(one.placement);
    return one;
  }

  void add(std::vector<Candidate>& all, const PointRecord& point, const Result& rtt) const {
    Candidate one = candidate(point, rtt);
    one.sleeps = has_slept(point, rtt);
    one.latency = shifted(scaled(rtt.headline, 0.5), one.payload);
    if (const Result* send = beside(point, one.sleeps ? "blocked" : "overheads", one.sleeps ? "o_s[blk]" : "o_s[idle]"))
      one.send = send->headline;
    else if (const Result* issue = beside(point, "issue", "g[issue]"))
      one.send = issue->headline;
    if (one.sleeps)
      if (const Result* receive = beside(point, "blocked", "o_r[blk,cpu]")) one.receive = receive->headline;
    keep_nearest(all, std::move(one));
  }

  // To a receiver that is proved to sleep: better than half a round trip, which also contains its falling asleep.
  void add_sleeper(std::vector<Candidate>& all, const PointRecord& point) const {
    const Result& arrival = *find_result(point, "T1", Regime::blocked);
    Candidate one = candidate(point, arrival);
    one.sleeps = true;
    one.slept = level_number(point.point, "settle", 0);
    one.latency = shifted(arrival.headline, one.payload);
    if (const Result* send = dominant_result(point, "o_s[blk]")) one.send = send->headline;
    if (const Result* receive = dominant_result(point, "o_r[blk,cpu]")) one.receive = receive->headline;
    const auto takes_its_place = [&](const Candidate& other) {
      return is_alike(other, one) && other.measured_bytes == one.measured_bytes;
    };
    if (std::ranges::any_of(all,
                            [&](const Candidate& other) { return takes_its_place(other) && fits_better(other, one); }))
      return;
    std::erase_if(all, takes_its_place);
    keep_nearest(all, std::move(one));
  }

  // Whether its receiver slept more nearly as long as receivers do between hand-overs; as long as any where no rate
  // says.
  bool fits_better(const Candidate& one, const Candidate& than) const {
    if (one.slept <= 0 || than.slept <= 0) return one.slept > than.slept;
    if (request_.rate <= 0) return one.slept > than.slept;
    return factor_between(one.slept, 1e9 / request_.rate) < factor_between(than.slept, 1e9 / request_.rate);
  }

  static bool is_alike(const Candidate& a, const Candidate& b) {
    return a.channel == b.channel && a.placement == b.placement && a.vehicle == b.vehicle && a.sleeps == b.sleeps;
  }

  // Of several sizes the one that is nearest to what is handed over, by ratio.
  void keep_nearest(std::vector<Candidate>& all, Candidate one) const {
    const auto far = [&](const Candidate& of) {
      return of.measured_bytes > 0 ? std::abs(std::log(of.measured_bytes / request_.bytes)) : 0;
    };
    const auto found = std::ranges::find_if(all, [&](const Candidate& other) { return is_alike(other, one); });
    if (found == all.end())
      all.push_back(std::move(one));
    else if (far(one) < far(*found))
      *found = std::move(one);
  }

  static Estimate shifted(Estimate estimate, double by) {
    estimate.value += by;
    estimate.interval.low += by;
    estimate.interval.high += by;
    return estimate;
  }

  void rank(std::vector<Candidate>& all) const {
    for (Candidate& one : all)
      one.keeps_up = one.sender_load(request_.rate).value_or(0) <= 1 &&
                     (!one.sleeps || one.receiver_load(request_.rate).value_or(0) <= 1);
    std::ranges::stable_sort(all, [](const Candidate& a, const Candidate& b) {
      return a.keeps_up != b.keeps_up ? a.keeps_up : a.latency.value < b.latency.value;
    });
  }

  HandOver request_;
  std::vector<SeriesGroup> groups_;
  std::multimap<std::pair<std::string, std::string>, std::vector<int>> cpus_{};
};

}  // namespace

std::optional<double> Candidate::sender_load(double rate) const {
  return send ? std::optional(send->value * rate * 1e-9) : std::nullopt;
}

std::optional<double> Candidate::receiver_load(double rate) const {
  if (!sleeps) return 1;
  return receive ? std::optional(receive->value * rate * 1e-9) : std::nullopt;
}

Advice advise(const std::vector<Record>& records, const HandOver& request, const std::vector<std::string>& channels) {
  return AdviceSearch(records, request).found(channels);
}

}  // namespace assay::predict
