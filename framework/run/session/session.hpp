// SPDX-License-Identifier: Apache-2.0
// Room: the loop: which point is visited next, until when, with which checks in between.
// One session of a campaign: generations of points, waves that fit the pool of workers, rounds of visits in
// random order.
#pragma once
#include "run/session/surroundings.hpp"

namespace assay {

/// Measures every point once. Throws StorageError; anything that goes wrong in a measurement becomes a record.
CampaignEnd run_session(const SessionOrder& order, const Surroundings& world);

}  // namespace assay
