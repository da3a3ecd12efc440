// SPDX-License-Identifier: Apache-2.0
// The replay: each rank runs until it needs a message that is not there yet, and continues when it is. Ranks share
// nothing but messages, so that the order in which they are run does not matter and no queue of events is needed.
#include "record/collective/replay.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace assay::collective {

namespace {

/// The CPU of one rank: when work that begins at a time ends.
class Processor {
 public:
  explicit Processor(RankNoise noise) : noise_(noise) {
    if (noise_.trace == nullptr || noise_.trace->detours.empty()) {
      noise_.trace = nullptr;
      return;
    }
    if (std::isfinite(noise_.trace->length))
      offset_ = std::floor(noise_.phase / noise_.trace->length) * noise_.trace->length;
    const auto& detours = noise_.trace->detours;
    next_ = static_cast<std::size_t>(
        std::partition_point(detours.begin(), detours.end(),
                             [&](const Detour& each) { return end_of(each) <= noise_.phase; }) -
        detours.begin());
    if (next_ == detours.size()) begin_again();
  }

  /// Times do not decrease from call to call.
  double after(double start, double work) {
    if (noise_.trace == nullptr) return start + work;
    double time = start + noise_.phase;
    while (next_ < noise_.trace->detours.size()) {
      const Detour& detour = noise_.trace->detours[next_];
      const double begin = offset_ + detour.start;
      if (begin >= time + work && begin > time) break;
      if (end_of(detour) > time) {
        work -= std::max(0.0, begin - time);
        time = end_of(detour);
      }
      if (++next_ == noise_.trace->detours.size()) begin_again();
    }
    return time + work - noise_.phase;
  }

 private:
  double end_of(const Detour& detour) const { return offset_ + detour.start + detour.duration; }
  void begin_again() {
    if (!std::isfinite(noise_.trace->length)) return;
    next_ = 0;
    offset_ += noise_.trace->length;
  }
  RankNoise noise_;
  std::size_t next_ = 0;
  double offset_ = 0;
};

struct Rank {
  explicit Rank(RankNoise noise) : processor(noise) {}
  Processor processor;
  double time = 0;                                            ///< of its CPU
  double can_send = 0;                                        ///< not before the gap is over
  double arrived = -std::numeric_limits<double>::infinity();  ///< the last message, by the gap of the network
  double came = -std::numeric_limits<double>::infinity();     ///< the same without it
  std::size_t next = 0;                                       ///< operation
  std::size_t stage_begin = 0;
  std::size_t waits_for = 0;  ///< the other rank's operation, counted from 1; 0: for none
  bool posted = false;        ///< the receives of the stage
  bool receives = false;      ///< there are some
};

class Replay {
 public:
  Replay(const Schedule& schedule, std::span<const LogGp> pieces, std::span<const RankNoise> noise)
      : schedule_(schedule), pieces_(pieces), when_(schedule.operations.size(), unknown) {
    ranks_.reserve(static_cast<std::size_t>(schedule.ranks));
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(schedule.ranks); ++rank) {
      ranks_.emplace_back(noise.empty() ? RankNoise{} : noise[rank]);
      ranks_.back().next = ranks_.back().stage_begin = schedule.first[rank];
    }
  }

