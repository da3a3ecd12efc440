// SPDX-License-Identifier: Apache-2.0
// At which distance of the members each visit of a point was.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/batch.hpp"
#include "stats/core/distance_levels.hpp"

namespace assay {

/// Whether members on CPUs of their own had the same ones in all batches: elsewhere they may be at another distance.
bool stay_in_place(std::span<const JudgedBatch> batches);

/// What a visit says of the distance of its members.
struct VisitDistance {
  int session = 0;
  int incarnation = 0;
  double trip = 0;                 ///< reference round trip, ns; 0: none
  bool counts = false;             ///< its members were apart, in one of its batches at the least
  bool alone = false;              ///< all of them were, when it was read
  std::vector<double> known = {};  ///< levels of their two CPUs (CoreLevels::distances)
  bool bound = false;              ///< to these: members that are not may be moved behind it
};

/// Levels that are a quarter apart are learned from all visits of the point. Those of its CPUs that are nearer to each
/// other are separated by what was read of cores alone, if in at least half of the processes with two such visits the
/// members went from one to another: what differs from process to process only may be the place of the flags in memory.
/// And if they differ by more than a twentieth of the value: what takes longer hardly depends on them. Of members that
/// nothing binds they are not separated; what they are at is named by the level of their CPUs that is within 5 %. What
/// is the only level has a name where visits were all about it, and the value is one that may go with it.
class VisitDistances {
 public:
  /// The next visit, at one of the levels known so far.
  void add(VisitDistance visit);
  /// The levels of all that were added, anew. `value`: of the point, ns; 0: not known.
  void learn(double value);
  void clear() { *this = VisitDistances(); }
  /// 0 where it is not known or the only one; nothing where it is at none of the levels. `nearly`: by those that are
  /// hardly apart as well.
  std::optional<double> level(std::size_t visit, bool nearly) const;
  /// The one that most visits were at; 0 where there is one only.
  double usual(bool nearly) const;
  /// Whether levels that hardly differ are separated.
  bool separates_near() const { return separates_near_; }
  /// Whether what is known of their CPUs is in any of these levels.
  bool uses_known() const { return separates_near_ || named_by_known_; }
  /// The level in the middle of what most visits were at: of those that hardly differ, where they are separated, the
  /// nearest to the median of the round trips read of cores alone; else the usual one.
  double central() const;
  /// The round trip of a visit whose members were alone when it was read, at the same of the levels that are a quarter
  /// apart as `distance`; else 0.
  double trip_near(std::size_t visit, double distance) const;

 private:
  struct Placed {
    VisitDistance visit;
    std::optional<double> far{};   ///< by levels that are a quarter apart
    std::optional<double> near{};  ///< by all
  };
  void place(Placed& one);
  bool splits(const VisitDistance& visit) const;
  bool moves_within_processes() const;
  bool name_by_known(DistanceLevel& level) const;
  bool wanders(const DistanceLevel& level) const;
  std::vector<double> trips_alone_at(double level) const;

  std::vector<Placed> visits_;
  std::vector<DistanceLevel> levels_;
  std::map<double, std::size_t> at_far_;                     ///< visits
  std::map<double, std::map<double, std::size_t>> at_near_;  ///< visits, of each far level
  double value_ = 0;                                         ///< ns
  bool separates_near_ = false;
  bool named_by_known_ = false;
  bool names_only_ = false;  ///< level
};

}  // namespace assay
