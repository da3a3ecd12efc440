// SPDX-License-Identifier: Apache-2.0
// A Setup for constructing one measurement in a test, without a team.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/measurement.hpp"
#include "base/point.hpp"

namespace assay::test {

/// Levels from a point; shared objects on the heap.
class PointSetup final : public Setup {
 public:
  PointSetup(Point point, int members, std::string vehicle = "thread", std::uint64_t seed = 1)
      : point_(std::move(point)), members_(members), vehicle_(std::move(vehicle)), seed_(seed) {}
  ~PointSetup() override {
    for (auto object = objects_.rbegin(); object != objects_.rend(); ++object) object->first(object->second);
    for (const auto& [block, alignment] : blocks_) ::operator delete(block, std::align_val_t{alignment});
  }
  PointSetup(const PointSetup&) = delete;
  PointSetup& operator=(const PointSetup&) = delete;

  int members() const override { return members_; }
  std::string_view vehicle() const override { return vehicle_; }
  CpuSharing cpu_sharing() const override { return sharing; }
  std::string_view policy() const override { return "inherited"; }
  const Value& value(std::string_view factor) const override { return point_.level(factor); }
  std::uint64_t seed() const override { return seed_; }

  CpuSharing sharing = CpuSharing::none;

 protected:
  void* allocate(std::size_t bytes, std::size_t alignment) override {
    blocks_.emplace_back(::operator new(bytes, std::align_val_t{alignment}), alignment);
    return blocks_.back().first;
  }
  void at_end(void (*destroy)(void*), void* object) override { objects_.emplace_back(destroy, object); }

 private:
  Point point_;
  int members_;
  std::string vehicle_;
  std::uint64_t seed_;
  std::vector<std::pair<void (*)(void*), void*>> objects_;
  std::vector<std::pair<void*, std::size_t>> blocks_;
};

}  // namespace assay::test
