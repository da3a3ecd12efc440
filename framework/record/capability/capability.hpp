// SPDX-License-Identifier: Apache-2.0
// Room: the capability model of cache lines, fitted to what was measured of accesses to them.
// Parameters of the model, and where it misses.
#pragma once
#include <vector>

#include "record/grouping.hpp"

namespace assay::capability {

/// Names of the records. An access that depends on the one before takes R + E + I: what it takes to read the line from
/// where it is (Ramos and Hoefler, Modeling Communication in Cache-Coherent SMP Systems, HPDC 2013), what the operation
/// takes beyond a load (Schweizer, Besta and Hoefler, PACT 2015), and what it takes to invalidate the copies of k
/// others where the member has the line, too.
inline constexpr const char* local_name = "R_local";
inline constexpr const char* remote_name = "R_remote";      ///< by `placement`, and `distance` where there are several
inline constexpr const char* memory_name = "R_memory";      ///< by `placement`, where that names a memory node
inline constexpr const char* operation_name = "E";          ///< by `operation`; of a load 0
inline constexpr const char* invalidation_name = "I";       ///< by `placement`, `sharers` and `distance`, likewise
inline constexpr const char* contention_name = "c";         ///< time per operation of k members to that of one
inline constexpr const char* misfit_name = "misfit";        ///< of the whole model (stats/fit/line_fit.hpp)
inline constexpr const char* fit_name = "fit-to-measured";  ///< by point; not valid where the model misses it

/// A model misses a point by more than this share of it, where the interval of the point excludes the model's value.
inline constexpr double tolerated = 0.1;

/// The records of every model: one for each combination of levels that is not in the model, such as the vehicle.
std::vector<DerivedRecord> derive(const std::vector<SeriesGroup>& groups);

}  // namespace assay::capability
