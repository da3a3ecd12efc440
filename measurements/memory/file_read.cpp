// SPDX-License-Identifier: Apache-2.0
// The four ways, and what the kernel counted meanwhile.
#include "memory/file_read.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "api/measurement.hpp"
#include "file/temporary.hpp"
#include "limits/limits.hpp"
#include "memory/words.hpp"

namespace assay {

namespace {

void write_words(int descriptor, std::size_t bytes) {
  constexpr std::size_t words_at_once = 16384;
  std::vector<MemoryWord> block(words_at_once);
  for (std::size_t first = 0, all = bytes / sizeof(MemoryWord); first < all;) {
    const std::size_t count = std::min(words_at_once, all - first);
    for (std::size_t i = 0; i < count; ++i) block[i] = words::pattern(first + i);
    const auto written = ::write(descriptor, block.data(), count * sizeof(MemoryWord));
    if (written <= 0 || static_cast<std::size_t>(written) % sizeof(MemoryWord) != 0)
      throw Unsupported("a file of " + std::to_string(bytes) + " bytes cannot be written in " + temporary_folder() +
                        ": " + std::strerror(errno) + "; choose a smaller size, or set TMPDIR to a folder with room");
    first += static_cast<std::size_t>(written) / sizeof(MemoryWord);
  }
}

}  // namespace

CachedFile::CachedFile(std::size_t bytes)
    : bytes_(bytes),
      descriptor_("a temporary file",
                  new_nameless_file(temporary_folder(), "set TMPDIR to a folder that can be written to")),
      path_("/proc/self/fd/" + std::to_string(descriptor_.number())) {
  write_words(number(), bytes);
  // Written back now, so that the kernel does not do so while it is read; a file system that cannot has none to do.
  ::fsync(number());
}

namespace {

std::size_t checked_size(std::size_t bytes) {
  if (bytes == 0 || bytes % bytes_of_step != 0)
    throw Unsupported("a file of " + std::to_string(bytes) + " bytes; the loops take multiples of 512");
  require_memory(bytes, bytes, "the page cache and the mapping of the file", "bytes");
  return bytes;
}

/// Page faults of this thread that needed no device; those that did mark the batch as disturbed, as does waiting for
/// one in a call.
std::int64_t faults_so_far() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt;
}

}  // namespace

FileMapping::FileMapping(int descriptor, std::size_t bytes) : bytes_(bytes) {
  void* const mapped = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
  if (mapped == MAP_FAILED)
    throw Unsupported("a file of " + std::to_string(bytes) +
                      " bytes cannot be mapped (ulimit -v, campaign.worker-memory); choose a smaller size");
  words_ = static_cast<const MemoryWord*>(mapped);
}

FileMapping::~FileMapping() { ::munmap(const_cast<MemoryWord*>(words_), bytes_); }

FileRead::FileRead(Setup& setup)
    : how_(setup.word("how")),
      file_(checked_size(setup.level<std::size_t>("size"))),
      buffer_(block / sizeof(MemoryWord)) {
  if (how_.starts_with("open") && ::access(file_.path().c_str(), R_OK) != 0)
    throw Unsupported(
        "the file is opened by the name that /proc has for its descriptor, and there is none; mount /proc");
}

Claims FileRead::run(Member& member, Reps reps) {
  sum_ = 0;
  const auto [taken, count] = passes(member, reps);
  const auto all = static_cast<MemoryWord>(reps.count + untimed_);
  if (const MemoryWord right = all * words::pattern_sum(file_.size() / sizeof(MemoryWord), 1); sum_ != right)
    throw std::logic_error("the sum of the words of the file is " + std::to_string(sum_) + " instead of " +
                           std::to_string(right));
  Claims claims(taken);
  claims.set(faults, static_cast<double>(count));
  if (taken.count > 0)
    claims.set(bandwidth, static_cast<double>(file_.size()) * static_cast<double>(reps.count) * (seconds(1) / taken));
  return claims;
}

FileRead::Passes FileRead::passes(const Member& member, Reps reps) {
  // A mapping is gone through once before it is timed, so that its pages are there; the file's own are after one pass.
  untimed_ = how_ == "mmap" || is_first_ ? 1 : 0;
  is_first_ = false;
  const auto timed = [&](auto&& pass) -> Passes {
    if (untimed_ > 0) sum_ += pass();
    const std::int64_t before = faults_so_far();
    const Nanoseconds taken = member.timed(reps, [&] { sum_ += pass(); });
    return {taken, faults_so_far() - before};
  };
  if (how_ == "read") return timed([this] { return read_again(); });
  if (how_ == "open-read") return timed([this] { return read_opened(); });
  if (how_ == "open-mmap") return timed([this] { return map_opened(); });
  const FileMapping mapping(file_.number(), file_.size());
  return timed([&] { return sum_of(mapping); });
}

MemoryWord FileRead::sum_of(const FileMapping& mapping) const {
  return words::sum<1>(mapping.words(), file_.size() / sizeof(MemoryWord));
}

MemoryWord FileRead::read_all(int descriptor) {
  MemoryWord sum = 0;
  for (std::size_t left = file_.size(); left > 0;) {
    const std::size_t wanted = left < block ? left : block;
    const auto got = ::read(descriptor, buffer_.data(), wanted);
    if (got != static_cast<ssize_t>(wanted)) throw std::logic_error("a file in the page cache was read in part");
    sum += words::sum<1>(buffer_.data(), wanted / sizeof(MemoryWord));
    left -= wanted;
  }
  return sum;
}

MemoryWord FileRead::read_again() {
  if (::lseek(file_.number(), 0, SEEK_SET) != 0) fail("going to the begin of the file");
  return read_all(file_.number());
}

MemoryWord FileRead::read_opened() {
  const OwnedDescriptor descriptor("opening the file", ::open(file_.path().c_str(), O_RDONLY | O_CLOEXEC));
  return read_all(descriptor.number());
}

MemoryWord FileRead::map_opened() {
  const OwnedDescriptor descriptor("opening the file", ::open(file_.path().c_str(), O_RDONLY | O_CLOEXEC));
  const FileMapping mapping(descriptor.number(), file_.size());
  return sum_of(mapping);
}

}  // namespace assay
