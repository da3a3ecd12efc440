// SPDX-License-Identifier: Apache-2.0
// Calls each group's registration function: the only list of built-in measurements.
#include "catalog.hpp"

#include "groups.hpp"
#include "mpi/kinds.hpp"

namespace assay {

namespace {

struct Group {
  std::string_view prefix;  ///< of its measurements' names
  void (*add)(Registry&);
};

constexpr Group groups[] = {
    {"sync/", register_sync},     {"thread/", register_thread},   {"omp/", register_omp},
    {"mpi/", register_mpi},       {"mpi/", register_mpi_logp},    {"hybrid/", register_hybrid},
    {"os/", register_os},         {"process/", register_process}, {"file/", register_file},
    {"vm/", register_vm},         {"chat/", register_chat},       {"net/", register_net},
    {"memory/", register_memory}, {"command/", register_command}, {"synthetic", register_synthetic}};

}  // namespace

void register_all(Registry& registry, std::string_view name) {
  register_logp(registry, name);
  for (const Group& group : groups)
    if (name.empty() || name.starts_with(group.prefix)) group.add(registry);
}

}  // namespace assay
