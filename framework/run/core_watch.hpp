// SPDX-License-Identifier: Apache-2.0
// What a session learns of the cores it measures on: levels, how often they were shared, whether a visit is worth its
// cost now.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "record/record.hpp"
#include "run/host.hpp"
#include "run/plan.hpp"
#include "stats/core_levels.hpp"

namespace assay {

/// Learns over all points of a session. Time that is computed has cores of its own, planted by the measurement.
class CoreWatch {
 public:
  /// `earlier`: what a session before learned on this machine.
  CoreWatch(int cycles_per_step, bool one_thread, const std::optional<CoresRecord>& earlier);

  const CoreLevels& levels(bool simulated) const { return simulated ? simulated_ : levels_; }
  /// The readings of a visit on these CPUs, by rank. Where there is more than one member, only what was read while the
  /// others rested says what a core yields alone.
  void learn(const VisitYield& yield, const std::vector<int>& cpus, bool simulated);
  /// A distance of members that are bound to CPUs of their own.
  void add_distance(Nanoseconds reference) { distances_.push_back(reference.count); }
  /// Whether cores were shared often enough lately that a look before a visit pays.
  bool looks_pay() const { return alone_lately_ < almost_always; }
  /// What a look at these CPUs found: true where a visit is worth it, or nothing can be said.
  bool is_worth(const std::vector<CoreReading>& apart, const std::vector<int>& cpus, WantedState wanted,
                bool simulated);
  /// Time that went by for looks, and for waiting after them.
  void count_wait(Nanoseconds time) { waited_ = waited_ + time; }

  /// For the journal. `elapsed`: of the session.
  CoresRecord record(int session, Nanoseconds elapsed) const;
  /// For the session's end: what the machine was like, in a line; none where nothing is to be told.
  std::vector<std::string> remarks() const;

 private:
  static constexpr double almost_always = 0.95;
  struct Told {
    std::size_t readings = 0;
    std::size_t alone = 0;  ///< of them
    std::size_t shared = 0;
  };
  /// `apart`: of the batch's visit.
  static Told told_by(const Batch& batch, const std::vector<CoreReading>& apart, const CoreLevels& levels);
  void tally(const Batch& batch, const std::vector<CoreReading>& apart, bool simulated);
  void note(bool alone);
  std::vector<double> common_distances() const;

  CoreLevels levels_;
  CoreLevels simulated_;
  double alone_lately_ = 1;  ///< share of readings, the last fifty or so
  double alone_ = 0;         ///< ns of batches
  double shared_ = 0;
  double told_ = 0;  ///< of batches of which something is known
  std::vector<double> distances_;
  Nanoseconds waited_{};
};

}  // namespace assay