  std::vector<double> run() {
    for (std::size_t rank = ranks_.size(); rank-- > 0;) ready_.push_back(rank);
    while (!ready_.empty()) {
      const std::size_t rank = ready_.back();
      ready_.pop_back();
      while (proceeds(rank)) {
      }
    }
    std::vector<double> times;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      if (ranks_[rank].next != schedule_.first[rank + 1] || ranks_[rank].waits_for != 0)
        throw std::logic_error("a schedule that does not end");
      times.push_back(ranks_[rank].time);
    }
    return times;
  }

 private:
  static constexpr double unknown = -1;

  const LogGp& piece(double bytes) const {
    for (const LogGp& each : pieces_)
      if (bytes <= each.to) return each;
    return pieces_.back();
  }
  const Operation& operation(std::size_t index) const { return schedule_.operations[index]; }

  void wake(std::size_t index) {
    const auto peer = static_cast<std::size_t>(operation(index).peer);
    if (ranks_[peer].waits_for != index + 1) return;
    ranks_[peer].waits_for = 0;
    ready_.push_back(peer);
  }
  /// Whether the other side's operation has its time; if not, the rank waits for it.
  bool is_known(Rank& rank, std::size_t index) {
    if (when_[index] != unknown) return true;
    rank.waits_for = index + 1;
    return false;
  }

  /// Does the next thing of the rank; false where it waits or is done.
  bool proceeds(std::size_t number) {
    Rank& rank = ranks_[number];
    const std::size_t end = schedule_.first[number + 1];
    if (rank.next == end || operation(rank.next).stage != operation(rank.stage_begin).stage) {
      if (!sends_are_done(rank)) return false;
      rank.stage_begin = rank.next;
      rank.posted = false;
      if (rank.next == end) return false;
    }
    if (!rank.posted) post(rank, end);
    switch (operation(rank.next).kind) {
      case Operation::Kind::send:
        send(rank);
        break;
      case Operation::Kind::receive:
        if (!receives(rank)) return false;
        break;
      case Operation::Kind::compute:
        rank.time = rank.processor.after(rank.time,
                                         operation(rank.next).bytes * piece(operation(rank.next).bytes).combine_byte);
        break;
    }
    ++rank.next;
    return true;
  }

  /// All receives of a stage wait from its beginning on.
  void post(Rank& rank, std::size_t end) {
    rank.posted = true;
    rank.receives = false;
    for (std::size_t i = rank.next; i < end && operation(i).stage == operation(rank.next).stage; ++i) {
      if (operation(i).kind != Operation::Kind::receive) continue;
      rank.receives = true;
      when_[i] = rank.time;
      wake(i);
    }
  }

  void send(Rank& rank) {
    const double bytes = operation(rank.next).bytes;
    const LogGp& with = piece(bytes);
    const double crossing = rank.receives ? with.crossing + bytes * with.crossing_byte : 0;
    const double overhead = with.o_s + bytes * with.o_s_byte + crossing;
    rank.time = rank.processor.after(std::max(rank.time, rank.can_send), overhead);
    rank.can_send = rank.time - overhead + with.gap(bytes);
    when_[rank.next] = rank.time;
    wake(rank.next);
  }

  /// When a message begins to be transferred, both sides being known.
  double transfer(std::size_t send, const LogGp& with) const {
    return operation(send).bytes >= with.rendezvous_from ? std::max(when_[send], when_[operation(send).match])
                                                         : when_[send];
  }

  bool receives(Rank& rank) {
    const Operation& own = operation(rank.next);
    if (!is_known(rank, own.match)) return false;
    const LogGp& with = piece(own.bytes);
    const double arrival = transfer(own.match, with) + with.L + own.bytes * with.G;
    double there = arrival;
    // One that came before the last one received was taken by the network then.
    if (arrival >= rank.came) rank.arrived = there = std::max(arrival, rank.arrived + with.gap(own.bytes));
    rank.came = std::max(rank.came, arrival);
    rank.time = rank.processor.after(std::max(rank.time, there), with.o_r + own.bytes * with.o_r_byte);
    return true;
  }

  /// Whether what was sent in the stage has left the rank's memory, which takes until then; else it waits.
  bool sends_are_done(Rank& rank) {
    double done = rank.time;
    for (std::size_t i = rank.stage_begin; i < rank.next; ++i) {
      const Operation& each = operation(i);
      if (each.kind != Operation::Kind::send) continue;
      const LogGp& with = piece(each.bytes);
      if (each.bytes < with.rendezvous_from) continue;
      if (!is_known(rank, each.match)) return false;
      done = std::max(done, transfer(i, with) + each.bytes * with.G);
    }
    rank.time = done;
    return true;
  }

  const Schedule& schedule_;
  std::span<const LogGp> pieces_;
  std::vector<double> when_;  ///< by operation: when a message left, when its receiver began to wait for it
  std::vector<Rank> ranks_;
  std::vector<std::size_t> ready_;
};

}  // namespace

NoiseTrace noise_trace(std::vector<Detour> detours, double length) {
  std::stable_sort(detours.begin(), detours.end(), [](const Detour& a, const Detour& b) { return a.start < b.start; });
  NoiseTrace trace;
  trace.length = length;
  for (Detour detour : detours) {
    detour.duration = std::min(detour.duration, length - detour.start);
    if (!(detour.duration > 0)) continue;
    if (trace.detours.empty() || trace.detours.back().start + trace.detours.back().duration < detour.start) {
      trace.detours.push_back(detour);
      continue;
    }
    Detour& last = trace.detours.back();
    last.duration = std::max(last.duration, detour.start + detour.duration - last.start);
  }
  if (!trace.detours.empty() && trace.detours.front().duration >= length)
    throw std::invalid_argument("noise that leaves no time");
  return trace;
}

std::vector<double> finish_times(const Schedule& schedule, std::span<const LogGp> pieces,
                                 std::span<const RankNoise> noise) {
  if (pieces.empty()) throw std::invalid_argument("a replay needs parameters");
  if (!noise.empty() && noise.size() != static_cast<std::size_t>(schedule.ranks))
    throw std::invalid_argument("noise is given by rank, for all or none");
  return Replay(schedule, pieces, noise).run();
}

double completion(const Schedule& schedule, std::span<const LogGp> pieces, std::span<const RankNoise> noise) {
  const auto times = finish_times(schedule, pieces, noise);
  return *std::max_element(times.begin(), times.end());
}

double completion(const Schedule& schedule, const LogGp& parameters, std::span<const RankNoise> noise) {
  return completion(schedule, std::span(&parameters, 1), noise);
}

}  // namespace assay::collective
