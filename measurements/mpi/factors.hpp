// SPDX-License-Identifier: Apache-2.0
// What the descriptions of measurements over ranks share.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "api/measurement.hpp"

namespace assay {

/// A factor of words; the first is the standard.
inline Factor word_factor(const char* name, const std::vector<std::string>& levels, const char* summary) {
  return {.name = name, .standard = levels.front(), .words = levels, .summary = summary};
}

inline Factor number_factor(const char* name, std::int64_t standard, const char* summary, Unit unit = Unit::count) {
  return {.name = name, .kind = FactorKind::quantitative, .unit = unit, .standard = standard, .summary = summary};
}

inline Factor message_size(std::int64_t standard = 8) {
  return number_factor("size", standard, "bytes of a message", Unit::bytes);
}

/// How many members are threads of one rank: the series' `members` are dealt to ranks of so many.
inline Factor threads_factor() { return number_factor("threads", 1, "members per rank, each a thread of it"); }

/// A rank polls, and gives its CPU up where others need it: there context switches are no disturbance.
inline Traits rank_traits() { return {.vehicles = {"mpi"}, .waiting = Waiting::polls}; }

/// A time of the member that took longest.
inline Quantity slowest_time(const char* name, const char* summary) {
  return {.name = name, .combine = Combine::slowest, .summary = summary};
}

/// What one member of a batch says of the whole batch.
inline Quantity of_batch(const char* name, Unit unit, const char* summary) {
  return {.name = name, .unit = unit, .per = Per::batch, .summary = summary};
}

/// All that Operation has; the first is the standard.
inline std::vector<std::string> collective_operations() {
  return {"barrier", "bcast",    "reduce",         "allreduce",           "gather",   "gatherv",
          "scatter", "scatterv", "allgather",      "allgatherv",          "alltoall", "alltoallv",
          "scan",    "exscan",   "reduce_scatter", "reduce_scatter_block"};
}

}  // namespace assay
