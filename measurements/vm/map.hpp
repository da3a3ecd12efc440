// SPDX-License-Identifier: Apache-2.0
// Mapping a file and unmapping it; changing what may be done with memory.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "api/measurement.hpp"
#include "file/temporary.hpp"
#include "limits/limits.hpp"
#include "vm/faults.hpp"

namespace assay {

/// A file mapped shared, one byte stored every 16 KiB in its first tenth, and unmapped: lat_mmap (lmbench; McVoy and
/// Staelin, 1996). The pages are in the page cache.
class MapFile final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t time = 0, faults = 1;

  /// Throws Unsupported where there is no such file, or no memory for it.
  explicit MapFile(Setup& setup)
      : bytes_(checked_size(setup)), file_(directory_of(setup), bytes_, setup.level<std::size_t>("piece")) {}

  Claims run(Member& member, Reps reps) override {
    const std::int64_t before = faults_of_caller();
    const Nanoseconds taken = member.timed(reps, [this] { once(); });
    const std::int64_t counted = faults_of_caller() - before;
    if (counted < reps.count) throw std::logic_error("a mapping was touched without a page fault");
    return Claims(taken).set(faults, static_cast<double>(counted));
  }

 private:
  static constexpr std::size_t stride = 16384;
  static std::size_t checked_size(const Setup& setup) {
    const auto bytes = setup.level<std::size_t>("size");
    if (bytes < 10) throw Unsupported("a tenth of " + std::to_string(bytes) + " bytes is 0; use size = 10 or more");
    require_memory(bytes, bytes, "a file of " + std::to_string(bytes) + " bytes in memory", "bytes");
    return bytes;
  }
  void once() const {
    void* const memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file_.descriptor(), 0);
    if (memory == MAP_FAILED) fail("mapping a file");
    auto* const bytes = static_cast<volatile char*>(memory);
    for (std::size_t at = 0; at < bytes_ / 10; at += stride) bytes[at] = 1;
    ::munmap(memory, bytes_);
  }

  std::size_t bytes_;
  NamelessFile file_;
};

/// Changing the protection of memory: to read-only, and back.
class Protect final : public Measurement {
 public:
  /// Throws Unsupported where there is not as much memory.
  explicit Protect(Setup& setup) : bytes_(setup.level<std::size_t>("size")) {
    if (bytes_ < 1) throw Unsupported("no memory is requested; use size = 1 or more");
    require_memory(bytes_, bytes_, "a mapping of " + std::to_string(bytes_) + " bytes", "bytes");
    void* const memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) fail("mapping memory");
    memory_ = static_cast<char*>(memory);
    ::madvise(memory, bytes_, MADV_NOHUGEPAGE);
    for (std::size_t at = 0; at < bytes_; at += page_size()) static_cast<volatile char*>(memory_)[at] = 1;
  }
  ~Protect() override { ::munmap(memory_, bytes_); }

  Claims run(Member& member, Reps reps) override {
    int wrong = 0;
    const Nanoseconds taken = member.timed(reps, [&] {
      wrong |= ::mprotect(memory_, bytes_, PROT_READ);
      wrong |= ::mprotect(memory_, bytes_, PROT_READ | PROT_WRITE);
    });
    if (wrong != 0) throw std::logic_error("the protection of memory could not be changed");
    return taken;
  }

 private:
  std::size_t bytes_;
  char* memory_ = nullptr;
};

}  // namespace assay
