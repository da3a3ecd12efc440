// SPDX-License-Identifier: Apache-2.0
// What a measurement is built from where all members run on this machine.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/measurement.hpp"
#include "platform/thread/shared_memory.hpp"
#include "team/team.hpp"

namespace assay {

/// Levels from the request, shared objects from mappings that threads and forked members see at the same address, on
/// the memory node that the request's placement names; where that is not possible, sharing throws Unsupported (N11).
class LocalSetup final : public Setup {
 public:
  LocalSetup(const Description& description, const TeamRequest& request);
  /// Destroys the shared objects in reverse order; the measurement that uses them has to be gone.
  ~LocalSetup() override;
  LocalSetup(const LocalSetup&) = delete;
  LocalSetup& operator=(const LocalSetup&) = delete;

  int members() const override { return members_; }
  std::string_view vehicle() const override { return vehicle_; }
  CpuSharing cpu_sharing() const override { return sharing_; }
  std::string_view policy() const override { return policy_; }
  const Value& value(std::string_view factor) const override;
  std::uint64_t seed() const override { return seed_; }
  const MpiPlace* mpi() const override { return mpi_; }
  /// From now on nothing can be shared. Throws Unsupported (N11) when a home was asked for and nothing is at home
  /// there.
  void seal();

 protected:
  void* allocate(std::size_t bytes, std::size_t alignment) override;
  void at_end(void (*destroy)(void*), void* object) override { at_end_.emplace_back(destroy, object); }

 private:
  void settle(SharedMemory& memory) const;

  int members_;
  int home_;  ///< memory node; -1: wherever pages are first touched
  std::string vehicle_;
  CpuSharing sharing_;
  std::string policy_;
  std::uint64_t seed_;
  const MpiPlace* mpi_;
  std::vector<std::pair<std::string, Value>> levels_;
  std::vector<std::unique_ptr<SharedMemory>> memory_;
  std::vector<std::pair<void (*)(void*), void*>> at_end_;
  bool sealed_ = false;
};

}  // namespace assay
