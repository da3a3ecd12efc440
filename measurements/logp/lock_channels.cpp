// SPDX-License-Identifier: Apache-2.0
// Locks as channels: a message is the hand-off of a lock that its sender holds.
#include "channel/lock_ring.hpp"
#include "lock/kinds.hpp"
#include "logp/channels.hpp"
#include "logp/lock_overheads.hpp"
#include "logp/over_all.hpp"

namespace assay {
namespace {

constexpr auto overheads_cell = static_cast<std::size_t>(Protocol::overheads);

/// The ring under all protocols; its overheads by rows of locks, since a ring cannot be ahead of its receiver.
template <class Main, class Client = Main, auto ring = four_lock_ring, bool checked = false>
ChannelEntry ring_entry(std::string name) {
  ChannelEntry entry = over_all_protocols<LockRing<Main, Client, ring, checked>>(std::move(name));
  using Rows = LockOverheads<Main, Client>;
  entry.cells[overheads_cell] = [] { return Cell{Rows::traits(), entry_parts::make<Rows>}; };
  return entry;
}

}  // namespace

std::vector<ChannelEntry> lock_channels() {
  std::vector<ChannelEntry> entries;
  for_each_mutex([&]<Lock L>(const char* word) { entries.push_back(ring_entry<L>(std::string(word) + "-ring")); });
  using Normal = Mutex<MutexKind::normal>;
  using Checking = Mutex<MutexKind::errorcheck>;
  entries.push_back(ring_entry<Spinlock>("spinlock-ring"));
  entries.push_back(ring_entry<WriteLock>("rwlock-ww-ring"));
  entries.push_back(ring_entry<WriteLock, ReadLock>("rwlock-wr-ring"));
  entries.push_back(ring_entry<ReadLock, WriteLock>("rwlock-rw-ring"));
  entries.push_back(ring_entry<Normal, Normal, three_lock_ring>("mutex-ring-3"));
  entries.push_back(ring_entry<Checking, Checking, four_lock_ring, true>("mutex-ring-checked"));
  return entries;
}

}  // namespace assay
