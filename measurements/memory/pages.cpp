// SPDX-License-Identifier: Apache-2.0
// Mappings, what is asked of the kernel about their pages, and what it says it gave.
#include "memory/pages.hpp"

#include <sys/mman.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "api/measurement.hpp"

namespace assay {
namespace {

std::size_t rounded_up(std::size_t bytes, PageKind kind) {
  if (kind != PageKind::huge) return bytes;
  return (bytes + Pages::huge_size - 1) / Pages::huge_size * Pages::huge_size;
}

std::byte* aligned(std::byte* at) {
  const auto over = reinterpret_cast<std::uintptr_t>(at) % Pages::huge_size;
  return over == 0 ? at : at + (Pages::huge_size - over);
}

}  // namespace

Pages::Pages(std::size_t bytes, PageKind kind)
    : bytes_(rounded_up(bytes, kind)), mapped_(kind == PageKind::huge ? bytes_ + huge_size : bytes_) {
  void* const mapping = ::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED)
    throw Unsupported(std::to_string(bytes) +
                      " bytes of memory are not available (ulimit -v, campaign.worker-memory); choose a smaller size");
  mapping_ = static_cast<std::byte*>(mapping);
  begin_ = kind == PageKind::huge ? aligned(mapping_) : mapping_;
  // A kernel without huge pages refuses both: there are small ones then, and a caller that needs huge ones counts them.
  if (kind != PageKind::system) ::madvise(begin_, bytes_, kind == PageKind::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}

Pages::~Pages() { ::munmap(mapping_, mapped_); }

std::size_t huge_bytes_of(const Pages& pages) {
  std::ifstream lines("/proc/self/smaps");
  if (!lines) throw Unsupported("the kernel does not report which pages are huge (/proc/self/smaps); leave 'huge' out");
  const auto first = reinterpret_cast<std::uintptr_t>(pages.begin());
  const auto last = first + pages.size();
  std::size_t bytes = 0;
  bool is_ours = false;
  for (std::string line; std::getline(lines, line);) {
    unsigned long long from = 0;
    unsigned long long to = 0;
    unsigned long long kib = 0;
    if (std::sscanf(line.c_str(), "%llx-%llx ", &from, &to) == 2)
      is_ours = from < last && to > first;
    else if (is_ours && std::sscanf(line.c_str(), "AnonHugePages: %llu kB", &kib) == 1)
      bytes += kib << 10U;
  }
  return bytes;
}

}  // namespace assay
