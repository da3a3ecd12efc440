// SPDX-License-Identifier: Apache-2.0
// Channels in shared memory.
#include "channel/barrier.hpp"
#include "channel/condvar.hpp"
#include "channel/futex.hpp"
#include "channel/polled.hpp"
#include "channel/semaphore.hpp"
#include "logp/channels.hpp"
#include "logp/held_condvar.hpp"
#include "logp/over_all.hpp"

namespace assay {
namespace {

constexpr Meaning held_throughout{
    "N9", "signal and wait are one step under one hold of the mutex: there is no separate send or receive"};

ChannelEntry held_condvar(std::string name) {
  ChannelEntry entry{std::move(name), {"stop", "work"}};
  entry.cells.fill([] { return entry_parts::without(held_throughout); });
  entry.cells[static_cast<std::size_t>(Protocol::round_trip)] = [] {
    return Cell{HeldCondvar::traits(), entry_parts::make<HeldCondvar>};
  };
  return entry;
}

}  // namespace

std::vector<ChannelEntry> memory_channels() {
  return {over_all_protocols<Flag<false>, Flag<true>>("flag", {"heartbeat"}),
          over_all_protocols<Flag<false, FlagLines::one>, Flag<true, FlagLines::one>>("flag-one-line", {"heartbeat"}),
          over_all_protocols<SlotRing<false>, SlotRing<true>>("ring", {"heartbeat"}),
          over_all_protocols<Futex<Waking::always>>("futex"),
          over_all_protocols<Futex<Waking::if_waited_for>>("futex-lazy"),
          over_all_protocols<Condvar<Signalling::after_unlocking>>("condvar"),
          over_all_protocols<Condvar<Signalling::inside>>("condvar-inside"),
          held_condvar("condvar-paper"),
          over_all_protocols<Tokens<PosixSemaphore>>("sem"),
          over_all_protocols<Tokens<StandardSemaphore>>("counting-semaphore"),
          over_all_protocols<Tokens<SystemVSemaphore>>("sysv-sem"),
          over_all_protocols<AtomicWait<std::uint32_t>>("atomic-wait-4"),
          over_all_protocols<AtomicWait<std::uint64_t>>("atomic-wait-8"),
          over_all_protocols<Crossing<PosixBarrier>>("barrier"),
          over_all_protocols<Crossing<StandardBarrier>>("std-barrier")};
}

}  // namespace assay
