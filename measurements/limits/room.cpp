// SPDX-License-Identifier: Apache-2.0
// Sentences about what there is no room for.
#include "limits/room.hpp"

#include "api/measurement.hpp"
#include "limits/usage.hpp"

namespace assay {
namespace {

std::string mebibytes(std::size_t bytes) {
  return std::to_string((bytes + (std::size_t{1} << 20U) - 1) >> 20U) + " MiB";
}

std::string advice(const std::string& raise, const std::string& smaller) {
  return "; raise it (" + raise + "), or choose fewer " + smaller;
}

}  // namespace

void require_descriptors(std::size_t needed, const std::string& who, const std::string& smaller) {
  const Usage usage = descriptor_usage();
  if (needed <= usage.left()) return;
  throw Unsupported(who + " need " + std::to_string(needed) + " descriptors, and this process may have " +
                    std::to_string(usage.limit) + " (ulimit -n), " + std::to_string(usage.used) + " of them in use" +
                    advice("ulimit -n " + std::to_string(usage.used + needed), smaller));
}

void require_threads(std::size_t needed, const std::string& who, const std::string& smaller) {
  const Usage usage = thread_usage();
  if (needed <= usage.left()) return;
  throw Unsupported(who + " need " + std::to_string(needed) + " threads, and this user may have " +
                    std::to_string(usage.limit) + " processes and threads (ulimit -u), " + std::to_string(usage.used) +
                    " of them in use" + advice("ulimit -u " + std::to_string(usage.used + needed), smaller));
}

void require_memory(std::size_t needed, std::size_t touched, const std::string& who, const std::string& smaller) {
  const Usage space = address_usage();
  if (needed > space.left())
    throw Unsupported(who + " need " + mebibytes(needed) + " of address space, and this process may have " +
                      mebibytes(space.limit) + " (ulimit -v, campaign.worker-memory), " + mebibytes(space.used) +
                      " of them in use" + advice("ulimit -v " + std::to_string((space.used + needed) >> 10U), smaller));
  if (const std::size_t left = memory_left(); touched > left)
    throw Unsupported(who + " need " + mebibytes(touched) + " of memory, and the system has " + mebibytes(left) +
                      " left (MemAvailable); choose fewer " + smaller);
}

}  // namespace assay
