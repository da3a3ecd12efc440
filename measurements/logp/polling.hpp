// SPDX-License-Identifier: Apache-2.0
// How members wait for each other outside timed regions.
#pragma once
#include <sched.h>

#include <atomic>
#include <cstdint>

#include "channel/channel.hpp"

namespace assay {

/// Polling that lets the other member run: it yields at once where both may be on one CPU, and elsewhere after some
/// thousand polls, since the other one may have been preempted.
class Polling {
 public:
  explicit Polling(const Setup& setup) : yields_(setup.cpu_sharing() != CpuSharing::none) {}

  /// Returns when `ready` returns true.
  template <class Ready>
  void until(Ready ready) const {
    for (int polls = 0; !ready(); ++polls) pause(polls);
  }
  /// One pause after so many polls.
  void pause(int polls) const {
    if (yields_ || polls > most_polls)
      ::sched_yield();
    else
      relax();
  }

 private:
  static constexpr int most_polls = 10'000;
  bool yields_;
};

/// Whether two members of a channel may be on one CPU at once and get into each other's way there. Time that is
/// simulated does not pass for the one because the other runs.
template <Channel C>
bool may_obstruct(const Setup& setup) {
  return setup.cpu_sharing() != CpuSharing::none && !C::traits().simulated;
}

/// A gate that one member opens and another passes, once for each opening: a monotone counter on a line of its
/// own.
class Gate {
 public:
  explicit Gate(Setup& setup) : opened_(setup.share<Opened>()), polling_(setup) {}
  void open() { opened_.times.fetch_add(1, std::memory_order_release); }
  /// Waits for an opening that was not passed yet. Always by the same member.
  void pass() {
    polling_.until([this] { return opened_.times.load(std::memory_order_acquire) != passed_; });
    ++passed_;
  }

 private:
  struct alignas(line_size) Opened {
    std::atomic<std::uint32_t> times{0};
  };
  Opened& opened_;
  Polling polling_;
  alignas(line_size) std::uint32_t passed_ = 0;  // of the member that passes
};

/// How the members of a channel signal each other the end of a part: by a gate in shared memory, unless
/// the channel brings a gate of its own.
template <class C>
struct GateFor {
  using Type = Gate;
};
template <class C>
  requires requires { typename C::Gate; }
struct GateFor<C> {
  using Type = typename C::Gate;
};
template <class C>
using GateOf = typename GateFor<C>::Type;

}  // namespace assay
