// SPDX-License-Identifier: Apache-2.0
// Claims are looked at one by one, in the order of batches and members.
#include "run/point/invalid_result.hpp"

#include <cmath>
#include <span>

#include "base/value.hpp"
#include "team/batch_classifier.hpp"

namespace assay {
namespace {

constexpr Nanoseconds longest_claim = seconds(1e9);  // thirty years: what no batch can have taken

bool is_possible(const Quantity& quantity, double claim) {
  return std::isfinite(claim) && (quantity.unit != Unit::nanoseconds || std::abs(claim) <= longest_claim.count);
}

bool is_negative(const Quantity& quantity, double claim) {
  const double slack = quantity.unit == Unit::nanoseconds ? GuardLimits{}.clock_slack.count : 0;
  return !quantity.is_signed && claim < -slack;
}

std::string claim_text(const Batch& batch, std::size_t rank, const Quantity& quantity, double claim) {
  const std::string value = std::isfinite(claim) ? to_text(claim) : std::isnan(claim) ? "nan" : "infinity";
  return "member " + std::to_string(rank) + " claimed " + value + " " + symbol(quantity.unit) + " of '" +
         quantity.name + "' for " + std::to_string(batch.reps.count) + " repetitions";
}

/// What is wrong whatever the other batches say.
std::string fault_of(const Batch& batch, std::size_t rank, const Description& description) {
  const Claims& claims = batch.members[rank].claims;
  for (std::size_t q = 0; q < max_quantities; ++q) {
    if (!claims.has(q)) continue;
    if (q >= description.quantities.size())
      return "member " + std::to_string(rank) + " claimed quantity " + std::to_string(q + 1) + " of " +
             std::to_string(description.quantities.size());
    if (!is_possible(description.quantities[q], claims[q]))
      return claim_text(batch, rank, description.quantities[q], claims[q]);
  }
  return {};
}

/// The first negative claim of a quantity without a sign in a batch; empty when there is none.
std::string negative_claim(const Batch& batch, std::size_t q, const Description& description) {
  const Quantity& quantity = description.quantities[q];
  for (std::size_t rank = 0; rank < batch.members.size(); ++rank) {
    const Claims& claims = batch.members[rank].claims;
    if (counts(quantity, rank) && claims.has(q) && is_negative(quantity, claims[q]))
      return claim_text(batch, rank, quantity, claims[q]);
  }
  return {};
}

/// The first negative claim of a quantity, when every batch has one.
std::string always_negative(std::span<const Batch> batches, std::size_t q, const Description& description) {
  std::string first;
  for (const Batch& batch : batches) {
    std::string claim = negative_claim(batch, q, description);
    if (claim.empty()) return {};
    if (first.empty()) first = std::move(claim);
  }
  return first;
}

}  // namespace

std::string invalid_result(const VisitYield& yield, const Description& description) {
  for (const Batch& batch : yield.batches)
    for (std::size_t rank = 0; rank < batch.members.size(); ++rank)
      if (std::string fault = fault_of(batch, rank, description); !fault.empty()) return fault;
  const auto kept = std::span(yield.batches).subspan(static_cast<std::size_t>(yield.discarded));
  for (std::size_t q = 0; q < description.quantities.size(); ++q)
    if (std::string claim = always_negative(kept, q, description); !claim.empty()) return claim;
  return {};
}

}  // namespace assay
