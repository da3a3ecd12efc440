// SPDX-License-Identifier: Apache-2.0
// The host of real campaigns: one exec'ed worker per incarnation, parked between visits, killed at its deadline.
#pragma once
#include <list>
#include <string>

#include "base/rng.hpp"
#include "platform/process.hpp"
#include "run/host.hpp"
#include "run/messages.hpp"

namespace assay {

/// The descriptions of the measurements that the plugins register, asked from a probe worker with a deadline of 5 s, so
/// that no plugin code runs in this process. Throws PluginError naming the plugin and how it failed.
std::vector<Description> describe_plugins(const std::string& program, const std::vector<std::string>& plugins);

/// Runs workers as `program worker --plugin PATH...` in process groups of their own.
class Supervisor final : public Host {
 public:
  /// The plan is borrowed and must outlive the supervisor.
  Supervisor(const CampaignPlan& plan, std::string program);

  Opened open(const IncarnationKey& key) override;
  VisitYield visit(const IncarnationKey& key, const VisitOrder& order) override;
  void close(const IncarnationKey& key) override;
  std::size_t capacity() const override { return capacity_; }

 private:
  struct Worker {
    IncarnationKey key;
    ChildProcess process;
  };
  std::list<Worker>::iterator find(const IncarnationKey& key);
  Reply converse(std::list<Worker>::iterator worker, const std::string& line, Nanoseconds deadline);

  const CampaignPlan& plan_;
  std::string program_;
  Rng rng_;
  std::size_t capacity_;
  std::list<Worker> workers_;
};

}  // namespace assay
