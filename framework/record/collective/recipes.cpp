// SPDX-License-Identifier: Apache-2.0
// The algorithms of each collective operation, with their sources, and the schedule of one over all ranks.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "record/collective/rank_plan.hpp"

namespace assay::collective {

namespace {

/// What a rank's data are divided into.
enum class Parts : std::uint8_t { whole, by_rank, by_representative };

/// How many operations there are: of one rank with each other one; in rounds that double; or of each with each.
enum class Growth : std::uint8_t { star, rounds, pairs };

struct Recipe {
  Collective collective;
  Algorithm algorithm;
  Parts parts;
  Growth growth;
  void (*write)(RankPlan&);
  std::string_view source;
};

void barrier_by_tree(RankPlan& plan) {
  tree_inwards(plan, false);
  tree_outwards(plan);
}
void barrier_by_root(RankPlan& plan) {
  all_to_root(plan, false);
  root_to_all(plan);
}
void barrier_by_doubling(RankPlan& plan) { doubling_exchange(plan, false); }
void scatter_then_ring(RankPlan& plan) {
  scatter_from_root(plan);
  ring_allgather(plan, 0);
}
void reduce_by_tree(RankPlan& plan) { tree_inwards(plan, true); }
void reduce_by_root(RankPlan& plan) { all_to_root(plan, true); }
void reduce_by_halves(RankPlan& plan) { halving_reduction(plan, false); }
void allreduce_by_tree(RankPlan& plan) {
  tree_inwards(plan, true);
  tree_outwards(plan);
}
void allreduce_by_root(RankPlan& plan) {
  all_to_root(plan, true);
  root_to_all(plan);
}
void allreduce_by_doubling(RankPlan& plan) { doubling_exchange(plan, true); }
void allreduce_by_halves(RankPlan& plan) { halving_reduction(plan, true); }
void allreduce_by_ring(RankPlan& plan) {
  ring_reduce_scatter(plan);
  ring_allgather(plan, 1);
}
void gather_by_ring(RankPlan& plan) { ring_allgather(plan, 0); }

// In the order of the algorithms of a collective operation as users see it: the usual ones first.
constexpr Recipe recipes[] = {
    {Collective::barrier, Algorithm::dissemination, Parts::whole, Growth::rounds, dissemination,
     "each rank signals those 1, 2, 4, ... after it: Hensgen, Finkel and Manber, Two algorithms for barrier "
     "synchronization, 1988"},
    {Collective::barrier, Algorithm::recursive_doubling, Parts::whole, Growth::rounds, barrier_by_doubling,
     "pairs 1, 2, 4, ... apart signal each other: Thakur, Rabenseifner and Gropp, Optimization of Collective "
     "Communication Operations in MPICH, 2005"},
    {Collective::barrier, Algorithm::binomial, Parts::whole, Growth::star, barrier_by_tree,
     "a binomial tree inwards, then outwards: Mellor-Crummey and Scott, Algorithms for scalable synchronization, 1991"},
    {Collective::barrier, Algorithm::linear, Parts::whole, Growth::star, barrier_by_root,
     "all signal rank 0, which signals all"},
    {Collective::broadcast, Algorithm::binomial, Parts::whole, Growth::star, tree_outwards,
     "a binomial tree, its largest part first: Thakur, Rabenseifner and Gropp, 2005"},
    {Collective::broadcast, Algorithm::ring, Parts::by_rank, Growth::pairs, scatter_then_ring,
     "a binomial scatter, then allgather over a ring (van de Geijn): Chan, Heimlich, Purkayastha and van de Geijn, "
     "Collective communication: theory, practice, and experience, 2007"},
    {Collective::broadcast, Algorithm::linear, Parts::whole, Growth::star, root_to_all, "rank 0 sends to each"},
    {Collective::reduce, Algorithm::binomial, Parts::whole, Growth::star, reduce_by_tree,
     "a binomial tree inwards, the nearest rank first: Thakur, Rabenseifner and Gropp, 2005"},
    {Collective::reduce, Algorithm::rabenseifner, Parts::by_representative, Growth::rounds, reduce_by_halves,
     "reduce-scatter by recursive halving, then a binomial gather: Rabenseifner, Optimization of Collective Reduction "
     "Operations, 2004"},
    {Collective::reduce, Algorithm::linear, Parts::whole, Growth::star, reduce_by_root,
     "each sends to rank 0, which combines in the order of ranks"},
    {Collective::allreduce, Algorithm::recursive_doubling, Parts::whole, Growth::rounds, allreduce_by_doubling,
     "pairs 1, 2, 4, ... apart exchange the whole vector: Thakur, Rabenseifner and Gropp, 2005"},
    {Collective::allreduce, Algorithm::rabenseifner, Parts::by_representative, Growth::rounds, allreduce_by_halves,
     "reduce-scatter by recursive halving, then allgather by recursive doubling: Rabenseifner, 2004"},
    {Collective::allreduce, Algorithm::ring, Parts::by_rank, Growth::pairs, allreduce_by_ring,
     "reduce-scatter, then allgather, over a ring: Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms, 2009"},
    {Collective::allreduce, Algorithm::binomial, Parts::whole, Growth::star, allreduce_by_tree,
     "reduce over a binomial tree, then broadcast over it"},
    {Collective::allreduce, Algorithm::linear, Parts::whole, Growth::star, allreduce_by_root,
     "each sends to rank 0, which combines and sends to each"},
    {Collective::allgather, Algorithm::ring, Parts::by_rank, Growth::pairs, gather_by_ring,
     "each rank passes on what it received last: Thakur, Rabenseifner and Gropp, 2005"},
    {Collective::allgather, Algorithm::recursive_doubling, Parts::by_rank, Growth::rounds, doubling_allgather,
     "pairs 1, 2, 4, ... apart exchange all that they have: Thakur, Rabenseifner and Gropp, 2005"},
    {Collective::allgather, Algorithm::bruck, Parts::by_rank, Growth::rounds, bruck_allgather,
     "each rank sends all that it has to those 1, 2, 4, ... before it: Bruck, Ho, Kipnis, Upfal and Weathersby, 1997"},
    {Collective::allgather, Algorithm::linear, Parts::by_rank, Growth::pairs, allgather_at_once,
     "each sends to each, all at once"},
    {Collective::alltoall, Algorithm::bruck, Parts::by_rank, Growth::rounds, bruck_alltoall,
     "store and forward over the distances 1, 2, 4, ...: Bruck, Ho, Kipnis, Upfal and Weathersby, Efficient algorithms "
     "for all-to-all communications, 1997"},
    {Collective::alltoall, Algorithm::pairwise, Parts::by_rank, Growth::pairs, pairwise_alltoall,
     "in round i with the ranks i after and i before: Thakur, Rabenseifner and Gropp, 2005"},
    {Collective::alltoall, Algorithm::linear, Parts::by_rank, Growth::pairs, alltoall_at_once,
     "each sends to each, all at once"}};

const Recipe& recipe(Collective collective, Algorithm algorithm) {
  for (const Recipe& each : recipes)
    if (each.collective == collective && each.algorithm == algorithm) return each;
  throw std::invalid_argument(std::string(name(collective)) + " has no algorithm '" + std::string(name(algorithm)) +
                              "'");
}

struct Sent {
  std::int32_t source;
  std::uint32_t operation;
};

/// The sends of all ranks by their destination, in the order of sources, and where each destination's begin.
struct Sends {
  std::vector<Sent> sent;
  std::vector<std::uint32_t> begin;
};

Sends sends_by_destination(const Schedule& schedule) {
  const auto ranks = static_cast<std::size_t>(schedule.ranks);
  Sends sends{.sent = {}, .begin = std::vector<std::uint32_t>(ranks + 1, 0)};
  for (const Operation& each : schedule.operations)
    if (each.kind == Operation::Kind::send) ++sends.begin[static_cast<std::size_t>(each.peer) + 1];
  for (std::size_t rank = 0; rank < ranks; ++rank) sends.begin[rank + 1] += sends.begin[rank];
  sends.sent.resize(sends.begin[ranks]);
  std::vector<std::uint32_t> next(sends.begin.begin(), sends.begin.end() - 1);
  for (int rank = 0; rank < schedule.ranks; ++rank)
    for (const Operation& each : schedule.of(rank))
      if (each.kind == Operation::Kind::send)
        sends.sent[next[static_cast<std::size_t>(each.peer)]++] = {
            rank, static_cast<std::uint32_t>(&each - schedule.operations.data())};
  return sends;
}

/// Pairs the messages of each two ranks in their order.
void match(Schedule& schedule) {
  const Sends sends = sends_by_destination(schedule);
  auto& operations = schedule.operations;
  std::vector<Sent> received;
  for (std::size_t rank = 0; rank + 1 < schedule.first.size(); ++rank) {
    received.clear();
    for (std::size_t i = schedule.first[rank]; i < schedule.first[rank + 1]; ++i)
      if (operations[i].kind == Operation::Kind::receive)
        received.push_back({operations[i].peer, static_cast<std::uint32_t>(i)});
    std::stable_sort(received.begin(), received.end(),
                     [](const Sent& a, const Sent& b) { return a.source < b.source; });
    if (received.size() != sends.begin[rank + 1] - sends.begin[rank])
      throw std::logic_error("a message without its partner");
    for (std::size_t i = 0; i < received.size(); ++i) {
      const Sent& partner = sends.sent[sends.begin[rank] + i];
      if (partner.source != received[i].source) throw std::logic_error("a message without its partner");
      operations[received[i].operation].match = partner.operation;
      operations[partner.operation].match = received[i].operation;
    }
  }
}

int parts_of(Parts parts, int ranks) {
  return parts == Parts::whole ? 1 : parts == Parts::by_rank ? ranks : Folded(ranks).size;
}

}  // namespace

std::vector<Algorithm> algorithms(Collective collective) {
  std::vector<Algorithm> all;
  for (const Recipe& each : recipes)
    if (each.collective == collective) all.push_back(each.algorithm);
  return all;
}

std::string_view source(Collective collective, Algorithm algorithm) { return recipe(collective, algorithm).source; }

double operations_at_most(Collective collective, Algorithm algorithm, int ranks) {
  switch (recipe(collective, algorithm).growth) {
    case Growth::star:
      return 5.0 * ranks;
    case Growth::rounds:
      return ranks * (6 * std::ceil(std::log2(ranks)) + 5);
    case Growth::pairs:
      return 5.0 * ranks * ranks;
  }
  return 0;
}

Schedule make(Collective collective, Algorithm algorithm, int ranks, double bytes) {
  const Recipe& chosen = recipe(collective, algorithm);
  if (ranks < 1) throw std::invalid_argument("a schedule needs one rank at least");
  if (!(bytes >= 0)) throw std::invalid_argument("a message cannot have a negative size");
  if (operations_at_most(collective, algorithm, ranks) > static_cast<double>(most_operations))
    throw std::length_error(std::string(name(collective)) + " by '" + std::string(name(algorithm)) + "' over " +
                            std::to_string(ranks) + " ranks has too many messages for a schedule in memory");
  Schedule schedule;
  schedule.collective = collective;
  schedule.algorithm = algorithm;
  schedule.ranks = ranks;
  schedule.bytes = bytes;
  schedule.parts = parts_of(chosen.parts, ranks);
  const bool per_rank = collective == Collective::allgather || collective == Collective::alltoall;
  schedule.part_bytes = collective == Collective::barrier ? 0 : per_rank ? bytes : bytes / schedule.parts;
  schedule.first.reserve(static_cast<std::size_t>(ranks) + 1);
  schedule.first.push_back(0);
  for (int rank = 0; rank < ranks; ++rank) {
    RankPlan plan(schedule, rank);
    chosen.write(plan);
    schedule.first.push_back(schedule.operations.size());
  }
  match(schedule);
  return schedule;
}

}  // namespace assay::collective
