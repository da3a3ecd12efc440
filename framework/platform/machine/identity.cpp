// SPDX-License-Identifier: Apache-2.0
// Reads the names from the system, the variables by a list.
#include "platform/machine/identity.hpp"

#include <pwd.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace assay {

namespace {

constexpr const char* told[] = {
    // threads
    "OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES", "OMP_WAIT_POLICY", "OMP_DYNAMIC", "OMP_SCHEDULE", "OMP_STACKSIZE",
    "OMP_THREAD_LIMIT", "OMP_MAX_ACTIVE_LEVELS", "GOMP_CPU_AFFINITY", "GOMP_SPINCOUNT", "KMP_AFFINITY", "KMP_BLOCKTIME",
    // MPI
    "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_MCA_btl", "OMPI_MCA_pml", "OMPI_MCA_mtl",
    "OMPI_MCA_mpi_yield_when_idle", "MPICH_ASYNC_PROGRESS", "PMI_SIZE",
    // scheduler
    "SLURM_JOB_ID", "SLURM_JOB_NUM_NODES", "SLURM_NTASKS", "SLURM_NTASKS_PER_NODE", "SLURM_CPUS_PER_TASK",
    "SLURM_CPU_BIND", "PBS_JOBID", "PBS_NP",
    // allocator
    "MALLOC_ARENA_MAX", "MALLOC_ARENA_TEST", "MALLOC_CHECK_", "MALLOC_MMAP_MAX_", "MALLOC_MMAP_THRESHOLD_",
    "MALLOC_PERTURB_", "MALLOC_TOP_PAD_", "MALLOC_TRIM_THRESHOLD_", "GLIBC_TUNABLES"};

std::string user_name() {
  std::array<char, 16384> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) return {};
  return entry.pw_name;
}

}  // namespace

std::string host_name() {
  utsname host{};
  return ::uname(&host) == 0 ? host.nodename : "unknown";
}

std::vector<std::string> own_names() {
  std::vector<std::string> names{user_name()};
  utsname host{};
  if (::uname(&host) == 0) {
    names.emplace_back(host.nodename);
    names.push_back(names.back().substr(0, names.back().find('.')));
  }
  std::erase_if(names, [](const std::string& name) { return name.empty() || name == "root" || name == "localhost"; });
  std::ranges::stable_sort(names, [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return names;
}

std::vector<Fact> environment_facts() {
  std::vector<Fact> facts;
  for (const char* name : told)
    if (const char* value = std::getenv(name)) facts.push_back({std::string("environment.") + name, value});
  return facts;
}

}  // namespace assay
