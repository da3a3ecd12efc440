// SPDX-License-Identifier: Apache-2.0
// How the results of a campaign stand to accepted values, a small file that it is held against, or to earlier ones.
#pragma once
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/archive/entry.hpp"
#include "app/archive/store.hpp"

namespace assay::history {

/// A range that a result may lie in, in its unit.
struct AcceptedValue {
  PlaceOfResult place;
  std::string identity;
  Unit unit = Unit::nanoseconds;
  double low = 0;
  double value = 0;  ///< what was found when it was accepted
  double high = 0;
  std::optional<CoreState> state = {};  ///< of the cores; nothing in files that do not contain it
};

/// What a file of accepted values holds.
struct AcceptedValues {
  std::string title;    ///< of the campaign that they are of
  std::string started;  ///< its date
  Facts facts;          ///< that make another machine or program
  std::vector<AcceptedValue> values;
};

/// The sound results of a campaign, with their intervals widened by `tolerance`, a share of the value, to either side.
/// Only what tables show of the primary quantities.
AcceptedValues accepted_of(const Digest& digest, double tolerance);

/// As JSON, a line for each value, so that people can change one.
std::string to_text(const AcceptedValues& accepted);
/// Inverse. Throws ResultError with `name` and what is wrong.
AcceptedValues parse_accepted(std::string_view text, const std::string& name);

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
