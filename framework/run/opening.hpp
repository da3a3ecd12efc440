// SPDX-License-Identifier: Apache-2.0
// What an incarnation of a point is opened with, whoever opens it.
#pragma once
#include <cstdint>
#include <string>

#include "run/host.hpp"
#include "run/messages.hpp"
#include "run/plan.hpp"

namespace assay {

/// "SERIES/POINT/INCARNATION": names it in messages and seeds its generator.
std::string name_of(const IncarnationKey& key, const SeriesPlan& series);
/// The request that opens a point.
OpenMessage open_message(const CampaignPlan& plan, const SeriesPlan& series, const Point& point, std::uint64_t seed);

}  // namespace assay
