// SPDX-License-Identifier: Apache-2.0
// The measurements of group `mpi`.
#pragma once
#include "api/measurement.hpp"

namespace assay {

/// Adds the group to the registry. In a process that is no rank of an MPI launch its points are unsupported and say so.
void register_mpi(Registry& registry);
/// Its part in which all ranks call one operation.
void register_collectives(Registry& registry);

}  // namespace assay
