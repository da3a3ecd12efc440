// SPDX-License-Identifier: Apache-2.0
// Ping-pong with the nearest or the farthest of many ranks: SKaMPI's point-to-point pattern.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "api/mpi.hpp"
#include "mpi/message.hpp"
#include "mpi/progress.hpp"
#include "mpi/seating.hpp"

namespace assay {

/// When the team comes together, member 0 exchanges small messages with each of the others; the one with the shortest
/// of all round trips is the nearest, the one whose own shortest is the longest the farthest. That is how SKaMPI chose;
/// a map of nodes would not distinguish ranks of one node, nor switches. The chosen one's rank is a result,
/// since another launch may choose another. Ranks that were not chosen sleep.
class MpiPartner final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  enum Index : std::size_t { time, chosen };

  explicit MpiPartner(Setup& setup)
      : place_(mpi_place(setup)),
        progress_(place_),
        nearest_(setup.word("partner") == "nearest"),
        out_(setup.level<std::size_t>("size")),
        in_(setup.level<std::size_t>("size")) {
    require_ranks(place_);
  }

  void enter(Member& member) override {
    std::vector<double> shortest;
    for (int rank = 1; rank < place_.ranks(); ++rank) {
      if (place_.rank == 0) shortest.push_back(shortest_to(rank, member.stopwatch()));
      if (place_.rank == rank) answer();
    }
    if (place_.rank == 0) {
      const auto found = nearest_ ? std::ranges::min_element(shortest) : std::ranges::max_element(shortest);
      partner_ = static_cast<int>(found - shortest.begin()) + 1;
    }
    partner_ = static_cast<int>(progress_.from_root(partner_, 0, place_.communicator));
  }

  Claims run(Member& member, Reps reps) override {
    Claims claims;
    if (place_.rank == 0) {
      exchange_first();
      claims = Claims(member.timed(reps, [&] { exchange_first(); })).set(chosen, partner_);
    } else if (place_.rank == partner_) {
      for (std::int64_t i = 0; i <= reps.count; ++i) exchange_second();
    }
    require_all_right(std::exchange(wrong_, 0));
    return claims;
  }

 private:
  static constexpr int tag = 1;
  static constexpr int trials = 64;

  double shortest_to(int rank, const Stopwatch& watch) const {
    double shortest = std::numeric_limits<double>::max();
    for (int i = 0; i < trials; ++i) {
      const std::int64_t from = watch.start();
      progress_.tell(rank, tag, place_.communicator);
      progress_.hear(rank, tag, place_.communicator);
      shortest = std::min(shortest, watch.between(from, watch.stop()).count);
    }
    return shortest;
  }
  void answer() const {
    for (int i = 0; i < trials; ++i) {
      progress_.hear(0, tag, place_.communicator);
      progress_.tell(0, tag, place_.communicator);
    }
  }

  void exchange_first() {
    out_.number(++number_);
    progress_.send(out_.data(), out_.size(), partner_, tag, place_.communicator);
    progress_.receive(in_.data(), in_.size(), partner_, tag, place_.communicator);
    wrong_ += in_.is(number_) ? 0 : 1;
  }
  void exchange_second() {
    progress_.receive(in_.data(), in_.size(), 0, tag, place_.communicator);
    wrong_ += in_.is(++number_) ? 0 : 1;
    out_.number(number_);
    progress_.send(out_.data(), out_.size(), 0, tag, place_.communicator);
  }

  const MpiPlace& place_;
  MpiProgress progress_;
  bool nearest_;
  Message out_;
  Message in_;
  int partner_ = 0;
  std::int64_t number_ = 0;
  std::int64_t wrong_ = 0;
};

}  // namespace assay
