// SPDX-License-Identifier: Apache-2.0
// Schedules as texts in GOAL, the language of LogGOPSim.
#pragma once
#include <iosfwd>

#include "record/collective/schedule.hpp"

namespace assay::collective {

/// The schedule in GOAL (Hoefler, Siebert and Lumsdaine, Group Operation Assembly Language, 2009), as LogGOPSim's
/// txt2bin reads it. An operation requires all of the stage before it, and a send the one before it in its stage, so
/// that both programs send in the same order. Sizes are whole bytes, at least 1, since LogGOPSim subtracts 1.
/// `combine_byte`: of computations, ns per byte.
void write_goal(std::ostream& out, const Schedule& schedule, double combine_byte = 0);

}  // namespace assay::collective
