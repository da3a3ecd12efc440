// SPDX-License-Identifier: Apache-2.0
// Room: tests between samples: two campaigns, many levels, links, change points.
// Whether something changed between two groups of incarnations, decided over many points at once.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stats/sample/summary.hpp"

namespace assay {

/// Share of false ones among the changes reported that is accepted.
inline constexpr double usual_q = 0.10;
/// The largest adjusted p of an alarm, which stops a build: a fifth of q, so that where nothing changed one comparison
/// in fifty raises one.
constexpr double alarm_level(double q = usual_q) { return q / 5; }
/// Relative change that is too small to matter.
inline constexpr double usual_margin = 0.02;

/// What a comparison says of a point. Closed list.
enum class Change : std::uint8_t {
  same,    ///< the interval lies within the margin
  faster,  ///< B took less, or had the higher rate
  slower,
  unclear,          ///< neither; the reason states what is missing
  possibly_faster,  ///< like faster, but something else may have made it: sides that were not measured in turn, or
                    ///< chance
  possibly_slower
};
/// "same", "faster", "slower", "unclear", "possibly faster", "possibly slower".
std::string_view to_text(Change change);
/// Faster or slower, or possibly so.
bool is_change(Change change);
/// The same where something else may have made it.
Change only_possible(Change change);

/// By how many times others who share the cores for this share of the time may make a median larger: work that shares
/// a core makes it up to 2.1 times as slow, in every timing where it is there for half of the time or more. 1 where it
/// is there for less than two per cent. What was measured in a state of the cores is out of this.
double largest_sharing_effect(double shared);

/// One point of a comparison: the medians of A's and B's incarnations, the unit of replication. Timings are not: taken
/// for replicates they raise a false alarm for every other unchanged point.
struct Contest {
  std::vector<double> a;
  std::vector<double> b;
  bool is_signed = false;         ///< differences instead of ratios
  bool larger_is_better = false;  ///< a rate: more of it is faster
  double margin = usual_margin;   ///< relative to A
  /// What else may have made ratios, as the largest of them: a change is reported beyond it only. 1: nothing.
  double circumstance = 1;
};

/// The shift of B against A. A ratio B/A where all medians are positive and the quantity has no sign, else the
/// difference B - A in the quantity's unit.
struct Shift {
  bool is_ratio = true;
  double value = 1;   ///< the median of all pairs' ratios or differences (Hodges and Lehmann, Annals of Mathematical
                      ///< Statistics 34, 1963; the ratio by the logarithms)
  Interval interval;  ///< from their ranks, with the level attained; not available below four against four
  double p = 1;       ///< two-sided Mann-Whitney; see MannWhitney::two_sided
};

/// What was found for a point.
struct Finding {
  Shift shift;
  double adjusted_p = 1;  ///< over all points of the comparison
  Change change = Change::unclear;
  std::string reason;  ///< of `unclear`, and of what chance makes possible only: one clause with numbers
  std::optional<int>
      needed;  ///< of `unclear`: incarnations of either side that would settle it; none when more would not
};

/// The shift of one point; NaN with p = 1 and no interval where a value is not finite. Throws std::invalid_argument
/// when a side is empty.
Shift shift_of(const Contest& contest);

/// Adjusted p-values: q-values at which each would just be reported as a change, so that among those reported the
/// expected share of false ones is q (Benjamini and Hochberg, Journal of the Royal Statistical Society B 57, 1995).
std::vector<double> adjusted(std::span<const double> p);

/// Judges all points of a comparison as one family, in their order. A change is reported where its adjusted p is at
/// most `q` and the whole interval of the shift is beyond the margin, and beyond what circumstances can make; as a
/// possible one where p is above alarm_level(q); `same` where the interval lies within the margin and there are
/// incarnations enough for a change of this point alone to be detected among so many points. Throws
/// std::invalid_argument unless 0 < q < 1, and when a side is empty.
std::vector<Finding> compare(std::span<const Contest> points, double q = usual_q);

/// Incarnations of either side below which no single change can be detected among so many points: the least R from 4
/// with 2 R! R! / (2 R)! <= q / points, which is the smallest p there is against the hardest step of Benjamini and
/// Hochberg.
int least_incarnations(std::size_t points, double q = usual_q);

/// Incarnations of either side that a comparison of so many points needs.
struct Replication {
  int least = 0;         ///< for a change of one point to show at all: least_incarnations
  int ten_percent = 0;   ///< to find a change of 10 % in about three cases of four
  int five_percent = 0;  ///< to find one of 5 %
};

/// What is needed for one point alone, where processes differ as recorded ones of seven actions on shared virtual CPUs
/// do, of which 20 and 25 find 10 % and 5 % among 300 points (tests/bench/comparison prints such tables). From there by
/// the standard errors that significance among more or fewer points takes, which agrees with the recorded ones for 30
/// and 4.
Replication replication_for(std::size_t points, double q = usual_q);

}  // namespace assay
