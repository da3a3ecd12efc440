// SPDX-License-Identifier: Apache-2.0
// In which state of the cores each batch of a point was, classified by the readings around it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/batch.hpp"
#include "record/visit_distances.hpp"
#include "stats/core/core_clock.hpp"
#include "stats/core/core_levels.hpp"
#include "stats/core/core_state.hpp"
#include "stats/core/distance_law.hpp"

namespace assay {

/// What is known of a visit; borrows.
struct VisitedBatches {
  int session = 0;
  int incarnation = 0;
  int visit = 0;
  std::optional<Nanoseconds> distance;      ///< reference round trip of members on CPUs of their own
  const std::vector<CoreReading>& apart;    ///< VisitRecord::apart
  std::span<const JudgedBatch> kept;        ///< batches that are to be estimated
  std::span<const std::string> nodes = {};  ///< VisitRecord::nodes
  std::size_t discarded = 0;                ///< batches of the visit before those
  Nanoseconds at = {};                      ///< VisitRecord::at; 0 where time says nothing of the values
  Spread before = Spread::unknown;          ///< of the last of the discarded ones
};

/// How times are converted to a state: those of what follows the clock by the steps of the chain, or those of what
/// follows the distance of its members by its law.
struct Conversion {
  CoreState to;
  Nanoseconds step{};  ///< of the chain at its clock; 0: not by the clock
  DistanceLaw law = {};
};

/// A batch alone that was in a state but for its clock, and for its distance, which is of the same level among those
/// that are a quarter apart.
struct Beside {
  double trip = 0;           ///< reference round trip, ns
  Nanoseconds step{};        ///< of the chain, by levels of the node's clock; 0 where it is at none
  bool is_at_clock = false;  ///< of the state
};

/// VisitedBatches::before, for a visit of these batches.
Spread spread_before(std::span<const JudgedBatch> batches, std::size_t discarded);

/// Keeps the readings of a point's visits, since what they mean is learned while a campaign runs. A batch whose
/// readings on both sides say alone, for all members, is alone, unless system calls before its visit were not the usual
/// ones: a neighbour that waits does so for longer than a visit lasts. Where they differ it is of no state; nor is it
/// where fewer than a third of its visit's batches are alone: who works there left for a moment, or came back between
/// two readings, and such batches of flags were a quarter too long. Batches that last longer than states do (above 1
/// ms; or whether the core is alone afterwards hardly depends on whether it was before) are as found, unless the core
/// was alone nearly always. A clock lasts longer than others' work: where the processor has several, what is as found
/// is so at one of them, by the readings of a core alone in its visit. Where members alone were at distances that are
/// hardly apart (NearDistances), and went from one to another within processes, each is a state of its own. A batch
/// right after one of another spread has none: what ran on the other CPUs left its memory there.
class StateSorter {
 public:
  /// Adds a visit.
  void add(const VisitedBatches& visit);
  /// Adds all visits of another, after its own.
  void append(const StateSorter& later);
  /// Judges everything by these levels; what is added later is judged by them as it comes. Borrowed until the next
  /// call. `value`: what the point takes, as far as it is known; 0: it is not.
  void settle(const CoreLevels& levels, Nanoseconds value = {});
  /// True where the levels have changed since, or so many visits were added that distances or durations may be others.
  bool is_outdated(const CoreLevels& levels) const;
  void clear() { *this = StateSorter(); }

