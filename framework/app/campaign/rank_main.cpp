// SPDX-License-Identifier: Apache-2.0
// A session that goes on, one launch long.
#include "app/campaign/rank_main.hpp"

#include <utility>

#include "app/campaign/resume_campaign.hpp"
#include "app/campaign/scheduler.hpp"
#include "platform/clock/interruptions.hpp"
#include "platform/clock/system_clock.hpp"
#include "platform/clock/yardstick.hpp"
#include "platform/machine/cgroup.hpp"
#include "platform/machine/machine.hpp"
#include "platform/process/termination_signals.hpp"
#include "platform/procfs/kernel_observers.hpp"
#include "run/mpi/shard.hpp"
#include "run/session/campaign.hpp"

namespace assay {

namespace {

// Points of the session that are finished, for those who count failures.
std::vector<PointRecord> finished_in(const std::string& directory, int session) {
  std::vector<PointRecord> finished;
  const auto wanted = [](const RecordHead& head) { return head.type == "session" || head.type == "point"; };
  bool is_now = false;
  scan_journal(directory, wanted, [&](Record record) {
    if (const auto* one = std::get_if<SessionRecord>(&record)) is_now = one->session == session;
    auto* point = std::get_if<PointRecord>(&record);
    if (point == nullptr || !is_now) return;
    point->results.clear();
    finished.push_back(std::move(*point));
  });
  return finished;
}

CampaignPlan plan_of(const std::string& directory, const WrittenOrder& written, const Catalogue& catalogue,
                     const Topology& topology) {
  auto plan = stored_plan(written.configuration, order_path(directory, written.order.launch), {}, catalogue, topology);
  plan.output = directory;
  plan.time_limit = written.order.time_limit;
  for (SeriesPlan& series : plan.series)
    for (const auto& [name, build] : written.builds)
      if (name == series.name) series.build = build;
  return plan;
}

}  // namespace

void measure_in_launch(const std::string& directory, int launch, const Catalogue& catalogue, const RankSide& side) {
  TerminationSignals signals;
  const MonotonicClock clock;
  const auto topology = Topology::this_machine();
  const WrittenOrder written = read_order(directory, launch);
  const CampaignPlan plan = plan_of(directory, written, catalogue, topology);
  KeptResults keeping = written.order.keeping;
  keeping.before = written.order.session;
  Continuation continuation(plan, keeping);
  History history = replayed(directory, continuation, scope_of(plan, false));
  const LaunchPlace place{launch, written.order.elapsed, finished_in(directory, written.order.session)};
  Journal shard(shard_directory(directory, launch), clock, {plan.durability, false});
  shard.write(LaunchRecord{written.order.session, launch, side.ranks, {}, 0});
  const auto alive = [&](Nanoseconds within) { shard.write(AliveRecord{within}); };
  const auto host = side.host(plan, alive, written.node);
  const ClockFacts clock_at_start = monotonic_clock_facts();
  const SystemCounters counters(topology.usable(), own_cgroups());
  InterruptionWatch interruptions(clock, [&] { return interruptions_of(topology.usable()); });
  Surroundings world{clock, *host, shard, topology.usable().size()};
  world.progress = [&](const Progress&) { shard.sync_if_due(); };
  world.stop_requested = [&] { return signals.finish_requested(); };
  world.tick = scheduler_tick();
  world.interruptions = [&] { return interruptions.latest(); };
  world.execute = run_shell;
  world.look = [&](const std::vector<int>& cpus) { return counters.read(cpus); };
  world.cycles_per_step = cycles_per_chain_step();
  world.one_thread_per_core = one_thread_per_core();
  world.is_virtual_machine = is_virtual_machine();
  world.observed_by = [] { return to_text(kernel_observers()); };
  world.nodes = side.nodes;
  world.check_clock = [&] { return clock_change(clock_at_start, monotonic_clock_facts()); };
  world.launch = &place;
  run_launch(plan, history, world, continuation, written.order);
}

}  // namespace assay
