// SPDX-License-Identifier: Apache-2.0
// Levels and shared objects of local teams.
#include "team/local/local_team.hpp"

#include <algorithm>
#include <new>
#include <ranges>
#include <stdexcept>

#include "base/error.hpp"
#include "platform/thread/guard.hpp"

namespace assay {
namespace {

constexpr std::size_t chunk_size = std::size_t{1} << 20;

CpuSharing sharing_of(const TeamRequest& request) {
  // Ranks are bound by who launches them, or kept apart by the kernel where there are CPUs for all.
  if (request.part) return request.part->crowded ? CpuSharing::certain : CpuSharing::none;
  if (request.placement.bound()) return request.placement.shares_cpu() ? CpuSharing::certain : CpuSharing::none;
  if (request.members < 2) return CpuSharing::none;
  const bool too_few = binding_of_self().size() < static_cast<std::size_t>(request.members);
  return too_few ? CpuSharing::certain : CpuSharing::possible;
}

}  // namespace

LocalSetup::LocalSetup(const Description& description, const TeamRequest& request)
    : members_(request.all()),
      home_(request.placement.memory),
      vehicle_(request.vehicle),
      sharing_(sharing_of(request)),
      policy_(request.policy),
      seed_(request.seed),
      mpi_(request.part ? request.part->mpi : nullptr) {
  for (const Factor& factor : description.factors)
    levels_.emplace_back(factor.name, *level_at(description, request.point, factor.name));
  // Patterns name factors of the series' own, which only the point knows.
  if (std::ranges::none_of(description.factors, &Factor::is_pattern)) return;
  for (const auto& [name, level] : request.point.levels())
    if (std::ranges::find(description.factors, name, &Factor::name) == description.factors.end())
      levels_.emplace_back(name, level);
}

LocalSetup::~LocalSetup() {
  for (const auto& [destroy, object] : std::ranges::reverse_view(at_end_)) destroy(object);
}

const Value& LocalSetup::value(std::string_view factor) const {
  for (const auto& [name, level] : levels_)
    if (name == factor) return level;
  throw std::out_of_range("the measurement does not declare factor '" + std::string(factor) + "'");
}

void LocalSetup::seal() {
  sealed_ = true;
  if (home_ >= 0 && memory_.empty())
    throw Unsupported("the measurement shares no memory that could be placed on node " + std::to_string(home_) +
                          "; leave '@memory=' out of its placement",
                      "N11");
}

void LocalSetup::settle(SharedMemory& memory) const {
  try {
    memory.settle(home_);
  } catch (const PlatformError& error) {
    throw Unsupported("shared memory cannot be placed on node " + std::to_string(home_) + ": " + error.what() +
                          "; 'assay placements' shows the memory nodes, and a container may have to permit mbind",
                      "N11");
  }
}

void* LocalSetup::allocate(std::size_t bytes, std::size_t alignment) {
  if (vehicle_ == "mpi") throw Unsupported("members of different ranks share no memory");
  if (sealed_) throw std::logic_error("objects can be shared in a measurement's constructor only");
  if (!memory_.empty()) {
    try {
      return memory_.back()->allocate(bytes, alignment);
    } catch (const std::bad_alloc&) {  // the last chunk is used up
    }
  }
  auto chunk = std::make_unique<SharedMemory>(std::max(chunk_size, bytes + alignment));
  if (home_ >= 0) settle(*chunk);
  memory_.push_back(std::move(chunk));
  return memory_.back()->allocate(bytes, alignment);
}

}  // namespace assay
