// SPDX-License-Identifier: Apache-2.0
// The lines of shared memory through which member 0 leases batches and the others report, exceptions and deaths
// included.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

#include "api/measurement.hpp"
#include "base/batch.hpp"
#include "platform/thread/shared_memory.hpp"
#include "team/team.hpp"

namespace assay {

/// A number that one member changes and others wait for. The kernel is called to wake only when a member sleeps.
struct alignas(line_size) Milestone {
  std::atomic<std::uint32_t> value{0};     ///< futex word of those who wait for a change
  std::atomic<std::uint32_t> sleepers{0};  ///< waiters in the kernel, or on the way there; futex word of the census
  std::atomic<std::uint32_t> census{0};    ///< 1 while a member waits for sleepers to come
};

/// Sets the number and wakes those who sleep. What was written before is visible to members that see the new number.
/// Usable in a signal handler.
void announce(Milestone& milestone, std::uint32_t value) noexcept;
/// Waits while the number is `seen`, and returns the new one. As long as `polls` is true it polls, for 100 us at most,
/// before it sleeps in the kernel.
std::uint32_t wait_beyond(Milestone& milestone, std::uint32_t seen, const std::atomic<bool>& polls) noexcept;
/// Returns when `count` waiters sleep on the milestone. With `may_spin` it polls for 100 us, by which they are asleep
/// if nothing holds them up, before it sleeps itself.
void wait_for_sleepers(Milestone& milestone, std::uint32_t count, bool may_spin) noexcept;

/// The next command for the other members.
enum class Command : std::uint32_t { enter, run, reference, look, leave };

/// Number of the lease with which a mailbox begins: to get into place.
inline constexpr std::uint32_t first_lease = 1;

/// Written by member 0, read by all: one lease at a time, identified by its number.
struct Lease {
  Milestone number;  ///< parked members sleep on it
  std::atomic<Command> command{Command::enter};
  std::atomic<std::int64_t> reps{
      0};  ///< of a batch; round trips of a reference exchange; number of who looks at its core
};

/// What stopped a member: how the text in its slot is to be thrown by member 0.
enum class Failure : std::uint32_t { none, failed, unsupported, platform };

/// Written by one member (and for one that died, by the first), read by the first. Members are numbered here as they
/// are in their process, whatever their rank in a team that others share.
struct Slot {
  Milestone entered;                                    ///< number of the lease it has left the mailbox for
  Milestone done;                                       ///< number of the lease it has finished
  alignas(line_size) std::atomic<std::uint32_t> ready;  ///< number of the lease in which its next step is the batch
  alignas(line_size) std::atomic<Failure> failure{Failure::none};  ///< set once, after the fields below
  int error_number = 0;                                            ///< of a PlatformError
  char code[8]{};                                                  ///< of Unsupported
  char why[256]{};
  MemberReport report;
};

/// The heartbeat of one member, on a line of its own.
struct alignas(line_size) Heartbeat {
  std::atomic<std::int64_t> beats{0};
};

/// One line of the reference channel.
struct alignas(line_size) ReferenceLine {
  std::atomic<std::uint32_t> turn{0};
};
/// The reference channel. A trip is over two lines, and the next one over the next two: how long one takes depends on
/// its lines' addresses, and no single address is to decide on the distance of two members.
struct ReferenceLines {
  struct Place {
    ReferenceLine there;
    ReferenceLine back;
  };
  std::array<Place, reference_places> places;
  ReferenceLine initiated;  ///< the last turn of either side, its own to know
  ReferenceLine responded;
};

/// Everything that the members of one team share.
struct Mailbox {
  Lease lease;
  ReferenceLines lines;
  Slot* slots = nullptr;            ///< by number
  Heartbeat* heartbeats = nullptr;  ///< by number
  int members = 1;
  Milestone go;                ///< number of the lease whose batch may start; used where `awaits_go`
  bool awaits_go = false;      ///< members of other processes take part: none starts before all can
  bool may_spin = false;       ///< true only where all members sit on different CPUs, or spin in their batches, too
  bool are_apart = false;      ///< all members are bound to different CPUs
  bool reads_cores = true;     ///< the machine's: false where time is computed
  bool part_together = false;  ///< members may share CPUs: none goes on before all are through with the batch
  alignas(line_size) std::atomic<int> arrived{0};     ///< members that are through with it; of one lease
  Milestone over;                                     ///< number of the lease with which all are through
  alignas(line_size) std::atomic<bool> polls{false};  ///< true where they may, until they are to be parked
};

/// Bytes of shared memory that a mailbox needs.
std::size_t mailbox_size(int members);
/// Constructs a mailbox whose first lease is open.
Mailbox& make_mailbox(SharedMemory& memory, int members, bool may_spin);
/// True once any member has failed.
bool any_failed(const Mailbox& mailbox) noexcept;
/// Counts the calling member as through with the batch of the current lease; true for the last one.
bool arrive(Mailbox& mailbox) noexcept;
/// Sleeps until all are through with lease `number`, or any member has failed. Returns how often the caller slept.
int await_over(Mailbox& mailbox, std::uint32_t number) noexcept;
/// Ends every wait for a member, after a failure was written: members that wait have to look whether any has failed.
/// The numbers mean nothing from then on. Async-signal-safe.
void sound_alarm(Mailbox& mailbox) noexcept;

/// Writes the exception being handled into the slot: its kind, code or error number, and as much of its text as fits,
/// cut between characters (UTF-8); of a PlatformError what was attempted. Only the first failure of a member is kept.
void write_failure(Slot& slot) noexcept;
/// The same for a member that died, with its own account where it left one. Async-signal-safe.
void write_death(Slot& slot, const char* how) noexcept;

/// What a slot's failure says, with the system's reason where there is one. Empty where there is none.
std::string why_of(const Slot& slot);

/// What a lack of memory is called wherever it shows.
std::string out_of_memory(const std::bad_alloc& error);

/// Throws the first failure by rank as what it was: Unsupported with its code, PlatformError, else MemberFailed.
/// Returns when no member has failed.
void throw_failure(const Mailbox& mailbox);
/// The exception being handled, on member 0, as a member's failure. When another member has failed as well, that one is
/// to blame: the first may have been its victim.
MemberFailed blame(const Mailbox& mailbox) noexcept;

}  // namespace assay
