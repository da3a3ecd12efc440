// SPDX-License-Identifier: Apache-2.0
// The loop: generations of points, waves that fit the pool of workers, rounds of visits in random order.
#pragma once
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "base/clock.hpp"
#include "record/record.hpp"
#include "run/host.hpp"
#include "run/plan.hpp"

namespace assay {

/// What the user sees while a campaign runs.
struct Progress {
  int done = 0;
  int known = 0;  ///< points known so far; refinement adds more
  Nanoseconds elapsed{};
  Nanoseconds left{};   ///< estimate; 0 when unknown
  std::string current;  ///< series and point of the visit to come
};

/// The world around a campaign.
struct Surroundings {
  const Clock& clock;
  Host& host;
  Sink& sink;
  std::size_t usable_cpus = 1;
  std::function<void(const Progress&)> progress = [](const Progress&) {};
  std::function<bool()> stop_requested = [] { return false; };
  /// Lets time pass while no visit is due.
  std::function<void(Nanoseconds)> pause = [](Nanoseconds time) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(static_cast<std::int64_t>(time.count)));
  };
};

/// How a campaign ended.
struct CampaignEnd {
  std::string reason;  ///< "complete", "time-limit", "signal"
  int points = 0;
  int without_result = 0;  ///< failed or timed out
  /// 0 complete; 1 some points failed or timed out; 75 stopped early.
  int exit_code() const;
};

/// Measures everything the plan asks for. Throws StorageError; anything that goes wrong in a measurement becomes a
/// record.
CampaignEnd run_campaign(const CampaignPlan& plan, const Surroundings& world);

/// Every point that is known before measuring, by series, for `assay plan`.
std::vector<std::pair<const SeriesPlan*, std::vector<Point>>> planned_points(const CampaignPlan& plan);

}  // namespace assay
