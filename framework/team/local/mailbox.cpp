// SPDX-License-Identifier: Apache-2.0
// Waiting for numbers to change, and the layout of a mailbox in shared memory.
#include "team/local/mailbox.hpp"

#include <chrono>
#include <new>

#include "api/keep.hpp"
#include "platform/thread/futex.hpp"

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

void sleep_while(Milestone& milestone, std::uint32_t seen) noexcept {
  // Counted before the kernel compares the number again, and the number is set before the count is read: either the
  // kernel sees the new number, or the announcer sees a sleeper.
  milestone.sleepers.fetch_add(1);
  if (milestone.census.load() != 0) wake_all(milestone.sleepers);
  wait_while_equal(milestone.value, seen);
  milestone.sleepers.fetch_sub(1);
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

void sound_alarm(Mailbox& mailbox) noexcept {
  for (int rank = 0; rank < mailbox.members; ++rank) {
    release(mailbox.slots[rank].entered);
    release(mailbox.slots[rank].done);
  }
}

}  // namespace assay
