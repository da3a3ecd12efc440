// SPDX-License-Identifier: Apache-2.0
// Names of outcomes.
#include <algorithm>
#include <array>
#include <iterator>

#include "stats/rule/stopping_rule.hpp"

namespace assay {
namespace {

/// In the order of the enumeration.
constexpr std::array<std::string_view, 15> names{
    "open",      "converged", "max-timings", "max-time", "no-promise", "bimodal",     "drift",         "resolution",
    "too-noisy", "as-found",  "aborted",     "timeout",  "failed",     "unsupported", "not-applicable"};

}  // namespace

std::string to_text(Outcome outcome) { return std::string(names.at(static_cast<std::size_t>(outcome))); }

std::optional<Outcome> parse_outcome(std::string_view text) {
  const auto* const found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) return std::nullopt;
  return static_cast<Outcome>(std::distance(names.begin(), found));
}

bool has_failed(Outcome outcome) { return outcome == Outcome::failed || outcome == Outcome::timeout; }

bool may_be_retried(Outcome outcome) { return has_failed(outcome) || outcome == Outcome::unsupported; }

bool lacks_batches(Outcome outcome) { return outcome == Outcome::too_noisy || outcome == Outcome::as_found; }

bool ran_its_course(Outcome outcome) {
  return outcome == Outcome::converged || outcome == Outcome::max_timings || outcome == Outcome::max_time ||
         outcome == Outcome::no_promise;
}

}  // namespace assay
