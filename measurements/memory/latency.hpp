// SPDX-License-Identifier: Apache-2.0
// How long a load takes that needs the one before, over a range of memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "memory/chain.hpp"

namespace assay {

/// Loads along a chain. After lat_mem_rd of lmbench (McVoy and Staelin, 1996), with orders that no prefetcher
/// foresees besides its own.
class MemoryLatency final : public Measurement {
 public:
  /// Chains with more places are not gone round before a visit: by then no cache holds enough of them to matter.
  static constexpr std::size_t most_warmed = std::size_t{1} << 20U;

  static std::vector<std::string> orders() { return {"random", "paged", "forward", "backward"}; }

  /// Throws Unsupported for a stride that is no multiple of 16 bytes or no part of the size, for more than 2^32 places,
  /// where there is no room, and where huge pages were asked for and not all pages are.
  explicit MemoryLatency(Setup& setup);
  /// The chain is built and gone round by the member that uses it. Throws std::logic_error where it is not a cycle
  /// through all places.
  void enter(Member&) override;
  /// Throws std::logic_error unless the loads ended where they should.
  Claims run(Member& member, Reps reps) override;
  void rest(Member&) override { is_cold_ = true; }

 private:
  std::size_t bytes_;
  std::size_t stride_;
  ChainOrder order_;
  PageKind kind_;
  std::uint64_t seed_;
  std::unique_ptr<PointerChain> chain_;
  bool is_cold_ = false;  ///< others may have used the caches since
};

}  // namespace assay
