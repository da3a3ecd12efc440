// SPDX-License-Identifier: Apache-2.0
// The outer cache that the system states, and what follows from its size: how long a chain is that lies in main memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace assay {

/// Bytes of the largest cache for data of the first CPU, as the kernel states them in `folder`; 0 where it does not.
std::size_t outer_cache(const std::string& folder = "/sys/devices/system/cpu/cpu0/cache");

/// How a chain is brought back after others had the caches.
enum class ChainWarmUp : std::uint8_t {
  round,  ///< by going round once: what a cache holds of it is there again
  pages,  ///< by a load in each page: translations are there again, and all else comes from memory anyway
};

/// One place in each line, or in every `stride` bytes where that is longer, takes a line of a cache.
inline constexpr std::size_t cache_line = 64;

/// `round` for a chain whose lines take up to twice the outer cache: of a longer one a cache holds next to nothing when
/// a place is due again. Where the outer cache is not known (0), up to 2^20 places; and 2^22 in any case, which take
/// longer than a visit.
ChainWarmUp warm_up_of(std::size_t places, std::size_t outer);

/// Bytes of a range, a multiple of the stride and of 64 MiB at least, whose lines at this stride take four times the
/// outer cache, or as many as fit into a quarter of the `available` bytes; 256 MiB where the outer cache is not known.
/// Throws Unsupported where a quarter does not hold twice the outer cache, or 64 MiB.
std::size_t main_memory_range(std::size_t outer, std::size_t stride, std::size_t available);

}  // namespace assay
