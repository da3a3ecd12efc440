// SPDX-License-Identifier: Apache-2.0
// The lines of shared memory through which member 0 leases batches and the others report.
#pragma once
#include <atomic>
#include <cstdint>

#include "api/measurement.hpp"
#include "base/batch.hpp"

namespace assay {

/// What the other members are told to do next.
enum class Command : std::uint32_t { run, reference, leave };

/// Written by member 0, read by all: one lease at a time, identified by its number.
struct alignas(line_size) Lease {
  std::atomic<std::uint32_t> number{0};  ///< futex word: parked members sleep on it
  Command command{Command::run};
  std::int64_t reps = 0;
};

/// Written by one member, read by member 0.
struct alignas(line_size) Slot {
  std::atomic<std::uint32_t> entered{0};  ///< number of the lease it has left the mailbox for
  std::atomic<std::uint32_t> done{0};     ///< number of the lease it has finished; futex word
  std::atomic<std::uint32_t> failed{0};   ///< 1 once `why` holds a text
  MemberReport report;
  char why[256]{};
};

/// The heartbeat of one member, on a line of its own.
struct alignas(line_size) Heartbeat {
  std::atomic<std::int64_t> beats{0};
};

/// One of the two lines of the reference channel.
struct alignas(line_size) ReferenceLine {
  std::atomic<std::uint32_t> turn{0};
};

/// Everything that the members of one team share.
struct Mailbox {
  Lease lease;
  ReferenceLine there;
  ReferenceLine back;
  Slot* slots = nullptr;            ///< by rank
  Heartbeat* heartbeats = nullptr;  ///< by rank
  int members = 1;
  bool may_spin = false;  ///< true only while all members sit on different CPUs
};

}  // namespace assay
