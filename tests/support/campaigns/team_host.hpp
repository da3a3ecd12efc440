// SPDX-License-Identifier: Apache-2.0
// A host whose incarnations are teams of this process, and campaigns on it, in simulated time.
#pragma once
#include <algorithm>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "api/measurement.hpp"
#include "base/rng.hpp"
#include "run/session/campaign.hpp"
#include "run/worker/opening.hpp"
#include "run/worker/visit.hpp"
#include "support/machines/fake_clock.hpp"
#include "support/records/memory_sink.hpp"
#include "team/team.hpp"

namespace assay::test {

/// Visits are those that a worker pays; the clock passes by what their batches say that they took. For measurements of
/// simulated time, so that a campaign is the same to the last digit wherever it runs.
class TeamHost final : public Host {
 public:
  /// Borrows all of them; every measurement of the plan is made by its entry in the registry.
  TeamHost(const CampaignPlan& plan, const Registry& registry, FakeClock& clock)
      : plan_(&plan), registry_(&registry), clock_(&clock) {}

  Opened open(const IncarnationKey& key) override {
    const std::string name = name_of(key, plan_->series.at(key.series));
    const OpenMessage asked = open_message(*plan_, key, Rng(plan_->seed).substream("incarnation/" + name).seed());
    TeamRequest request;
    request.point = asked.point;
    request.vehicle = asked.vehicle;
    request.members = asked.members;
    request.placement = asked.placement;
    request.seed = asked.seed;
    request.loop_copy = asked.loop_copy;
    auto team = open_team(*registry_->find(asked.measurement), request);
    team->park();
    teams_.emplace_back(key, std::move(team));
    return {1000, asked.placement.cpus, {}, 0, 0, Nanoseconds{10}, Nanoseconds{20}, Nanoseconds{5}};
  }

  VisitYield visit(const IncarnationKey& key, const VisitOrder& order) override {
    const auto found = std::ranges::find(teams_, key, [](const auto& open) -> const auto& { return open.first; });
    if (found == teams_.end()) throw std::logic_error("visited but not open");
    const Description& description = registry_->find(plan_->series.at(key.series).measurement.name)->description;
    looks_ += order.batches == 0 ? 1 : 0;
    VisitYield yield = execute_visit(*found->second, order, description, traits_at(description, key.point), [] {});
    found->second->park();
    for (const Batch& batch : yield.batches) clock_->advance(slowest_wall(batch));
    return yield;
  }

  void close(const IncarnationKey& key) override {
    teams_.remove_if([&](const auto& open) { return open.first == key; });
  }
  std::size_t capacity() const override { return 64; }
  /// Looks that no batch followed.
  int looks() const { return looks_; }

 private:
  const CampaignPlan* plan_;
  const Registry* registry_;
  FakeClock* clock_;
  std::list<std::pair<IncarnationKey, std::unique_ptr<Team>>> teams_;
  int looks_ = 0;
};

/// A campaign whose measurements are real, and nothing else.
struct SimulatedCampaign {
  SimulatedCampaign(CampaignPlan p, const Registry& registry) : plan(std::move(p)), host(plan, registry, clock) {}

  CampaignEnd run() {
    History history;
    const Surroundings world{clock,
                             host,
                             sink,
                             4,
                             [](const Progress&) {},
                             [] { return false; },
                             [this](Nanoseconds time) { clock.advance(time); }};
    return run_campaign(plan, history, world);
  }

  FakeClock clock;
  CampaignPlan plan;
  TeamHost host;
  MemorySink sink;
};

}  // namespace assay::test
