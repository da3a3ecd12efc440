// SPDX-License-Identifier: Apache-2.0
// Points of vehicle "mpi": their seats, their parts, their visits.
#include "run/mpi/rank_host.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <stdexcept>

#include "base/error.hpp"
#include "base/rng.hpp"
#include "platform/clock/system_clock.hpp"
#include "platform/process/self.hpp"
#include "run/protocol/messages.hpp"
#include "run/worker/opening.hpp"
#include "run/worker/visit.hpp"
#include "run/worker/worker_clock.hpp"
#include "team/local/local_team.hpp"

namespace assay {
namespace {

// Among more members hardly ever are all alone at once: probes would cost as much as the visits.
constexpr std::size_t most_looked_at = 16;

const Entry& entry_of(const Registry& registry, const std::string& name) {
  const Entry* entry = registry.find(name);
  if (entry == nullptr) throw std::invalid_argument("measurement '" + name + "' is not registered");
  return *entry;
}

int threads_of(const SeriesPlan& series, const Point& point) {
  const Value* level = level_at(series.measurement, point, "threads");
  const auto* number = level == nullptr ? nullptr : std::get_if<std::int64_t>(level);
  return number == nullptr ? 1 : static_cast<int>(*number);
}

Start start_of(const Point& point) {
  return point.find("start") ? parse_start(point.text("start")).value_or(Start::barrier) : Start::barrier;
}

[[noreturn]] void rethrow_unsupported(const Unsupported& error) {
  throw VisitFailed(error.code().empty() ? Outcome::unsupported : Outcome::not_applicable, error.what(), error.code());
}

[[noreturn]] void leave_launch(int rank, const std::string& why) {
  std::fprintf(stderr, "assay: error: member %d: %s; the launch ends\n", rank, why.c_str());
  std::_Exit(1);
}

}  // namespace

std::vector<std::string> names_of_nodes(const RankMap& map, const std::string& home) {
  const auto is_at_home = [&](const RankInfo& rank) { return rank.node == (home.empty() ? map.front().node : home); };
  std::vector<std::string> names;
  if (std::ranges::all_of(map, is_at_home)) return names;
  for (const RankInfo& rank : map) names.push_back(rank.node);
  return names;
}

std::vector<NodeCores> cores_of_nodes(const RankMap& map) {
  std::map<std::string, NodeCores> nodes;
  std::map<std::string, std::set<int>> cycles;
  for (const RankInfo& rank : map) {
    const auto node = nodes.try_emplace(rank.node, NodeCores{rank.node, 0, rank.one_thread_per_core}).first;
    node->second.one_thread = node->second.one_thread && rank.one_thread_per_core;
    // Who was held up found nothing.
    if (rank.cycles_per_step > 0) cycles[rank.node].insert(rank.cycles_per_step);
  }
  std::vector<NodeCores> found;
  for (auto& [name, node] : nodes) {
    if (cycles[name].size() == 1) node.cycles_per_step = *cycles[name].begin();
    found.push_back(node);
  }
  return found;
}

PartMaker part_maker(const Registry& registry) {
  return [&registry](const std::string& what, const TeamPart& part) {
    const auto request = decode_request(what).request;
    const auto& open = std::get<OpenMessage>(request);
    const WorkerClock clock = measure_clock(open.counter_clock);
    const auto members = static_cast<int>(part.members.size());
    TeamRequest team{open.point,      open.vehicle, members,       {},   open.policy,   open.bystander,
                     clock.stopwatch, open.seed,    &leave_launch, part, open.loop_copy};
    return prepare_local_team(entry_of(registry, open.measurement), team, &thread_crew);
  };
}

std::list<RankHost::Standing>::iterator RankHost::find(const IncarnationKey& key) {
  return std::ranges::find(standing_, key, &Standing::key);
}

void RankHost::announce(Nanoseconds most) {
  alive_(most);
  teams_.expect_within(most);
}

Opened RankHost::open(const IncarnationKey& key) {
  close(key);
  const SeriesPlan& series = plan_.series.at(key.series);
  if (const std::string vehicle = vehicle_of(series, key.point); vehicle != "mpi")
    throw VisitFailed(Outcome::unsupported, "members of vehicle " + vehicle +
                                                " would have the threads of an MPI library beside them; run the file "
                                                "without a launcher for them");
  announce(20 * series.precision.warm_up + series.precision.deadline);
  try {
    standing_.push_front({key, series.measurement, traits_at(series.measurement, key.point), nullptr});
    return bring_up(standing_.front(), series);
  } catch (const Unsupported& error) {
    close(key);
    rethrow_unsupported(error);
  } catch (const std::runtime_error& error) {
    close(key);
    throw VisitFailed(Outcome::failed, error.what());
  }
}

Opened RankHost::bring_up(Standing& standing, const SeriesPlan& series) {
  const Point& point = standing.key.point;
  const std::string placement = point.find("placement") ? point.text("placement") : "unbound";
  const RankSeats seats = seats_for(teams_.map(), placement, members_of(series, point), threads_of(series, point));
  if (!seats.why_not.empty()) throw Unsupported(seats.why_not, "N11");
  if (is_crowded(teams_.map(), seats.seats) && crowded_.insert(series.name).second)
    notes_.push_back("series " + series.name + ": " + std::to_string(seats.seats.size()) +
                     " members on fewer CPUs of a node: a polling member there waits for whole time slices (G-SHARE)");
  Rng rng = Rng(plan_.seed).substream("incarnation/" + name_of(standing.key, series));
  OpenMessage message = open_message(plan_, standing.key, rng.next());
  message.placement = {};
  standing.team =
      teams_.open({seats.seats, encode(Request(message), 1), start_of(point), standing.traits.compares_stamps});
  for (const RankSeat& seat : seats.seats)
    if (!nodes_.empty()) standing.nodes.push_back(nodes_.at(static_cast<std::size_t>(seat.rank)));
  const WorkerClock clock = measure_clock(plan_.counter_clock);
  const WarmUp warm =
      warm_up(*standing.team, standing.measurement, standing.traits, series.precision.warm_up, MonotonicClock());
  standing.team->park();
  take_notes(standing);
  Opened opened{
      own_pid(), {}, warm.time, warm.reps, 0, clock.facts.step, clock.facts.read_cost, clock.facts.cost_spread};
  opened.loop_copy = message.loop_copy;
  opened.is_crowded = is_crowded(teams_.map(), seats.seats);
  // Their clocks would be looked at after each.
  const bool needs_clock = start_of(point) == Start::window || standing.traits.compares_stamps;
  opened.is_looked_at = seats.seats.size() <= most_looked_at && !needs_clock;
  return opened;
}

VisitYield RankHost::visit(const IncarnationKey& key, const VisitOrder& order) {
  const auto standing = find(key);
  if (standing == standing_.end()) throw std::logic_error("visit to an incarnation that is not open");
  announce(order.deadline);
  try {
    VisitYield yield = execute_visit(*standing->team, order, standing->measurement, standing->traits);
    yield.nodes = standing->nodes;
    standing->team->park();
    take_notes(*standing);
    if (const auto& look = standing->team->clock_look()) yield.clock = VisitClock{look->bound, look->refusal};
    return yield;
  } catch (const Unsupported& error) {
    close(key);
    rethrow_unsupported(error);
  } catch (const std::runtime_error& error) {
    close(key);
    throw VisitFailed(Outcome::failed, error.what());
  }
}

void RankHost::take_notes(Standing& standing) {
  for (const std::string& note : standing.team->notes())
    if (told_.insert(note).second) notes_.push_back(note);
}

void RankHost::close(const IncarnationKey& key) {
  if (const auto standing = find(key); standing != standing_.end()) standing_.erase(standing);
}

}  // namespace assay
