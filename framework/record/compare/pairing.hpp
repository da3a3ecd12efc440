// SPDX-License-Identifier: Apache-2.0
// Room: comparisons of two campaigns, and averages of several.
// Which results of two campaigns, or of two levels in one, can be compared, and why the others cannot.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/record.hpp"

namespace assay {

/// What one side found for a point's quantity in a regime.
struct Side {
  std::vector<double> processes;      ///< medians of the incarnations of all its sessions
  std::vector<double> sessions;       ///< the median of these by session
  double median = 0;                  ///< as the last session reported it, in the quantity's unit
  Outcome outcome = Outcome::open;    ///< of the point where that was refused, else the result's own
  std::optional<double> shared = {};  ///< of the time, by others, on the CPUs of a result as found; where known
  Reps reps{};                        ///< of its batches
};

/// A point's quantity in a regime, as both sides have it.
struct PairedResult {
  std::string series;
  std::string measurement;
  Point point;        ///< without the factor whose levels are compared
  std::string level;  ///< B's, where levels are compared
  std::string quantity;
  Unit unit = Unit::nanoseconds;
  bool is_signed = false;
  Regime regime = Regime::solo;
  Side a;
  Side b;
  CoreState state = {};       ///< of the cores, on A's side; B's is like it
  CoreState headline_a = {};  ///< the state that A's headline is of
  CoreState headline_b = {};
  /// What B's times were multiplied by to be those at A's clock; 1 where both had it.
  double clock_scale = 1;
  bool is_converted() const { return clock_scale != 1; }
  /// The same for the distance of their members, where it is known how both go with it.
  double distance_scale = 1;
  bool is_of_headlines = true;  ///< else those differ, and this is a state that both sides have beside them
};

/// What cannot be compared.
struct Unpaired {
  std::string series;
  Point point;
  std::string level;
  std::string reason;
};

/// What to pair.
struct PairingRequest {
  std::optional<std::string> quantity;  ///< by default each series' primary one
  bool all = false;                     ///< every quantity and regime, not only those a quarter of the batches were in
  bool accept_marked = false;           ///< also what ended as bimodal, drifting, too noisy and the like
  std::map<std::string, std::string> refused;  ///< series that cannot be compared, with the reason
};

/// Pairs in the order of tables; and everything that has a number on one side at least but no partner.
struct Pairing {
  std::vector<PairedResult> pairs;
  std::vector<Unpaired> unpaired;
  std::size_t numberless = 0;  ///< points that have no number on either side
};

/// Pairs what two lists of records say about the same points. `level` is what B's side is called.
Pairing pair_results(const std::vector<Record>& a, const std::vector<Record>& b, const PairingRequest& request,
                     const std::string& level = {});

/// The levels of a factor among the points of a journal, as text, in the order of tables.
std::vector<std::string> levels_of(const std::vector<Record>& records, const std::string& factor);
/// The records that represent one level of a factor: points at it, without the factor, and what concerns no point.
std::vector<Record> at_level(const std::vector<Record>& records, const std::string& factor, const std::string& level);

}  // namespace assay
