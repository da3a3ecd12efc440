// SPDX-License-Identifier: Apache-2.0
// A simulated machine whose core others share occasionally, on a fake clock.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/core_reading.hpp"
#include "base/rng.hpp"
#include "support/campaigns/fake_host.hpp"
#include "support/machines/fake_clock.hpp"

namespace assay::test {

/// What is planted.
struct Planted {
  double alone = 1;                     ///< share of the time
  Nanoseconds lasts = milliseconds(1);  ///< a stay of the neighbour or of solitude, on average
  double slower = 1.4;                  ///< what the neighbour does to the action
  double clock = 1;                     ///< over the usual one, of 10/3 GHz at 3 cycles of a step
  double odd_clock = 1;                 ///< the same in incarnations 1, 3, 5 and so on
  double second_clock = 1;              ///< over `clock`, for a part of the time
  double at_second = 0;                 ///< that part
  Nanoseconds clock_lasts = milliseconds(20);
};

/// Plants readings and times into a fake host. Borrows the clock, and belongs to the host it is planted in.
class PlantedMachine {
 public:
  PlantedMachine(const FakeClock& clock, const Planted& planted, std::uint64_t seed)
      : clock_(&clock), planted_(planted), rng_(seed), now_alone_(planted.alone > 0) {}

  void plant_in(FakeHost& host) {
    host.opened.cpus = {0};
    host.look = [this](const IncarnationKey& key) {
      return std::vector<CoreReading>{reading(is_alone(clock_->now()), clock_in(key))};
    };
    host.spoil = [this](const IncarnationKey& key, Batch& batch, Rng&) { spoil(batch, clock_in(key)); };
  }
  /// What is planted from now on.
  Planted& planted() { return planted_; }
  /// Share of the time of batches so far during which the core was alone from begin to end.
  double alone_share() const { return all_ > 0 ? alone_ / all_ : 1; }

 private:
  bool is_alone(Instant at) {
    const double passed = std::max(0.0, (at - at_).count);
    at_ = std::max(at_, at);
    if (rng_.uniform() > std::exp(-passed / planted_.lasts.count)) now_alone_ = rng_.uniform() < planted_.alone;
    return now_alone_;
  }
  double clock_in(const IncarnationKey& key) {
    const double clock = key.incarnation % 2 == 1 ? planted_.odd_clock : planted_.clock;
    if (!(planted_.at_second > 0)) return clock;
    const Instant now = clock_->now();
    if (rng_.uniform() > std::exp(-(now - clock_at_).count / planted_.clock_lasts.count))
      is_at_second_ = rng_.uniform() < planted_.at_second;
    clock_at_ = now;
    return clock * (is_at_second_ ? planted_.second_clock : 1);
  }
  CoreReading reading(bool alone, double clock) {
    return {{0.072 / clock * (alone ? 1 : 1.8) * (1 + 0.003 * rng_.normal())},
            {0.9 / clock * (1 + 0.003 * rng_.normal())}};
  }
  void spoil(Batch& batch, double clock) {
    MemberReport& report = batch.members.front();
    const bool before = is_alone(clock_->now());
    const double scale = (before ? 1 : planted_.slower) / clock;
    report.wall = report.wall * scale;
    const bool after = is_alone(clock_->now() + report.wall);
    // It came or went halfway.
    const double whole = before == after ? 1 : (1 + planted_.slower) / (2 * scale * clock);
    report.wall = report.cpu = report.wall * whole;
    report.claims = Claims(Nanoseconds{report.claims[0] * scale * whole});
    report.cpu_before = report.cpu_after = 0;
    report.core_before = reading(before, clock);
    report.core_after = reading(after, clock);
    all_ += report.wall.count;
    alone_ += before && after ? report.wall.count : 0;
  }

  const FakeClock* clock_;
  Planted planted_;
  Rng rng_;
  Instant at_{};
  Instant clock_at_{};
  bool is_at_second_ = false;
  bool now_alone_;
  double all_ = 0;
  double alone_ = 0;
};

}  // namespace assay::test
