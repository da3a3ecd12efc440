// SPDX-License-Identifier: Apache-2.0
// Checks of machine and session: what may spoil a campaign's numbers, found out from texts and readings.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "platform/clock/system_clock.hpp"
#include "platform/machine/cgroup.hpp"
#include "platform/machine/limits.hpp"
#include "platform/process/self.hpp"
#include "platform/topology/topology.hpp"

namespace assay {

/// Whether a check found something. `unknown`: it could not be made.
enum class CheckStatus { ok, problem, unknown };
/// How much a problem matters: reported only; a warning; batches or points are marked by it; timings mean nothing.
enum class CheckLevel { info, warn, noisy, error };
/// "ok", "problem", "unknown"; "info", "warn", "noisy", "error".
std::string to_text(CheckStatus status);
std::string to_text(CheckLevel level);

/// What one check found.
struct Check {
  std::string id;  ///< "G-VIRT", "G-QUOTA", ...
  CheckStatus status = CheckStatus::ok;
  CheckLevel level = CheckLevel::info;
  std::string found;    ///< what is so, or why the check could not be made
  std::string meaning;  ///< what a problem means for a campaign
  std::string remedy;   ///< what the user can do about it
};
/// True for problems of level warn and above: those that --strict turns into failures.
bool is_serious(const Check& check);
/// "problem (warn): found: meaning; remedy", "ok: found", "could not check: found".
std::string to_text(const Check& check);

/// Counters of the kernel at one moment; empty where the kernel does not report it.
struct CounterTexts {
  std::string stat;        ///< /proc/stat
  std::string schedstat;   ///< /proc/schedstat
  std::string interrupts;  ///< /proc/interrupts
  Nanoseconds at{};        ///< on CLOCK_MONOTONIC
};

/// All that checks look at. Tests put directories and texts of their own here.
struct CheckInputs {
  std::string root;         ///< before /proc and /sys
  std::vector<int> cpus;    ///< usable
  int total = 0;            ///< CPUs of the machine
  std::string restriction;  ///< why not all are usable
  CgroupView cgroups;
  std::map<std::string, std::string> environment;  ///< LD_PRELOAD, container
  std::string build_flags;
  bool randomises = true;  ///< addresses of this process
  ClockFacts clock;
  std::string output;                     ///< directory that results go to
  std::optional<std::size_t> disk_bytes;  ///< free there
  Headroom room;
  CounterTexts before;  ///< empty texts: what happens now is not looked at
  CounterTexts after;
};

/// Every check of machine and session, in the order of their ids. Pure but for reading files below `inputs.root` and
/// the control groups; never throws: what cannot be read makes a check `unknown`, with the reason.
std::vector<Check> make_checks(const CheckInputs& inputs);

/// This machine and process, with results going to `output`. The counters are read twice, `watch` apart; not at all
/// where that is 0.
CheckInputs check_inputs(const Topology& topology, const std::string& build_flags, const std::string& output,
                         Nanoseconds watch);

/// /proc/stat, /proc/schedstat and /proc/interrupts as they are now; empty where they cannot be read.
CounterTexts read_counters_of(const std::string& root);

}  // namespace assay
