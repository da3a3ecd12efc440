// SPDX-License-Identifier: Apache-2.0
// What one session of a campaign is to do, its environment while it runs, what it reports, and how it ends.
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "platform/clock/interruptions.hpp"
#include "platform/machine/system_counters.hpp"
#include "record/record.hpp"
#include "run/host.hpp"
#include "run/plan.hpp"
#include "run/point/launch_share.hpp"
#include "run/series/continuation.hpp"
#include "run/series/history.hpp"
#include "run/session/launches.hpp"

namespace assay {

/// What a session is to do: all points of the plan, or those that earlier sessions measured, or what one left.
struct SessionOrder {
  const CampaignPlan& plan;
  const History& earlier;
  int session = 0;
  std::optional<Nanoseconds> time_limit;
  Continuation* continuation = nullptr;  ///< what an earlier session left, where this one continues it
  const LaunchPlace* launch = nullptr;   ///< where members are ranks of it; borrowed
};

/// Why sessions end before every point is finished, in the words of the journal.
inline constexpr const char* by_time = "time-limit";
inline constexpr const char* by_signal = "signal";
inline constexpr const char* by_system = "tear-down";
inline constexpr const char* by_failures = "failures";
inline constexpr const char* by_launcher = "launcher";

/// How often a wait looks for a request to stop, which is not kept waiting.
inline constexpr Nanoseconds longest_pause = milliseconds(50);

/// What is known of a point that is being measured.
struct CurrentValue {
  Estimate estimate;  ///< of its primary quantity, when the rule was last asked
  Unit unit = Unit::nanoseconds;
  double disturbed_share = 0;
};

/// What the user sees while a campaign runs.
struct Progress {
  int done = 0;
  int known = 0;  ///< points known so far; refinement adds more
  Nanoseconds elapsed{};
  Nanoseconds left{};                      ///< estimate; 0 when unknown
  std::string current;                     ///< series and point of the visit to come, by the factors that vary
  std::optional<CurrentValue> value = {};  ///< of that point; nothing before the first interim analysis
};

/// The world around a campaign.
struct Surroundings {
  const Clock& clock;
  Host& host;
  std::reference_wrapper<Sink> sink;  ///< exchanged in a copy, where another sink receives records too
  std::size_t usable_cpus = 1;
  std::function<void(const Progress&)> progress = [](const Progress&) {};
  std::function<bool()> stop_requested = [] { return false; };
  /// Lets time pass while no visit is due.
  std::function<void(Nanoseconds)> pause = [](Nanoseconds time) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(static_cast<std::int64_t>(time.count)));
  };
  /// Of the scheduler: batches stay well below it.
  Nanoseconds tick = milliseconds(4);
  /// How threads at work were interrupted lately.
  std::function<Interruptions()> interruptions = [] { return Interruptions{}; };
  /// Runs a command of the shell that changes the system; what went wrong, empty when nothing did.
  std::function<std::string(const std::string& command, Nanoseconds deadline)> execute =
      [](const std::string&, Nanoseconds) { return std::string("commands cannot be run here"); };
  /// What the journal is to say about a session that begins.
  std::function<SessionRecord(int session)> begin = [](int session) { return SessionRecord{session, {}, {}, {}}; };
  /// The kernel's counters of these CPUs, of all usable ones where there are none; read before and after each visit.
  std::function<SystemReading(const std::vector<int>& cpus)> look = [](const std::vector<int>&) {
    return SystemReading{};
  };
  /// What makes the kernel slower now (platform/procfs/kernel_observers.hpp), in words; empty for nothing.
  std::function<std::string()> observed_by = [] { return std::string(); };
  /// Core cycles that a step of the latency yardstick takes here (platform/clock/yardstick.hpp); 0: not known.
  int cycles_per_step = 0;
  /// True where no core has a second hardware thread that other work might use.
  bool one_thread_per_core = false;
  /// A CPU that sleeps is woken by a hypervisor.
  bool is_virtual_machine = false;
  /// Both for the nodes of the ranks, by name.
  std::vector<NodeCores> nodes = {};
  /// Measures the clock anew: how it became another one since the session's start; empty when it did not.
  std::function<std::string()> check_clock = [] { return std::string(); };
  /// Called before each round of visits; returns when this process may measure, after the time returned, during which
  /// others did. It counts to no limit.
  std::function<Nanoseconds()> await_turn = [] { return Nanoseconds{}; };
  /// Where series whose members are ranks are measured; without it, by the host. Borrowed.
  Launches* launches = nullptr;
  /// The launch that this is a part of; borrowed.
  const LaunchPlace* launch = nullptr;

  void write(const Record& record) const { sink.get().write(record); }
};

/// How a campaign ended.
struct CampaignEnd {
  std::string reason;      ///< "complete", "time-limit", "signal", "failures", "tear-down", "launcher"
  int points = 0;          ///< finished in the last session
  int without_result = 0;  ///< failed or timed out, in all of them
  int measured = 0;        ///< with a number, in all of them
  int warnings = 0;        ///< printed about the machine while it ran
  /// 0 complete; 1 some points failed or timed out, or so many that it was given up, or none has a number; 3 no launch
  /// could be started; 75 stopped early.
  int exit_code() const;
};

}  // namespace assay
