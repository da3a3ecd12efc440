// SPDX-License-Identifier: Apache-2.0
// The names of regimes and disturbances in files.
#include "base/batch.hpp"

#include <algorithm>
#include <array>

namespace assay {

namespace {

constexpr std::array<std::string_view, 4> regimes = {"solo", "spin", "blocked", "mixed"};
constexpr std::array<std::string_view, disturbance_count> disturbances = {
    "switched", "migrated", "stolen", "clock", "partner", "fault", "throttled", "asleep", "speed", "late"};

// Enumerators count from 0 without gaps, in the order of their names.
template <class Enumeration, std::size_t size>
std::optional<Enumeration> parse(const std::array<std::string_view, size>& names, std::string_view text) {
  const auto at = std::find(names.begin(), names.end(), text);
  if (at == names.end()) return std::nullopt;
  return static_cast<Enumeration>(at - names.begin());
}

}  // namespace

std::string to_text(Regime regime) { return std::string(regimes.at(static_cast<std::size_t>(regime))); }

std::optional<Regime> parse_regime(std::string_view text) { return parse<Regime>(regimes, text); }

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
