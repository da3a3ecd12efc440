// SPDX-License-Identifier: Apache-2.0
// The host of real campaigns: one exec'ed worker per incarnation, parked between visits, killed at its deadline.
#pragma once
#include <list>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "run/host.hpp"
#include "run/worker_link.hpp"

namespace assay {

/// The descriptions of the measurements that the plugins register, in their order, asked from probe workers with a
/// deadline of 5 s each, so that no plugin code runs in this process. Throws PluginError naming the plugin and how it
/// failed; PlatformError when no worker can be started.
std::vector<Description> describe_plugins(const std::string& program, const std::vector<std::string>& plugins);

/// Runs workers as `program worker --plugin PATH...` in process groups of their own. Each worker's stack is shifted by
/// a random multiple of 16 bytes, so that incarnations differ in layout; this and the measurement's seed are drawn from
/// the campaign's seed and the names of series, point and incarnation.
class Supervisor final : public Host {
 public:
  /// The plan is borrowed and must outlive the supervisor.
  Supervisor(const CampaignPlan& plan, std::string program);
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
  /// What the plan allows, and what memory, processes and descriptors have room for, of which at least 8.
  std::size_t capacity() const override { return capacity_; }

 private:
  struct Worker {
    IncarnationKey key;
    int members;
    WorkerLink link;
  };
  using Position = std::list<Worker>::iterator;
  Position find(const IncarnationKey& key);
  Position start(const IncarnationKey& key, int members, std::uint64_t padding);
  template <class Question>
  auto ask(Position worker, Question question);

  const CampaignPlan& plan_;
  std::string program_;
  Rng rng_;
  std::size_t capacity_;
  std::list<Worker> workers_;
};

}  // namespace assay
