// SPDX-License-Identifier: Apache-2.0
// The host of real campaigns: one exec'ed worker per incarnation, parked between visits, killed at its deadline.
#pragma once
#include <cstdint>
#include <list>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "platform/process/sentinel.hpp"
#include "run/host.hpp"
#include "run/worker/worker_link.hpp"

namespace assay {

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
