// SPDX-License-Identifier: Apache-2.0
// Which of several units that should be equal (nodes, links, CPUs) deviates from the others.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stats/comparison/comparison.hpp"

namespace assay {

/// What is found of a unit. Closed list.
enum class Oddity : std::uint8_t {
  ok,      ///< the interval of its shift lies within the smallest effect that matters
  slow,    ///< it takes more, or yields less of a rate
  fast,    ///< the other way round
  unclear  ///< undecided; the reason says why
};
/// "ok", "slow", "fast", "unclear".
std::string_view to_text(Oddity oddity);

/// How units are judged.
struct OutlierOptions {
  double alpha = 0.05;            ///< probability of any false alarm in a report
  double margin = 0.05;           ///< smallest effect that matters, relative to the others
  std::size_t family = 1;         ///< tests of this kind in the same report, which share alpha
  bool is_signed = false;         ///< differences instead of ratios
  bool larger_is_better = false;  ///< a rate
};

/// What was found of a unit.
struct UnitFinding {
  Oddity oddity = Oddity::unclear;
  Shift shift;         ///< against the units that agree: a ratio, or a difference where values are not positive
  double p = 1;        ///< as tested, times the number of units it was the most extreme of and of tests in the report
  std::string reason;  ///< a clause with numbers, p aside
  bool is_about_p = false;
};
/// The reason, with p where it is about that.
std::string full_reason(const UnitFinding& finding);

/// Judges units, each with the estimates of its incarnations; these are what is replicated, never timings. Findings in
/// the order of the units.
///
/// The unit whose median lies farthest from the median of all medians is tested against the others by the ranks of
/// their estimates (Mann and Whitney, exact for small groups, so that heavy tails do no harm), at alpha over the units
/// that it was picked from (Bonferroni) and the family. If it differs by more than the margin it is set apart and the
/// rest is tested again, until nothing more is found: alpha bounds the probability of a false alarm, since the rest of
/// equal units is tested once. What is left are the units that agree. Only where more than half of all agree, and lie
/// nearer to each other than to it, is one set apart called slow or fast: of two units that differ, it is undecidable
/// which one deviates, nor of four that form two pairs. `ok` needs an interval within the margin, 95 % against the
/// units that agree, and so enough incarnations: absence of evidence is `unclear`. Estimates must be positive for
/// ratios; with others differences are taken, whose margin is relative to the median of the units that agree.
///
/// Throws std::invalid_argument unless 0 < alpha < 1 and margin > 0.
std::vector<UnitFinding> outliers(std::span<const std::vector<double>> units, const OutlierOptions& options = {});

/// The least incarnations of each of `units` with which one of them can be found at all.
int least_incarnations_of_units(std::size_t units, const OutlierOptions& options = {});

}  // namespace assay
