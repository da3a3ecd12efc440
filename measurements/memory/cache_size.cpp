// SPDX-License-Identifier: Apache-2.0
// Caches as the kernel lists them, and sizes that follow.
#include "memory/cache_size.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "api/measurement.hpp"

namespace assay {
namespace {

constexpr std::size_t mebi = std::size_t{1} << 20U;
constexpr std::size_t least_range = 64 * mebi;
constexpr std::size_t range_without_cache = 256 * mebi;
constexpr std::size_t times_outer = 4;
constexpr std::size_t least_times_outer = 2;

// "512K", "32M" or "1G".
std::size_t bytes_of(std::istream& text) {
  std::size_t number = 0;
  char unit = ' ';
  if (!(text >> number)) return 0;
  text >> unit;
  const std::size_t shift = unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0;
  return number << shift;
}

}  // namespace

std::size_t outer_cache(const std::string& folder) {
  std::size_t largest = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    std::string type;
    std::ifstream(entry.path() / "type") >> type;
    if (type != "Data" && type != "Unified") continue;
    std::ifstream size(entry.path() / "size");
    largest = std::max(largest, bytes_of(size));
  }
  return largest;
}

ChainWarmUp warm_up_of(std::size_t places, std::size_t outer) {
  constexpr std::size_t places_without_cache = std::size_t{1} << 20U;
  constexpr std::size_t most_places = std::size_t{1} << 22U;
  const std::size_t reach = outer == 0 ? places_without_cache : std::min(most_places, 2 * outer / cache_line);
  return places <= reach ? ChainWarmUp::round : ChainWarmUp::pages;
}

std::size_t main_memory_range(std::size_t outer, std::size_t stride, std::size_t available) {
  const std::size_t spread = std::max<std::size_t>(1, stride / cache_line);  // of the range's lines, one has a place
  const auto range_of = [&](std::size_t times) { return std::max(least_range, times * outer * spread); };
  const std::size_t wanted = outer == 0 ? range_without_cache : range_of(times_outer);
  const std::size_t least = range_of(least_times_outer);
  const std::size_t most = available / 4;
  if (most < least)
    throw Unsupported("a range of " + std::to_string(least / mebi) +
                      " MiB, whose lines take twice the outer cache of " + std::to_string(outer / mebi) +
                      " MiB, in a quarter of the memory that is available, which is " + std::to_string(most / mebi) +
                      " MiB; free memory, or choose a size with memory/latency");
  const std::size_t range = std::min(wanted, most);
  return range - range % stride;
}

}  // namespace assay
