// SPDX-License-Identifier: Apache-2.0
// How the results of a campaign stand to accepted ones, or to earlier ones.
#pragma once
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "app/archive/accepted.hpp"
#include "app/archive/store.hpp"

namespace assay::history {

/// What is said of a point. Closed list.
enum class Acceptance : std::uint8_t {
  slower,   ///< all of its interval is outside, on the worse side
  faster,   ///< likewise on the better one
  unclear,  ///< undecided; the reason says what is missing
  missing,  ///< there is no number where one was expected
  marked,   ///< its number is not to be relied on
  ok
};
/// "slower", "faster", ...
std::string_view to_text(Acceptance acceptance);
/// All of them in the order of tables.
inline constexpr Acceptance all_acceptances[] = {Acceptance::slower,  Acceptance::faster, Acceptance::unclear,
                                                 Acceptance::missing, Acceptance::marked, Acceptance::ok};

/// One point of a check.
struct Judged {
  PlaceOfResult place;
  Unit unit = Unit::nanoseconds;
  KnownValue known;  ///< value NaN where there is none
  std::string marks;
  CoreState state;              ///< of the cores
  double expected = 0;          ///< NaN where nothing was
  Interval range;               ///< accepted, or in which a further result lies by the earlier ones of its level
  AnotherDay another_day = {};  ///< by all earlier ones; nothing against accepted values
  Acceptance acceptance = Acceptance::ok;
  std::string reason;
};

/// A check as a whole.
struct CheckReport {
  std::string campaign;            ///< its path
  std::string against;             ///< in words
  std::vector<std::string> notes;  ///< what else its reader has to know
  std::vector<Judged> points;
  std::size_t count(Acceptance acceptance) const;
};

/// Holds a campaign against accepted values: `ok` where the whole interval lies in the accepted range, `unclear` where
/// it has parts of both, and where the cores were never in the state that was accepted. Throws ResultError where
/// processor or architecture are others.
CheckReport check_accepted(const Digest& digest, const AcceptedValues& accepted);

/// Holds it against what the earlier campaigns of a history that are of the same node and environment found in like
/// states of the cores, from the last change of level on: a point is slower or faster where departure_of finds that,
/// adjusted over all points (Benjamini and Hochberg) at q = usual_q, and by more than usual_margin.
CheckReport check_history(const Digest& digest, History& history);

/// Writes a report in a format, "table", "csv", "json" or "lines"; false for another one.
bool write_report(std::ostream& out, const CheckReport& report, std::string_view format);

/// True where less of the quantity is worse.
bool more_is_better(Unit unit);

}  // namespace assay::history
