// SPDX-License-Identifier: Apache-2.0
// What happens to the machine while visits are paid: marks for each visit, remarks for the session.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "run/surroundings.hpp"

namespace assay {

/// Changes of a core's speed that spoil a visit, and that are told when they happen between visits of a point.
inline constexpr double spoiling_speed = 0.05;
inline constexpr double noticeable_speed = 0.02;

/// Reads the kernel's counters around each visit. Borrows the surroundings.
class Watch {
 public:
  explicit Watch(const Surroundings& world);
  /// Before a visit on these CPUs; none: wherever the scheduler puts it.
  void begin(const std::vector<int>& cpus);
  /// After it: what all of its batches are to be marked with. `point` names what was visited.
  Disturbances end(const std::string& point, const std::optional<CoreSpeed>& speed);
  /// No visit to this point is to come.
  void forget(const std::string& point) { speeds_.erase(point); }
  /// For the session's end, one line each; the clock is measured once more.
  std::vector<std::string> remarks();

 private:
  void add(const Interference& found, const SystemReading& after);
  void check_clock();

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
  std::map<std::string, Nanoseconds> speeds_;  ///< of the last visit, by point
  std::size_t compared_ = 0;                   ///< visits with the one before to the same point
  std::size_t moved_ = 0;                      ///< of them
  std::vector<std::string> told_;
};

}  // namespace assay
