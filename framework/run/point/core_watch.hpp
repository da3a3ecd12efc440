// SPDX-License-Identifier: Apache-2.0
// What a session finds out about the cores it measures on: levels, how often they were shared, whether a visit is worth
// its cost now.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "record/record.hpp"
#include "run/host.hpp"
#include "run/plan.hpp"
#include "stats/core/core_levels.hpp"

namespace assay {

/// Learns over all points of a session. Simulated cores are known apart from the machine's, and are not in the record.
class CoreWatch {
 public:
  /// What holds for the session's own node and for those with names. `earlier`: what a session before learned on this
  /// machine.
  CoreWatch(const NodeCores& own, const std::vector<NodeCores>& named, const std::optional<CoresRecord>& earlier);

  const CoreLevels& levels(bool simulated) const { return cores(simulated).levels; }
  /// The readings of a visit on these CPUs, by rank; where its members are not bound, on those that they were found on.
  /// Where there is more than one member on a node, only what was read while the others rested says what a core yields
  /// alone.
  void learn(const VisitYield& yield, const std::vector<int>& cpus, bool simulated);
  /// A distance of members on CPUs of their own, in a visit as in learn().
  void add_distance(Nanoseconds trip, const VisitYield& yield, const std::vector<int>& cpus, bool simulated);
  /// Whether cores were shared often enough lately that a probe before a visit is worth its cost.
  bool looks_pay(bool simulated) const { return cores(simulated).alone_lately < almost_always; }
  /// The result of a probe of these CPUs, as in learn(): true where a visit is worth its cost, or the state is unknown.
  bool is_worth(const VisitYield& look, const std::vector<int>& cpus, WantedState wanted, bool simulated);
  /// A point was finished: what others find later is to be of the same clock.
  void keep_usual_clocks(bool simulated) { cores(simulated).levels.keep_usual_clocks(); }
  /// Time spent in probes, and in waiting after them.
  void count_wait(Nanoseconds time) { waited_ = waited_ + time; }

  /// For the journal. `elapsed`: of the session.
  CoresRecord record(int session, Nanoseconds elapsed) const;
  /// For the session's end: what the machine was like, in a line; none where there is nothing to report.
  std::vector<std::string> remarks() const;

 private:
  static constexpr double almost_always = 0.95;
  /// The machine's cores, or simulated ones.
  struct Cores {
    CoreLevels levels;
    double alone_lately = 1;  ///< share of readings, the last fifty or so
    double alone = 0;         ///< ns of batches
    double shared = 0;
    double told = 0;  ///< of batches with a known state
    std::vector<double> distances{};
  };
  struct Told {
    std::size_t readings = 0;
    std::size_t alone = 0;  ///< of them
    std::size_t shared = 0;
  };
  /// `yield`: of the batch's visit.
  static Told told_by(const Batch& batch, const VisitYield& yield, const CoreLevels& levels);
  static void tally(Cores& cores, const Batch& batch, const VisitYield& yield);
  static void learn_clock(CoreLevels& levels, const VisitYield& yield);
  static void note(Cores& cores, bool alone);
  static CoresRecord record_of(const Cores& cores);
  const Cores& cores(bool simulated) const { return simulated ? simulated_ : machine_; }
  Cores& cores(bool simulated) { return simulated ? simulated_ : machine_; }

  Cores machine_;
  Cores simulated_;
  Nanoseconds waited_{};
};

}  // namespace assay
