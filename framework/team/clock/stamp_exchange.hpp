// SPDX-License-Identifier: Apache-2.0
// Exchanges of stamps between two ranks: one asks, the other answers until the last one is announced.
#pragma once
#include <vector>

#include "stats/clock/clock_fit.hpp"
#include "team/wire/wire.hpp"

namespace assay {

/// Asks a rank for a reading of its own clock, so many times; the other side is in answer_stamps().
std::vector<Stamps> exchange_stamps(Wire& wire, int with, int count);
/// Tells the other side that there will be no more questions.
void end_exchange(Wire& wire, int with);
/// Answers each question with a reading of this rank's clock, until the other side ends it.
void answer_stamps(Wire& wire, int with);

}  // namespace assay
