// SPDX-License-Identifier: Apache-2.0
// The system calls of io_uring.
#include "os/io_uring.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>
#include <fstream>
#include <stdexcept>
#include <string>

#include "api/measurement.hpp"

namespace assay {

namespace {

std::string setting() {
  std::ifstream file("/proc/sys/kernel/io_uring_disabled");
  std::string value;
  return file >> value ? value : "not readable";
}

std::string reason_of(int error) {
  if (error == ENOSYS) return "this kernel has no io_uring (Linux 5.1 and later may have it)";
  if (error == EPERM || error == EACCES)
    return "io_uring is forbidden here, by a filter of system calls or by kernel.io_uring_disabled (" + setting() +
           "; 0 permits it)";
  return "a ring is not available (limits on descriptors, ulimit -n, or on locked memory, ulimit -l)";
}

int open_ring(unsigned entries, io_uring_params& params) {
  const auto ring = ::syscall(SYS_io_uring_setup, entries, &params);
  if (ring < 0)
    throw Unsupported("io_uring_setup: " + std::generic_category().message(errno) + ": " + reason_of(errno));
  return static_cast<int>(ring);
}

std::uint32_t acquire(std::uint32_t& word) { return std::atomic_ref(word).load(std::memory_order_acquire); }
void release(std::uint32_t& word, std::uint32_t value) {
  std::atomic_ref(word).store(value, std::memory_order_release);
}

}  // namespace

RingMemory::RingMemory(int ring, std::uint64_t offset, std::size_t bytes)
    : bytes_(bytes),
      memory_(static_cast<std::byte*>(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring,
                                             static_cast<off_t>(offset)))) {
  if (static_cast<void*>(memory_) == MAP_FAILED) fail("mapping a ring of io_uring");
}

RingMemory::~RingMemory() { ::munmap(memory_, bytes_); }

IoRing::IoRing(unsigned entries) : ring_("opening a ring of io_uring", open_ring(entries, params_)) {
  const int ring = ring_.number();
  submissions_ = std::make_unique<RingMemory>(ring, IORING_OFF_SQ_RING,
                                              params_.sq_off.array + params_.sq_entries * sizeof(std::uint32_t));
  completions_ = std::make_unique<RingMemory>(ring, IORING_OFF_CQ_RING,
                                              params_.cq_off.cqes + params_.cq_entries * sizeof(io_uring_cqe));
  entries_ = std::make_unique<RingMemory>(ring, IORING_OFF_SQES, params_.sq_entries * sizeof(io_uring_sqe));
}

io_uring_sqe& IoRing::next() {
  auto& tail = *submissions_->at<std::uint32_t>(params_.sq_off.tail);
  const std::uint32_t mask = *submissions_->at<std::uint32_t>(params_.sq_off.ring_mask);
  const std::uint32_t slot = (tail + filled_++) & mask;
  submissions_->at<std::uint32_t>(params_.sq_off.array)[slot] = slot;
  io_uring_sqe& entry = entries_->at<io_uring_sqe>(0)[slot];
  entry = {};
  return entry;
}

unsigned IoRing::submit_and_wait() {
  auto& tail = *submissions_->at<std::uint32_t>(params_.sq_off.tail);
  release(tail, tail + filled_);
  const unsigned wanted = std::exchange(filled_, 0U);
  const auto submitted = uninterrupted("submitting to io_uring", [&] {
    return ::syscall(SYS_io_uring_enter, ring_.number(), wanted, wanted, IORING_ENTER_GETEVENTS, nullptr, 0);
  });
  if (static_cast<unsigned>(submitted) != wanted)
    throw std::logic_error("io_uring accepted only a part of the submissions");
  return acquire(*completions_->at<std::uint32_t>(params_.cq_off.tail)) -
         *completions_->at<std::uint32_t>(params_.cq_off.head);
}

std::int32_t IoRing::take_result() {
  auto& head = *completions_->at<std::uint32_t>(params_.cq_off.head);
  const std::uint32_t mask = *completions_->at<std::uint32_t>(params_.cq_off.ring_mask);
  const std::int32_t result = completions_->at<io_uring_cqe>(params_.cq_off.cqes)[head & mask].res;
  release(head, head + 1);
  return result;
}

}  // namespace assay
