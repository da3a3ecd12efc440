// SPDX-License-Identifier: Apache-2.0
// How a member's exception, or its death, reaches member 0: as text in its slot, whatever the vehicle.
#pragma once
#include <new>
#include <string>

#include "team/local/mailbox.hpp"
#include "team/team.hpp"

namespace assay {

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
