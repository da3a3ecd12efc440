// SPDX-License-Identifier: Apache-2.0
// How the ranks of a place start a batch together; of agreed times: how far ahead and apart they have to be, which
// batches count, and when to give up.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/description.hpp"
#include "base/clock.hpp"
#include "base/units.hpp"
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

/// Batches that start at agreed times, without a word between them. Times are those of the common clock.
struct Windows {
  Instant first;        ///< start of the first batch
  Nanoseconds width{};  ///< from each start to the next
  int batches = 1;
  Instant start(int batch) const { return first + width * batch; }
};

/// Members that wait for starts on a node, and the CPUs that they may use.
struct Crowd {
  int members = 0;
  int cpus = 0;
  /// A member that polls would keep another one from its CPU.
  bool crowded() const { return members > cpus; }
};

/// How windows are chosen and judged.
struct WindowRule {
  Nanoseconds width = microseconds(100);    ///< of the first windows: notifying all, and a batch, should fit
  Nanoseconds tolerance = microseconds(1);  ///< a start later than this is late
  int batches = 32;                         ///< between two agreements, at first
  int most_widenings = 8;                   ///< in a row; after that, starts are given up
};

/// The outcome of the batches of a period.
struct StartJudgement {
  std::vector<bool> valid;  ///< by batch: no rank started it late
  int late = 0;             ///< batches that are not
  int worst_rank = -1;      ///< which came latest; -1 when none was late
  Nanoseconds worst{};      ///< by how much
  std::string gave_up;      ///< why there will be no more windows; empty as long as there will
};

/// The windows of a series of starts, widened as SKaMPI does (Worsch, Reussner and Augustin, On Benchmarking Collective
/// MPI Operations, EuroPVM/MPI 2002). Without time, messages or randomness of its own: ranks with the same inputs
/// keep the same windows.
class StartWindow {
 public:
  /// `crowds` are those of all nodes, for the reason given in the end. Throws std::invalid_argument for a rule without
  /// width or batches.
  StartWindow(const WindowRule& rule, std::vector<Crowd> crowds);

  /// The next windows, seen from `now`. Throws std::logic_error after giving up.
  Windows plan(Instant now) const;

  /// Takes in by how much each rank was late for each batch of the last windows planned. When more than a quarter was
  /// late, the next windows are twice as wide, or half as wide again as would have sufficed where that is more; when
  /// more than half was late in a row, there are half as many. Gives up when windows widened so often in a row have not
  /// helped. Throws std::invalid_argument unless there is one lateness per rank and batch.
  StartJudgement judge(std::span<const std::vector<Nanoseconds>> lateness);

  Nanoseconds width() const { return width_; }
  int batches() const { return batches_; }
  /// Batches that counted, of all that were judged.
  int valid() const { return valid_; }
  int judged() const { return judged_; }

 private:
  void widen(const StartJudgement& judgement, Nanoseconds missing);
  std::string why_not(const StartJudgement& judgement) const;

  WindowRule rule_;
  std::vector<Crowd> crowds_;
  Nanoseconds width_;
  int batches_;
  int widenings_ = 0;
  int valid_ = 0;
  int judged_ = 0;
  bool gave_up_ = false;
};

}  // namespace assay
