// SPDX-License-Identifier: Apache-2.0
// Operations submitted to io_uring and waited for: what one costs, alone or with others in one system call.
#pragma once
#include <fcntl.h>
#include <linux/io_uring.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "api/measurement.hpp"
#include "channel/descriptor.hpp"

namespace assay {

/// Memory that the kernel shares for a ring.
class RingMemory {
 public:
  /// Throws std::system_error.
  RingMemory(int ring, std::uint64_t offset, std::size_t bytes);
  RingMemory(const RingMemory&) = delete;
  RingMemory& operator=(const RingMemory&) = delete;
  ~RingMemory();
  template <class T>
  T* at(std::uint32_t offset) const {
    return reinterpret_cast<T*>(memory_ + offset);
  }

 private:
  std::size_t bytes_;
  std::byte* memory_;
};

/// One ring of submissions and its completions. A single thread uses it: fills entries, submits them and waits for as
/// many completions with one call, and looks at these.
class IoRing {
 public:
  /// Throws Unsupported with the reason where the kernel has no io_uring, forbids it or has no room for it.
  explicit IoRing(unsigned entries);

  /// The next entry of those that are submitted together, all zero.
  io_uring_sqe& next();
  /// Submits what was filled and waits for as many completions. Returns how many completions are there.
  unsigned submit_and_wait();
  /// The oldest completion's result, which is then taken off: what the operation's system call would return, or the
  /// negative of an error's number.
  std::int32_t take_result();

 private:
  io_uring_params params_{};
  OwnedDescriptor ring_;
  std::unique_ptr<RingMemory> submissions_;
  std::unique_ptr<RingMemory> completions_;
  std::unique_ptr<RingMemory> entries_;
  unsigned filled_ = 0;
};

/// `depth` operations are submitted and waited for by one io_uring_enter; each completion's result is looked at. What
/// is read is /dev/zero, or the program's own file, which is in memory since it runs: no disk is waited for. Where the
/// file system cannot say that it will not wait, the kernel hands the read to a thread of its own.
class IoUring final : public Measurement {
 public:
  explicit IoUring(Setup& setup)
      : operation_(setup.word("operation")),
        depth_(checked_depth(setup)),
        bytes_(reads() ? checked_bytes(setup) : 0),
        ring_(depth_) {
    if (reads()) open_file(operation_ == "read-file" ? "/proc/self/exe" : "/dev/zero");
  }

  /// Throws Unsupported where the kernel does not know the operation, std::logic_error for a wrong result.
  Claims run(Member& member, Reps reps) override {
    buffer_.fill(untouched);
    const Nanoseconds taken = member.timed(reps, [this] { submit_once(); });
    if (reads() && !std::equal(buffer_.begin(), buffer_.begin() + bytes_, content_.begin()))
      throw std::logic_error("io_uring has read other bytes than read() does");
    return taken / depth_;
  }

 private:
  static constexpr std::int64_t most_depth = 4096;
  static constexpr std::int64_t most_bytes = 4096;
  static constexpr char untouched = 0x5a;

  bool reads() const { return operation_ != "nop"; }
  static unsigned checked_depth(const Setup& setup) {
    const auto depth = setup.level<std::int64_t>("depth");
    if (depth < 1 || depth > most_depth)
      throw Unsupported("io_uring takes 1 to " + std::to_string(most_depth) + " submissions at a time");
    return static_cast<unsigned>(depth);
  }
  static std::int32_t checked_bytes(const Setup& setup) {
    const auto bytes = setup.level<std::int64_t>("bytes");
    if (bytes < 1 || bytes > most_bytes)
      throw Unsupported("io_uring reads 1 to " + std::to_string(most_bytes) + " bytes here");
    return static_cast<std::int32_t>(bytes);
  }
  void open_file(const char* path) {
    file_.emplace("opening what io_uring reads", ::open(path, O_RDONLY | O_CLOEXEC));
    if (::pread(file_->number(), content_.data(), static_cast<std::size_t>(bytes_), 0) != bytes_)
      fail("reading what io_uring reads");
  }
  void submit_once() {
    for (unsigned i = 0; i < depth_; ++i) fill(ring_.next());
    const unsigned there = ring_.submit_and_wait();
    if (there != depth_) refuse("there are " + std::to_string(there) + " completions");
    for (unsigned i = 0; i < depth_; ++i)
      if (const std::int32_t result = ring_.take_result(); result != bytes_) refuse_result(result);
  }
  void fill(io_uring_sqe& entry) {
    entry.opcode = bytes_ > 0 ? IORING_OP_READ : IORING_OP_NOP;
    if (bytes_ == 0) return;
    entry.fd = file_->number();
    entry.addr = reinterpret_cast<std::uint64_t>(buffer_.data());
    entry.len = static_cast<std::uint32_t>(bytes_);
  }
  [[gnu::cold]] [[noreturn]] void refuse(const std::string& what) const {
    throw std::logic_error(what + " after " + std::to_string(depth_) + " submissions to io_uring");
  }
  [[gnu::cold]] [[noreturn]] void refuse_result(std::int32_t result) const {
    if (bytes_ > 0 && (result == -EINVAL || result == -EOPNOTSUPP))
      throw Unsupported("io_uring of this kernel does not know reads (Linux 5.6 and later does)");
    refuse("a completion returned " + std::to_string(result));
  }

  std::string operation_;
  unsigned depth_;
  std::int32_t bytes_;  // 0: nothing is read
  IoRing ring_;
  std::optional<OwnedDescriptor> file_;
  std::array<char, most_bytes> content_{};
  std::array<char, most_bytes> buffer_{};
};

}  // namespace assay
