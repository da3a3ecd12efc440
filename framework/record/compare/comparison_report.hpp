// SPDX-License-Identifier: Apache-2.0
// A comparison with all that its reader must know, as table, CSV and JSON.
#pragma once
#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "record/compare/pairing.hpp"
#include "record/compare/turns.hpp"
#include "stats/comparison/comparison.hpp"

namespace assay {

/// What a campaign of another day found for a result whose point was measured again beside B.
struct EarlierValue {
  double median = 0;  ///< in the quantity's unit
  Finding since;      ///< from then to A: not interleaved, so a change is a possible one
};

/// A pair with what was found.
struct ComparedResult {
  PairedResult pair;
  double margin = usual_margin;
  Finding finding;
  std::optional<double>
      in_turn{};  ///< share of the visits made in turn (record/compare/turns.hpp), in an interleaved design
  std::optional<EarlierValue> earlier{};
};
/// Whether a result is to be read as of a sequential design: of an interleaved one, what was not measured in turn.
bool is_out_of_turn(const ComparedResult& result);

/// How the two sides were measured.
enum class ComparisonDesign : std::uint8_t {
  interleaved,  ///< in one campaign, in turn, but for what is_out_of_turn
  sequential    ///< one after the other: whatever else changed in between looks like a change
};

/// The campaign of another day that A is a repetition of.
struct EarlierCampaign {
  std::string name;          ///< its directory
  std::string when;          ///< its last session began, UTC
  std::string refusal;       ///< why its values cannot be compared with A's; empty where they can
  bool has_program = false;  ///< whether A's workers are that campaign's program: it is then no part of what changed
};

/// A whole comparison. All results are one family.
struct ComparisonReport {
  std::string a;  ///< what the sides are: directories, or levels of a factor
  std::string b;
  std::string factor;  ///< whose levels are compared; empty for two directories
  ComparisonDesign design = ComparisonDesign::sequential;
  double margin = usual_margin;
  double q = usual_q;
  bool in_percent = false;         ///< the table shows changes in per cent of A in the place of ratios
  std::vector<std::string> notes;  ///< differences between the sides that do not forbid comparing
  std::vector<ComparedResult> results;
  std::vector<Unpaired> unpaired;
  std::size_t numberless = 0;
  std::optional<EarlierCampaign> earlier{};
};

/// The number of results of which a comparison says `change`.
std::size_t count_of(const ComparisonReport& report, Change change);

/// Notes, a table per series, what could not be compared with the reasons, and a line of counts. A result that goes by
/// difference shows "+40 ns" where others show a ratio.
void print_comparison(std::ostream& out, const ComparisonReport& report);

/// A row per result and per point that could not be compared (verdict "refused"). Columns: series, measurement,
/// factors, quantity, unit, regime, state, headline_state_a, headline_state_b (those of the headlines: where they
/// differ, `state` is what both sides have), a, b (medians in the unit), incarnations_a, incarnations_b, scale ("ratio"
/// or "difference"), shift, low, high, level, p, adjusted_p, margin, in_turn, verdict, needed, reason; beside an
/// earlier campaign then (its median), since_shift, since_low, since_high, since_verdict (from then to A). Form as
/// write_csv.
void write_comparison_csv(std::ostream& out, const ComparisonReport& report);

/// One JSON object on one line: "a", "b", "factor", "design", "margin", "q", "notes", "counts", "results" and
/// "refused", members named as the columns are; what is not available is null.
void write_comparison_json(std::ostream& out, const ComparisonReport& report);

}  // namespace assay
