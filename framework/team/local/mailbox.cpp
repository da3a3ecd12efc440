// SPDX-License-Identifier: Apache-2.0
// Waiting for numbers to change, the layout of a mailbox in shared memory, and exceptions as fixed texts and back.
#include "team/local/mailbox.hpp"

#include <chrono>
#include <exception>
#include <new>
#include <span>
#include <string_view>

#include "api/keep.hpp"
#include "base/error.hpp"
#include "platform/thread/shared_memory.hpp"

namespace assay {
namespace {

constexpr auto patience = std::chrono::microseconds(100);

// Looks again and again until `is_over`, or until patience has run out.
template <class IsOver>
void poll(IsOver is_over) noexcept {
  const auto until = std::chrono::steady_clock::now() + patience;
  do {
    for (int i = 0; i < 16; ++i) {
      if (is_over()) return;
      relax();
    }
  } while (std::chrono::steady_clock::now() < until);
}

int sleep_while(Milestone& milestone, std::uint32_t seen) noexcept {
  // Counted before the kernel compares the number again, and the number is set before the count is read: either the
  // kernel sees the new number, or the announcer sees a sleeper.
  milestone.sleepers.fetch_add(1);
  if (milestone.census.load() != 0) wake_all(milestone.sleepers);
  const int slept = wait_while_equal(milestone.value, seen);
  milestone.sleepers.fetch_sub(1);
  return slept;
}

template <class T>
T* construct(SharedMemory& memory, int count) {
  auto* first = static_cast<T*>(memory.allocate(sizeof(T) * static_cast<std::size_t>(count), alignof(T)));
  for (int i = 0; i < count; ++i) ::new (first + i) T();
  return first;
}

void release(Milestone& milestone) noexcept { announce(milestone, milestone.value.load() + 1); }

}  // namespace

void announce(Milestone& milestone, std::uint32_t value) noexcept {
  milestone.value.store(value);
  if (milestone.sleepers.load() != 0) wake_all(milestone.value);
}

std::uint32_t wait_beyond(Milestone& milestone, std::uint32_t seen, const std::atomic<bool>& polls) noexcept {
  std::uint32_t value = milestone.value.load(std::memory_order_acquire);
  poll([&] {
    if (value == seen) value = milestone.value.load(std::memory_order_acquire);
    return value != seen || !polls.load(std::memory_order_relaxed);
  });
  while (value == seen) {
    sleep_while(milestone, seen);
    value = milestone.value.load(std::memory_order_acquire);
  }
  return value;
}

void wait_for_sleepers(Milestone& milestone, std::uint32_t count, bool may_spin) noexcept {
  if (may_spin) poll([&] { return milestone.sleepers.load() >= count; });
  milestone.census.store(1);
  for (std::uint32_t asleep = milestone.sleepers.load(); asleep < count; asleep = milestone.sleepers.load())
    wait_while_equal(milestone.sleepers, asleep);
  milestone.census.store(0);
}

std::size_t mailbox_size(int members) {
  return sizeof(Mailbox) + static_cast<std::size_t>(members) * (sizeof(Slot) + sizeof(Heartbeat)) + 3 * line_size;
}

Mailbox& make_mailbox(SharedMemory& memory, int members, bool may_spin) {
  Mailbox& mailbox = *construct<Mailbox>(memory, 1);
  mailbox.slots = construct<Slot>(memory, members);
  mailbox.heartbeats = construct<Heartbeat>(memory, members);
  mailbox.members = members;
  mailbox.may_spin = may_spin;
  mailbox.polls = may_spin;
  mailbox.lease.number.value = first_lease;
  return mailbox;
}

bool any_failed(const Mailbox& mailbox) noexcept {
  for (int rank = 0; rank < mailbox.members; ++rank)
    if (mailbox.slots[rank].failure.load() != Failure::none) return true;
  return false;
}

bool arrive(Mailbox& mailbox) noexcept { return mailbox.arrived.fetch_add(1) + 1 == mailbox.members; }

int await_over(Mailbox& mailbox, std::uint32_t number) noexcept {
  int slept = 0;
  std::uint32_t value = mailbox.over.value.load();
  // The alarm follows the failure, and the value was read before: no alarm is slept through.
  while (value != number && !any_failed(mailbox)) {
    slept += sleep_while(mailbox.over, value);
    value = mailbox.over.value.load();
  }
  return slept;
}

void sound_alarm(Mailbox& mailbox) noexcept {
  release(mailbox.over);
  for (int rank = 0; rank < mailbox.members; ++rank) {
    release(mailbox.slots[rank].entered);
    release(mailbox.slots[rank].done);
  }
}

namespace {

constexpr const char* not_an_exception = "threw something that is not a std::exception";

void copy(std::span<char> to, std::string_view text) noexcept {
  std::size_t length = std::min(text.size(), to.size() - 1);
  // A continuation byte must not be the first one left out.
  while (length < text.size() && length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
  text.copy(to.data(), length);  // which may be nothing, of nowhere
  to[length] = '\0';
}

void write(Slot& slot, Failure kind, std::string_view why, std::string_view code = {}, int error_number = 0) noexcept {
  if (slot.failure.load() != Failure::none) return;
  copy(slot.why, why);
  copy(slot.code, code);
  slot.error_number = error_number;
  slot.failure.store(kind);
}

// A slot has what was attempted and the number; the system's reason is added where it is reported.
PlatformError platform_error(const Slot& slot) { return {slot.why, slot.error_number}; }

[[noreturn]] void throw_from(const Slot& slot, int rank) {
  switch (slot.failure.load()) {
    case Failure::unsupported:
      throw Unsupported(slot.why, slot.code);
    case Failure::platform:
      throw platform_error(slot);
    default:
      throw MemberFailed(rank, slot.why);
  }
}

int first_failed(const Mailbox& mailbox) noexcept {
  for (int rank = 0; rank < mailbox.members; ++rank)
    if (mailbox.slots[rank].failure.load() != Failure::none) return rank;
  return -1;
}

}  // namespace

void write_failure(Slot& slot) noexcept {
  try {
    throw;
  } catch (const Unsupported& error) {
    write(slot, Failure::unsupported, error.what(), error.code());
  } catch (const PlatformError& error) {
    write(slot, Failure::platform, error.attempt(), {}, error.error_number());
  } catch (const std::bad_alloc&) {  // nothing may be allocated now
    write(slot, Failure::failed, "out of memory (std::bad_alloc)");
  } catch (const std::exception& error) {
    write(slot, Failure::failed, error.what());
  } catch (...) {
    write(slot, Failure::failed, not_an_exception);
  }
}

std::string why_of(const Slot& slot) {
  if (slot.failure.load() == Failure::platform) return platform_error(slot).what();
  return slot.why;
}

std::string out_of_memory(const std::bad_alloc& error) { return "out of memory (" + std::string(error.what()) + ")"; }

void write_death(Slot& slot, const char* how) noexcept { write(slot, Failure::failed, how); }

void throw_failure(const Mailbox& mailbox) {
  if (const int rank = first_failed(mailbox); rank >= 0) throw_from(mailbox.slots[rank], rank);
}

MemberFailed blame(const Mailbox& mailbox) noexcept {
  if (const int rank = first_failed(mailbox); rank >= 0) return {rank, why_of(mailbox.slots[rank])};
  try {
    throw;
  } catch (const std::bad_alloc& error) {
    return {0, out_of_memory(error)};
  } catch (const std::exception& error) {
    return {0, error.what()};
  } catch (...) {
    return {0, not_an_exception};
  }
}

}  // namespace assay
