// SPDX-License-Identifier: Apache-2.0
// The host of real campaigns: one exec'ed worker per incarnation, parked between visits, killed at its deadline; and
// how many may be parked at a time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <list>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "platform/process/leftovers.hpp"
#include "run/host.hpp"
#include "run/plan.hpp"
#include "run/worker/worker_link.hpp"

namespace assay {

/// What limits the pool on this machine, now.
struct PoolLimits {
  std::size_t memory = 0;  ///< bytes available
  std::size_t threads = 0;
  std::size_t descriptors = 0;
};

/// Members of the largest team in the plan.
std::size_t largest_team(const CampaignPlan& plan);
/// A quarter of the memory at 8 MiB a worker, half of the threads at the plan's largest team with its bystander, and
/// half of the descriptors at two a worker; at least 8, but never more than the plan allows.
std::size_t pool_size(const CampaignPlan& plan, const PoolLimits& limits);
/// The same with the limits of this machine.
std::size_t pool_size(const CampaignPlan& plan);

/// One sentence for each limit that is lower than what the plan needs: CPU time against the time limit, threads
/// against the largest team.
std::vector<std::string> limit_warnings(const CampaignPlan& plan);

/// Runs workers as `program worker --plugin PATH...` in process groups of their own, which a sentinel ends should this
/// process be killed. What a worker started carries the run's tag in its environment (platform/process/leftovers.hpp).
/// Each worker's stack is shifted by a random multiple of 16 bytes, so that incarnations differ in layout; this and the
/// measurement's seed are drawn from the campaign's seed and the names of series, point and incarnation.
class Supervisor final : public Host {
 public:
  /// For the only thread of a process. The plan is borrowed and must outlive the supervisor. An interrupt ends `open`
  /// and `visit` at once, by VisitAborted; nothing else waits long.
  Supervisor(const CampaignPlan& plan, std::string program, Interrupt interrupt = {});
  /// Ends every worker, waiting one second for all of them together.
  ~Supervisor() override;
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  /// Waits for 20 times the series' warm-up and its deadline. An incarnation that is open under the key is ended first.
  Opened open(const IncarnationKey& key) override;
  /// Throws std::logic_error when the incarnation is not open.
  VisitYield visit(const IncarnationKey& key, const VisitOrder& order) override;
  /// Waits at most one second for the worker to end by itself, then kills it.
  void close(const IncarnationKey& key) override;
  /// Asks all of them to end before it waits for the first, so that none waits for another's end.
  void close_all(const std::vector<IncarnationKey>& keys) override;
  /// What the plan allows, and what memory, processes and descriptors have room for, of which at least 8.
  std::size_t capacity() const override { return capacity_; }
  /// What left a worker's process group and was found and killed; which CPUs are given up for a worker that the kernel
  /// does not let die. Points on such CPUs fail from then on.
  std::vector<std::string> notes() override { return std::exchange(notes_, {}); }
  /// By which everything that this run started can be found.
  const std::string& tag() const { return tag_; }

 private:
  struct Worker {
    IncarnationKey key;
    int members;
    std::string mark;  ///< of what it starts
    WorkerLink link;
  };
  using Position = std::list<Worker>::iterator;
  Position find(const IncarnationKey& key);
  Position start(const IncarnationKey& key, int members, std::uint64_t padding);
  void drop(Position worker);
  void refuse_lost_cpus(const IncarnationKey& key) const;
  template <class Question>
  auto ask(Position worker, Question question);

  const CampaignPlan& plan_;
  std::string program_;
  Interrupt interrupt_;
  Rng rng_;
  std::size_t capacity_;
  std::string tag_;
  std::int64_t started_ = 0;
  std::vector<std::string> notes_;
  std::set<int> lost_cpus_;  ///< of workers that could not be killed
  Sentinel sentinel_;
  std::list<Worker> workers_;
};

}  // namespace assay
