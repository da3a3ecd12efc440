// SPDX-License-Identifier: Apache-2.0
// Page faults as the kernel counts them, and what it says about its pages.
#pragma once
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>

#include "api/measurement.hpp"

namespace assay {

/// Faults of the calling thread so far that needed no reading from a device.
inline std::int64_t faults_of_caller() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt;
}

inline std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

/// Bytes of a transparent huge page. Throws Unsupported where the kernel has none, or gives none on request.
inline std::size_t huge_page_size() {
  const std::string folder = "/sys/kernel/mm/transparent_hugepage/";
  std::string choice;
  std::size_t bytes = 0;
  std::getline(std::ifstream(folder + "enabled"), choice);
  std::ifstream(folder + "hpage_pmd_size") >> bytes;
  if (choice.empty() || bytes == 0) throw Unsupported("this kernel has no transparent huge pages");
  if (choice.find("[never]") != std::string::npos)
    throw Unsupported("transparent huge pages are switched off; set " + folder + "enabled say madvise");
  return bytes;
}

}  // namespace assay