  /// Of the n-th batch that was added.
  Sharing sharing_of(std::size_t batch) const { return batches_.at(batch).sharing; }
  /// The same with clock, distance and spread; as found, with the spread, where nothing was read or states do not last;
  /// nothing where it changed.
  std::optional<CoreState> state_of(std::size_t batch) const;
  /// Over how many CPUs it was spread; varied right after a batch of another spread; unknown where that distinguishes
  /// nothing: see usual_spread.
  Spread spread_of(std::size_t batch) const;
  /// Whether it counts for a result of this state: "as found" takes those of all sharings and clocks, unless it names
  /// one.
  bool is_in(std::size_t batch, const CoreState& state) const;
  std::size_t size() const { return batches_.size(); }
  /// The clock during the batches in a state; during all of them for "as found". Where only what `one_cpu` does
  /// follows it, none of batches whose members were on several.
  CoreClock clock_in(const CoreState& state, bool one_cpu) const;
  /// True where there are readings, and batches last longer than states.
  bool outlasts_states() const { return outlasts_; }
  /// As found, of the usual spread; where the processor has several clocks, at the usual one, which is then named.
  CoreState usual_found() const;
  /// Whether batches in a state were at several clocks, none of which has nine tenths of them, or most of which are
  /// not known: what they say together depends on which ones a session met.
  bool mixes_clocks(const CoreState& state) const;
  /// A step of the chain in the visits with batches in a state, the mean of the levels that readings of a core alone
  /// are nearest to; 0 where there were none, or the clocks of the node are not known.
  Nanoseconds step_in(const CoreState& state) const;
  /// By what a time has to be multiplied to be one in this state: 1 for a batch that was in it, and nothing where more
  /// than what is converted was another, or that is not known.
  std::optional<double> scale_to(std::size_t batch, const Conversion& conversion) const;
  /// Nothing where the round trip was not read of cores alone, or more than these differed.
  std::optional<Beside> beside(std::size_t batch, const CoreState& state) const;
  /// On which readings were taken, ascending.
  std::vector<NodeCpu> cpus() const;
  /// The one that most visits of the usual spread were at, as states of this sharing name it; 0 where there is one
  /// only.
  double usual_distance(Sharing sharing) const;
  /// The one of cores alone in the middle of what most visits of the usual spread were at; 0 as for the usual one.
  double central_distance() const;
  /// Whether states are named by what is known of the distances of their CPUs.
  bool uses_known_distances() const { return distances_.uses_known(); }
  /// One CPU or separate ones, whichever most batches had when they were settled; unknown where none is known, or where
  /// at least as many varied, as of more members than there are CPUs.
  Spread usual_spread() const { return usual_spread_; }

 private:
  struct MemberCore {
    std::uint32_t rank = 0;
    int cpu = -1;
    CoreReading before;
    CoreReading after;
  };
  struct KeptBatch {
    std::size_t visit = 0;
    Nanoseconds length{};
    std::vector<MemberCore> cores;  ///< none where nothing was read
    Sharing sharing = Sharing::unknown;
    Spread spread = Spread::unknown;
    bool follows_other = false;  ///< spread
  };
  struct KeptVisit {
    std::size_t first = 0;  ///< batch
    int session = 0;
    int incarnation = 0;
    double distance = 0;
    std::vector<CoreReading> apart;
    std::vector<std::string> nodes;
    NodeCpu cpu;                  ///< of the first member
    Nanoseconds step{};           ///< of the chain, the mean over the visit
    Nanoseconds level{};          ///< that it is at
    bool clock_changed = false;   ///< meanwhile
    bool clock_is_alone = false;  ///< by readings of a core alone: others delay the chain
    bool by_partner = false;      ///< what the members share they share with each other
  };

  void judge(std::size_t visit);
  std::optional<CoreState> state_at(std::size_t batch, std::optional<double> distance) const;
  Nanoseconds known_step(std::size_t batch) const;
  std::optional<double> distance_of(const KeptBatch& batch, Sharing sharing) const;
  VisitDistance seen_distance(const KeptVisit& visit, std::span<const KeptBatch> visited) const;
  void learn_spread();
  void learn_clocks();
  void read_clock(KeptVisit& visit, std::size_t end) const;
  Nanoseconds level_of(const KeptVisit& visit) const;
  void name_clock(const NodeCpu& cpu, Nanoseconds level, CoreState& state) const;
  bool is_alone_at_rest(const KeptVisit& visit, std::size_t end) const;
  bool tells_clock(const KeptVisit& visit) const;
  std::optional<CoreState> found_in(const KeptVisit& visit, Spread spread) const;
  void tally(const KeptBatch& batch, ClockTally& to) const;
  bool shared_by_partner(const KeptVisit& visit, std::size_t end) const;
  Sharing told(const KeptVisit& visit, const MemberCore& core, const CoreReading& reading) const;
  Sharing judged(const KeptVisit& visit, const KeptBatch& batch) const;
  bool has_usual_calls(const KeptVisit& visit, const KeptBatch& batch) const;
  bool lasts();

  const CoreLevels* levels_ = nullptr;
  std::int64_t version_ = -1;
  Nanoseconds value_{};
  std::size_t settle_at_ = 0;  ///< visits
  std::vector<KeptVisit> visits_;
  std::vector<KeptBatch> batches_;
  VisitDistances distances_;
  std::vector<double> rare_steps_;  ///< of the chain, at clocks that are no level of the node's
  Spread usual_spread_ = Spread::unknown;
  bool passes_over_turns_ = false;  ///< what follows another spread
  bool outlasts_ = false;
  bool tells_clocks_ = true;   ///< at least half of the visits have a reading of a core alone, and one clock
  bool nearly_alone_ = false;  ///< by nearly all readings
};

}  // namespace assay
