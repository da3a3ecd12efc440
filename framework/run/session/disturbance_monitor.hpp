// SPDX-License-Identifier: Apache-2.0
// What happens to the machine while visits are paid: marks for each visit, remarks for the session.
#pragma once
#include <string>
#include <vector>

#include "run/session/surroundings.hpp"

namespace assay {

/// Reads the kernel's counters around each visit. Borrows the surroundings.
class DisturbanceMonitor {
 public:
  explicit DisturbanceMonitor(const Surroundings& world);
  /// Before a visit on these CPUs; none: wherever the scheduler puts it.
  void begin(const std::vector<int>& cpus);
  /// The same, to cores of the machine: whether others have much of them now. A few milliseconds of a thread at work
  /// show what a hypervisor takes; the kernel lets it finish before those who wait, whom it counts.
  bool begin_among_others(const std::vector<int>& cpus);
  /// After it: what all of its batches are to be marked with.
  Disturbances end();
  /// For the session's end, one line each; the clock is measured once more.
  std::vector<std::string> remarks();

 private:
  void add(const Interference& found, const SystemReading& after);
  void check_clock();
  void look_for_observers();

  const Surroundings* world_;
  Nanoseconds clock_checked_{};
  std::string clock_source_;
  std::vector<int> cpus_;
  SystemReading before_;
  double cpu_time_ = 0;  ///< ns of all CPUs of all visits
  double stolen_ = 0;    ///< of it
  double waited_ = 0;
  std::int64_t throttled_ = 0;
  std::int64_t heated_ = 0;
  Nanoseconds asleep_{};
  Interruptions interruptions_;
  int visits_among_ = 0;         ///< to cores of the machine
  int among_others_ = 0;         ///< of them, while other threads were at work
  Nanoseconds observers_due_{};  ///< when they are looked for again
  std::string observers_;        ///< since the last look
  std::string last_observers_;   ///< that there were
  double visit_time_ = 0;        ///< ns of all visits
  double observed_ = 0;          ///< of it
  std::vector<std::string> told_;
};

}  // namespace assay
