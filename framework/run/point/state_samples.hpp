// SPDX-License-Identifier: Apache-2.0
// The observations of one point, sorted by what the cores were like when they were made.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "api/description.hpp"
#include "record/state_sorter.hpp"
#include "stats/core/distance_law.hpp"
#include "stats/sample/sample.hpp"

namespace assay {

/// What share of a point's clean batches was found in which state; the rest changed meanwhile.
struct StateShares {
  double alone = 0;
  double shared = 0;
  double unknown = 0;
};

/// Keeps every observation, and sorts them anew when what their readings mean has changed.
class StateSamples {
 public:
  /// Quantity, regime and state. The state "as found" holds all observations.
  struct Key {
    std::size_t quantity = 0;
    Regime regime = Regime::solo;
    CoreState state = {};
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  /// Borrows the measurement's description and the point's traits. `follows`: when its times follow the clock of the
  /// core, so that those at other clocks can be converted to the one that is answered for.
  StateSamples(const Description& measurement, const Traits& traits, WantedState wanted, CoreCycles follows)
      : measurement_(&measurement), traits_(&traits), wanted_(wanted), follows_(follows) {}

  /// Adds the batches of a visit. `levels` is borrowed until the next call.
  void add(const VisitedBatches& visit, const CoreLevels& levels);
  /// The first batches of each visit, the discarded ones among them, that are in no sample.
  void leave_out(std::size_t first);
  /// Forgets everything.
  void clear();
  /// Sorts everything anew by what is known now.
  void settle();

  /// Observations by quantity, regime and state: those in each state, all under "as found", and by spread.
  const std::map<Key, Sample>& samples() const { return samples_; }
  /// The state that is answered for: the one wanted, at the usual clock, the distance where most visits were and the
  /// spread that most batches had. At another clock where the core had that one twice as often as the usual one,
  /// as with more members at work than in other points. As found, of that spread, where nothing is known of states, or
  /// where batches last longer than they do: at one clock as well, where there are several.
  const CoreState& wanted_state() const { return headline_; }
  /// Observations of the primary quantity there, in the regime that most of them have; empty where there are none.
  const Sample& primary() const;
  Regime dominant(const CoreState& state) const;
  /// In the state that is answered for with what was converted to its clock or its distance.
  const Sample& sample(const Key& key) const;
  /// The share of its observations that was.
  double converted(const Key& key) const;
  /// By which law of the distance they were; none where they were not.
  DistanceLaw law(const Key& key) const;
  StateShares shares() const;
  /// For what share of the time others were on the cores, as far as the readings beside clean batches say; 0 where they
  /// say nothing.
  double shared_time() const;
  bool outlasts_states() const { return sorter_.outlasts_states(); }
  bool mixes_clocks(const CoreState& state) const { return sorter_.mixes_clocks(state); }
  /// As of StateSorter.
  Nanoseconds step_in(const CoreState& state) const { return sorter_.step_in(state); }
  CoreClock clock_in(const CoreState& state, bool one_cpu) const { return sorter_.clock_in(state, one_cpu); }
  /// What is known of the CPUs that it was measured on, and of the clocks of their nodes.
  std::vector<CoreLevel> levels() const;
  std::vector<NodeClocks> clocks() const { return levels_ == nullptr ? std::vector<NodeClocks>() : levels_->clocks(); }
  /// At which distances those CPUs were from each other, where there were several.
  std::vector<PairDistances> pairs() const;

 private:
  /// Quantity and regime.
  using Timed = std::pair<std::size_t, Regime>;
  struct Seen {
    int session = 0;
    int incarnation = 0;
    int visit = 0;
    double at = 0;  ///< Observation::at
    Regime regime = Regime::solo;
    bool disturbed = false;
    std::uint16_t position = 0;                 ///< in its visit
    std::vector<std::optional<double>> values;  ///< by quantity
  };

  Nanoseconds value() const;
  void sort_from(std::size_t first);
  void count(std::size_t batch);
  void choose();
  void choose_clock();
  void convert_from(std::size_t first);
  void convert(std::size_t batch);
  std::optional<double> scale_of(std::size_t batch, std::size_t quantity) const;
  bool has_distance() const;
  void learn_laws();
  void learn_laws_of_headline();
  std::optional<PlaneDot> place_of(std::size_t batch) const;
  void add_times(std::size_t batch, std::map<Timed, std::vector<double>>& to) const;
  bool may_convert() const;
  bool is_converted_right() const;
  bool is_time(std::size_t quantity) const;

  /// Those in the state that is answered for, with what was converted to it.
  struct Converted {
    Sample sample;
    std::size_t from_others = 0;
  };

  const Description* measurement_;
  const Traits* traits_;
  WantedState wanted_;
  CoreCycles follows_;
  const CoreLevels* levels_ = nullptr;
  StateSorter sorter_;
  std::vector<Seen> seen_;  ///< by batch
  std::size_t left_out_ = 0;
  std::map<Key, Sample> samples_;
  std::map<Sharing, std::size_t> counts_;      ///< clean batches
  std::map<CoreState, std::size_t> in_state_;  ///< clean batches
  CoreState headline_;
  std::map<Key, Converted>
      converted_;     ///< nothing where all observations in the headline's state were taken at its clock and distance
  CoreState chosen_;  ///< the headline's before its distance was changed to the one that is converted to
  CoreState converted_to_;  ///< the headline's
  Nanoseconds step_{};      ///< of the chain, at its clock
  std::map<Timed, DistanceLaw> laws_;
  CoreState learned_for_;
  std::size_t learn_at_ = 0;  ///< observations
};

}  // namespace assay
