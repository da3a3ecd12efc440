// SPDX-License-Identifier: Apache-2.0
// The groups of built-in measurements: a folder each, whose register.cpp adds them to the registry.
#pragma once
#include <string_view>

#include "api/measurement.hpp"

namespace assay {

/// A server with many clients, as a whole.
void register_chat(Registry& registry);
/// External commands as tasks.
void register_command(Registry& registry);
void register_file(Registry& registry);
/// Threads of ranks. In a process that is no rank of an MPI launch its points are unsupported, with that reason; so are
/// those of register_mpi.
void register_hybrid(Registry& registry);
/// The part of `sync` without locks: accesses to cache lines.
void register_line(Registry& registry);
/// The group, or the measurement of that name only: one protocol over all channels is much to build.
void register_logp(Registry& registry, std::string_view name = {});
void register_memory(Registry& registry);
void register_mpi(Registry& registry);
/// The part of `mpi` in which all ranks call one operation.
void register_collectives(Registry& registry);
void register_net(Registry& registry);
/// Where the program was built without OpenMP its points are unsupported, with that reason.
void register_omp(Registry& registry);
void register_os(Registry& registry);
void register_process(Registry& registry);
void register_sync(Registry& registry);
void register_synthetic(Registry& registry);
void register_thread(Registry& registry);
void register_vm(Registry& registry);

}  // namespace assay
