// SPDX-License-Identifier: Apache-2.0
// Which series need the records of their finished points in memory: those over whose points something is computed.
#pragma once
#include "run/plan.hpp"

namespace assay {

/// True for a series that is refined, has derived values, has several placements of one class, which are compared, or
/// is in a campaign whose layout computes values over series. Of the others a finished point leaves nothing but its
/// record in the journal.
bool keeps_records(const CampaignPlan& plan, const SeriesPlan& series);

}  // namespace assay
