// SPDX-License-Identifier: Apache-2.0
// What the program judges of the cores, batch by batch, found again in the visits of a journal.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/known_cores.hpp"
#include "record/record.hpp"
#include "record/state_sorter.hpp"

namespace assay {

/// A member's part of a batch, as a reading of its CPU.
struct JudgedCore {
  NodeCpu cpu;
  Sharing sharing = Sharing::unknown;
  Nanoseconds length{};  ///< of the batch
  Nanoseconds chain{};   ///< of a step, before it; 0 where the reading was told with an earlier batch, or has no clock
};

/// A visit with what was judged of it.
struct JudgedVisit {
  int session = 0;
  int visit = 0;
  /// By batch, as results name them; "mixed" where it changed meanwhile, empty where it does not count: at a visit's
  /// start, or before the point was calibrated again.
  std::vector<std::string> states;
  std::vector<JudgedCore> cores;  ///< by batch and rank, where they were read; none of computed time
};

/// Judges visits as the campaign did when it finished their points. Needs everything else first, then the visits.
class CoreLog {
 public:
  /// Takes what was finished, and what sessions learned of their cores.
  void know(const std::vector<Record>& records);
  /// The session and visit records of a journal, in their order.
  void add(const Record& record);
  /// All visits in their order.
  std::vector<JudgedVisit> visits() const;
  /// By CPU what is known of it alone, of several sources the least; those that nothing proves have been alone are not
  /// among them.
  std::vector<CoreLevel> levels() const;
  int cycles_per_step(const std::string& node) const { return nodes_.cycles_per_step(node); }

 private:
  /// The visits of a point in a session, with the same number of repetitions.
  struct Calibrated {
    StateSorter sorter;
    /// Of visits_, with how many batches are to be estimated in each.
    std::vector<std::pair<std::size_t, std::size_t>> visits;
    bool is_last = false;  ///< the last of its session
  };
  using ByReps = std::map<std::int64_t, Calibrated>;
  /// What a finished point says of its visits.
  struct Finished {
    CoreLevels levels;
    int sessions = 1;  ///< that its results are of
    bool has_distances = false;
    bool is_simulated = false;
  };

  void know(const CoresRecord& cores);
  void know(const PointRecord& point);
  void add(const VisitRecord& visit);
  const Finished* finished(const std::string& point) const;
  const CoreLevels& levels_in(int session) const;
  std::vector<JudgedCore> judged(const VisitRecord& visit) const;
  static std::vector<Calibrated> groups_of(const std::map<int, ByReps>& sessions, std::size_t together);
  void sort(const std::string& point, const std::map<int, ByReps>& sessions, std::vector<JudgedVisit>& to) const;

  KnownNodes nodes_;
  std::map<NodeCpu, CoreLevel> least_;
  std::map<std::string, Finished> finished_;  ///< by what a line is about
  std::map<int, CoreLevels> in_session_;      ///< as it was known at its end
  CoreLevels elsewhere_;                      ///< as points and other sessions have it, for sessions that were cut off
  std::vector<JudgedVisit> visits_;           ///< without states
  std::map<std::string, std::map<int, ByReps>> points_;
};

}  // namespace assay
