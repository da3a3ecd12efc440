// SPDX-License-Identifier: Apache-2.0
// The names of regimes and disturbances in files, and claims combined over members.
#include "base/batch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace assay {

namespace {

constexpr std::array<std::string_view, 5> regimes = {"solo", "spin", "blocked", "mixed", "preempted"};
constexpr std::array<std::string_view, 4> spreads = {"unknown", "one-cpu", "own-cpus", "varied"};
constexpr std::array<std::string_view, disturbance_count> disturbances = {
    "switched", "migrated", "stolen", "clock", "partner", "fault", "throttled", "asleep", "speed", "late"};

// Enumerators count from 0 without gaps, in the order of their names.
template <class Enumeration, std::size_t size>
std::optional<Enumeration> parse(const std::array<std::string_view, size>& names, std::string_view text) {
  const auto at = std::find(names.begin(), names.end(), text);
  if (at == names.end()) return std::nullopt;
  return static_cast<Enumeration>(at - names.begin());
}

double combined(const std::vector<double>& claims, Combine how) {
  const double sum = std::accumulate(claims.begin(), claims.end(), 0.0);
  switch (how) {
    case Combine::slowest:
      return *std::max_element(claims.begin(), claims.end());
    case Combine::fastest:
      return *std::min_element(claims.begin(), claims.end());
    case Combine::mean:
      return sum / static_cast<double>(claims.size());
    case Combine::only:
    case Combine::sum:
      break;
  }
  return sum;
}

}  // namespace

Nanoseconds slowest_wall(const Batch& batch) {
  Nanoseconds slowest{};
  for (const MemberReport& report : batch.members) slowest = std::max(slowest, report.wall);
  return slowest;
}

bool counts(const Quantity& quantity, std::size_t rank) {
  return quantity.combine != Combine::only || rank == static_cast<std::size_t>(quantity.claimant);
}

std::optional<double> combined_claims(const Batch& batch, const Quantity& quantity, std::size_t index) {
  std::vector<double> claims;
  for (std::size_t rank = 0; rank < batch.members.size(); ++rank) {
    if (!counts(quantity, rank)) continue;
    const Claims& claimed = batch.members[rank].claims;
    if (!claimed.has(index) || !std::isfinite(claimed[index])) return std::nullopt;
    claims.push_back(claimed[index]);
  }
  if (claims.empty()) return std::nullopt;
  return combined(claims, quantity.combine);
}

std::string to_text(Regime regime) { return std::string(regimes.at(static_cast<std::size_t>(regime))); }

std::optional<Regime> parse_regime(std::string_view text) { return parse<Regime>(regimes, text); }

std::string to_text(Spread spread) { return std::string(spreads.at(static_cast<std::size_t>(spread))); }

std::optional<Spread> parse_spread(std::string_view text) { return parse<Spread>(spreads, text); }

std::string to_text(Disturbance cause) { return std::string(disturbances.at(static_cast<std::size_t>(cause))); }

std::string to_text(const DisturbanceCounts& counts) {
  std::string text;
  for (std::size_t cause = 0; cause < counts.size(); ++cause)
    if (counts.at(cause) > 0)
      text += (text.empty() ? "" : ", ") + std::string(disturbances.at(cause)) + " " + std::to_string(counts.at(cause));
  return text;
}

std::optional<Disturbance> parse_disturbance(std::string_view text) { return parse<Disturbance>(disturbances, text); }

}  // namespace assay
