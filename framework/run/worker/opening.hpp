// SPDX-License-Identifier: Apache-2.0
// What an incarnation of a point is opened with, by supervisor or rank 0.
#pragma once
#include <cstdint>
#include <string>

#include "run/host.hpp"
#include "run/plan.hpp"
#include "run/protocol/messages.hpp"

namespace assay {

/// "SERIES/POINT/INCARNATION": names it in messages and seeds its generator.
std::string name_of(const IncarnationKey& key, const SeriesPlan& series);
/// Which copy of each timed loop an incarnation runs: a point's incarnations take all of them, in a random order that
/// follows from the campaign's seed, before one comes again.
int loop_copy_of(const CampaignPlan& plan, const IncarnationKey& key);
/// The request that opens an incarnation.
OpenMessage open_message(const CampaignPlan& plan, const IncarnationKey& key, std::uint64_t seed);

}  // namespace assay
