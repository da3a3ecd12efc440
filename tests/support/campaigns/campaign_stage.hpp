// SPDX-License-Identifier: Apache-2.0
// A campaign with everything around it faked.
#pragma once
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "run/session/campaign.hpp"
#include "support/campaigns/fake_host.hpp"
#include "support/records/memory_sink.hpp"

namespace assay::test {

inline double at(const Point& point, const char* factor) { return number_of(point.level(factor)).value(); }

/// `each` ns per repetition with relative noise.
inline TimeLaw noisy(double each, double noise) {
  return [=](const FakeTurn& turn, Rng& rng) {
    return Nanoseconds{each * (1 + noise * rng.normal()) * static_cast<double>(turn.reps.count)};
  };
}

/// A campaign with everything around it faked.
struct Stage {
  Stage(CampaignPlan p, TimeLaw law) : plan(std::move(p)), host(plan, clock, std::move(law)) {}

  CampaignEnd run() {
    History history;
    Surroundings world{clock,
                       host,
                       sink,
                       4,
                       [this](const Progress& p) { progress.push_back(p); },
                       [this] { return stop(); },
                       [this](Nanoseconds time) { clock.advance(time); }};
    world.cycles_per_step = cycles_per_step;
    world.nodes = nodes;
    world.interruptions = [this] { return interruptions; };
    return run_campaign(plan, history, world);
  }
  std::vector<PointRecord> points() const { return sink.all<PointRecord>(); }
  PointRecord point(const std::string& text) const {
    for (const PointRecord& record : points())
      if (to_text(record.point) == text) return record;
    throw std::out_of_range("no record of point " + text);
  }
  std::vector<int> incarnations_of(const std::string& text) const {
    std::vector<int> list;
    for (const VisitRecord& visit : sink.all<VisitRecord>())
      if (to_text(visit.point) == text) list.push_back(visit.incarnation);
    return list;
  }
  /// The points visited, by round.
  std::map<int, std::vector<std::string>> rounds() const {
    std::map<int, std::vector<std::string>> list;
    for (const VisitRecord& visit : sink.all<VisitRecord>()) list[visit.round].push_back(to_text(visit.point));
    return list;
  }

  FakeClock clock;
  CampaignPlan plan;
  FakeHost host;
  MemorySink sink;
  std::vector<Progress> progress;
  int cycles_per_step = 0;
  std::vector<NodeCores> nodes;  ///< of ranks
  Interruptions interruptions;   ///< of cores
  std::function<bool()> stop = [] { return false; };
};

}  // namespace assay::test
