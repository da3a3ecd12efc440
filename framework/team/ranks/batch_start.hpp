// SPDX-License-Identifier: Apache-2.0
// How the ranks of a place start a batch together.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/description.hpp"
#include "base/alarm_clock.hpp"
#include "team/clock/place_clock.hpp"

namespace assay {

/// How a member waits.
struct WaitRule {
  bool may_poll = false;  ///< whether each member has a CPU to itself
  Nanoseconds awake =
      milliseconds(1);  ///< polls for so long before the start: sleepers on virtual CPUs wake 0.4 ms late
};

/// Waits until the member's own clock reads `start`, asleep until shortly before; all the way where it may not poll.
/// Returns by how much it is late, which without a disturbance is the cost of a reading, or of a wake-up.
Nanoseconds wait_for_start(AlarmClock& clock, Instant start, const WaitRule& rule);

/// "barrier", "dissemination", "window", and back.
std::string to_text(Start start);
std::optional<Start> parse_start(std::string_view text);
std::vector<std::string> start_words();

/// Called on each rank of the place when its members are ready: returns on all of them as nearly at once as it can.
/// `width` is how far ahead rank 0 sets a start at an agreed time; elsewhere it means nothing. Returns by how much this
/// rank was late for that time; 0 where there was none.
using BatchStart = std::function<Nanoseconds(Nanoseconds width)>;

/// What a start needs to know of the place.
struct StartPlace {
  PlaceClock* clock = nullptr;    ///< for windows it has to be learned before the first batch
  std::function<void()> barrier;  ///< the library's
  bool may_poll = true;           ///< whether each member has a CPU to itself
};
/// The start of that kind. A window begins when all have signalled each other that they are ready: rank 0 then names a
/// time so far ahead that all can have received it, and all wait for it on the common clock (round-time: Hunold
/// and Carpen-Amarie, Hierarchical Clock Synchronization in MPI, CLUSTER 2018).
BatchStart batch_start(Start kind, StartPlace place);

}  // namespace assay
