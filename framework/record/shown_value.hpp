// SPDX-License-Identifier: Apache-2.0
// Values with their intervals as texts, and the marks of values that are not to be taken at their word.
#pragma once
#include <string>
#include <string_view>

#include "record/record.hpp"
#include "text/scale.hpp"

namespace assay {

/// Larger distance from the value to an end of its interval; infinity when there is no interval.
double half_width(double value, const Interval& interval);

/// A value and its interval in one scale and with the same digits; the ends are "-" when there is no interval.
struct ShownValue {
  std::string value;
  std::string low;
  std::string high;
};
ShownValue shown(double value, const Interval& interval, const Scale& scale);

/// The value in at most four significant digits, fewer where its interval supports no more; counts up to 2^53 in full.
std::string short_text(const Estimate& estimate, Unit unit);

/// A derived ratio; "n/a" where it has no value, "-" where it was not asked for.
std::string ratio_text(const DerivedRecord* ratio);

/// A share in per cent without the sign, two digits or more: "0.64", "3.1", "12"; "-" for one that is not finite.
std::string percent_text(double share);

/// The regime, with its share of the clean batches where there are several.
std::string regime_text(const Result& result);

/// Marks of a point's result, each a letter with a meaning: not converged, short-term, disturbed, without interval, and
/// taken while its CPUs moved.
std::string marks_of(const PointRecord& point, const Result& result);
/// What a mark means, and all marks in their order.
std::string_view meaning_of(char mark);
inline constexpr std::string_view all_marks = "!~#?^";

/// The outcome of a result in a word or two; a regime that did not decide when to stop is "minor regime", and a state
/// of the cores that did not "other state".
std::string outcome_text(const Result& result);
/// The same with the number of sessions where there are several.
std::string verdict_text(const Result& result);
/// "2 visits of warm-up left out".
std::string warm_up_text(int dropped);
/// What a result's reader must know beyond the number, the first three causes of it: drift, and the modes with their
/// shares and values; empty when the sample was of one steady thing. Values are in `scale`.
std::string unsteady_text(const Result& result, const Scale& scale);
/// "reference round trips 62.0 and 367 ns", between which a point's CPUs moved; empty when they did not.
std::string moved_text(const PointRecord& point);
/// The outcome of a point without a number, with code and reason.
std::string verdict_text(const PointRecord& point);

}  // namespace assay
