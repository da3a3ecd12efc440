// SPDX-License-Identifier: Apache-2.0
// Levels and shared objects of local teams.
#include "team/local_setup.hpp"

#include <algorithm>
#include <new>
#include <ranges>
#include <stdexcept>

namespace assay {
namespace {

constexpr std::size_t chunk_size = std::size_t{1} << 20;

}  // namespace

LocalSetup::LocalSetup(const Description& description, const TeamRequest& request)
    : members_(request.members), vehicle_(request.vehicle), seed_(request.seed) {
  for (const Factor& factor : description.factors)
    levels_.emplace_back(factor.name, *level_at(description, request.point, factor.name));
}

LocalSetup::~LocalSetup() {
  for (const auto& [destroy, object] : std::ranges::reverse_view(at_end_)) destroy(object);
}

const Value& LocalSetup::value(std::string_view factor) const {
  for (const auto& [name, level] : levels_)
    if (name == factor) return level;
  throw std::out_of_range("the measurement does not declare factor '" + std::string(factor) + "'");
}

void* LocalSetup::allocate(std::size_t bytes, std::size_t alignment) {
  if (sealed_) throw std::logic_error("objects can be shared in a measurement's constructor only");
  if (!memory_.empty()) {
    try {
      return memory_.back()->allocate(bytes, alignment);
    } catch (const std::bad_alloc&) {  // the last chunk is used up
    }
  }
  memory_.push_back(std::make_unique<SharedMemory>(std::max(chunk_size, bytes + alignment)));
  return memory_.back()->allocate(bytes, alignment);
}

}  // namespace assay
