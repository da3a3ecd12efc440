// SPDX-License-Identifier: Apache-2.0
// Memory that is mapped, touched here and there, and unmapped.
#pragma once
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "api/measurement.hpp"
#include "base/rng.hpp"
#include "file/temporary.hpp"
#include "limits/limits.hpp"
#include "vm/faults.hpp"
#include "work/around.hpp"

namespace assay {

/// What is mapped: a file in the page cache, read; or memory without pages yet, written to, of small pages or huge.
enum class MappedKind : std::uint8_t { file, anonymous, huge };

/// Where a mapping is touched: every `stride` bytes, in an order drawn from the seed. Of huge pages at both ends: the
/// second touch is no further fault where the page is huge indeed.
inline std::vector<std::size_t> touched_offsets(std::size_t bytes, std::size_t stride, bool both_ends,
                                                std::uint64_t seed) {
  std::vector<std::size_t> offsets;
  for (std::size_t at = 0; at < bytes; at += stride) offsets.push_back(at);
  offsets = Rng(seed).shuffled(std::move(offsets));
  if (!both_ends) return offsets;
  std::vector<std::size_t> twice;
  for (const std::size_t at : offsets) twice.insert(twice.end(), {at, at + stride - 1});
  return twice;
}

/// Page faults, after lat_pagefault (lmbench 3; McVoy and Staelin, 1996): a repetition maps memory, touches it and
/// unmaps it. The same without touching lies between its halves and is subtracted. The faults are those that the kernel
/// counts: around a fault of a file it maps pages in the cache, 64 KiB of them as a rule.
class PageFaults final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t fault = 0, touch = 1, touched = 2, untouched = 3, faults = 4;

  /// Throws Unsupported where there is no such memory, or not enough.
  explicit PageFaults(Setup& setup)
      : kind_(kind_of(setup.word("kind"))),
        bytes_(setup.level<std::size_t>("size")),
        stride_(setup.level<std::size_t>("stride")) {
    if (kind_ == MappedKind::huge) huge_ = stride_ = huge_page_size();
    if (stride_ < 1 || bytes_ < stride_)
      throw Unsupported("a mapping of " + std::to_string(bytes_) + " bytes cannot be touched every " +
                        std::to_string(stride_) + " bytes; choose a larger size or a smaller stride of 1 or more");
    bytes_ -= bytes_ % stride_;
    require_memory(bytes_ + huge_, bytes_, "mappings of " + std::to_string(bytes_) + " bytes", "bytes");
    if (kind_ == MappedKind::file) file_.emplace(directory_of(setup), bytes_, setup.level<std::size_t>("piece"));
    offsets_ = touched_offsets(bytes_, stride_, kind_ == MappedKind::huge, setup.seed());
    const std::size_t places = bytes_ / stride_;
    places_ = static_cast<double>(places);
  }

  Claims run(Member& member, Reps reps) override {
    const std::int64_t before = faults_of_caller();
    const auto pass = [](volatile char* at) { keep(at); };
    const AroundTimes times =
        kind_ == MappedKind::file
            ? timed_around(
                  member, reps, [&] { once([](volatile char* at) { keep(static_cast<char>(*at)); }); },
                  [&] { once(pass); })
            : timed_around(
                  member, reps, [&] { once([](volatile char* at) { *at = 1; }); }, [&] { once(pass); });
    const auto counted = static_cast<double>(faults_of_caller() - before);
    audit(counted, static_cast<double>(reps.count));
    return Claims(times.net() * (static_cast<double>(reps.count) / counted))
        .set(touch, times.net() / places_)
        .set(touched, times.whole)
        .set(untouched, times.base)
        .set(faults, counted / places_);
  }

 private:
  static MappedKind kind_of(const std::string& word) {
    if (word == "huge") return MappedKind::huge;
    return word == "file" ? MappedKind::file : MappedKind::anonymous;
  }
  template <class Visit>
  void once(Visit visit) {
    char* const memory = map();
    char* const start = aligned(memory);
    for (const std::size_t at : offsets_) visit(start + at);
    ::munmap(memory, bytes_ + huge_);
  }
  char* map() {
    const bool is_file = kind_ == MappedKind::file;
    void* const memory =
        ::mmap(nullptr, bytes_ + huge_, is_file ? PROT_READ : PROT_READ | PROT_WRITE,
               is_file ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, is_file ? file_->descriptor() : -1, 0);
    if (memory == MAP_FAILED) fail("mapping memory");
    if (!is_file) ::madvise(memory, bytes_ + huge_, huge_ != 0 ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    return static_cast<char*>(memory);
  }
  char* aligned(char* memory) const {
    if (huge_ == 0) return memory;
    const auto beyond = reinterpret_cast<std::uintptr_t>(memory) % huge_;
    return beyond == 0 ? memory : memory + (huge_ - beyond);
  }
  /// A fault or two of the member's own may be among those of small pages.
  void audit(double counted, double reps) const {
    if (counted < reps)
      throw Unsupported("the kernel counts " + std::to_string(static_cast<long>(counted)) + " page faults for " +
                        std::to_string(static_cast<long>(places_ * reps)) + " touches; choose another level of `kind`");
    if (huge_ != 0 && counted > 1.01 * places_ * reps + 8)
      throw Unsupported(
          "the kernel gave small pages in place of some huge ones: memory is in pieces; free some, or "
          "choose fewer bytes");
  }

  MappedKind kind_;
  std::size_t bytes_, stride_;
  std::size_t huge_ = 0;  // their size, where pages are huge
  std::optional<NamelessFile> file_;
  std::vector<std::size_t> offsets_;
  double places_ = 0;
};

}  // namespace assay
