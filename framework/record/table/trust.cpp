// SPDX-License-Identifier: Apache-2.0
// Words of the column of trust.
#include "record/table/trust.hpp"

#include "record/known_cores.hpp"
#include "record/shown_value.hpp"
#include "text/printable.hpp"
#include "text/scale.hpp"

namespace assay {

namespace {

std::string with_modes(const Result& result, const Scale& scale) {
  const std::string modes = unsteady_text(result, scale);
  return to_text(result.verdict.outcome) + (modes.empty() ? "" : ": " + modes);
}

std::string ending_of(const Result& result, const Scale& scale) {
  switch (result.verdict.outcome) {
    case Outcome::max_time:
      return "not converged: out of time";
    case Outcome::max_timings:
      return "not converged: as many timings as allowed";
    case Outcome::no_promise:
      return "no precision was asked for";
    case Outcome::resolution:
      return "limited by the clock's resolution";
    case Outcome::as_found:
      return "not converged: cores hardly ever in one state, all together";
    case Outcome::aborted:
      return "not converged: interrupted";
    case Outcome::bimodal:
    case Outcome::drift:
      return with_modes(result, scale);
    default:
      return outcome_text(result);
  }
}

}  // namespace

std::string trust_text(const PointRecord& point, const Result& result, const Scale& scale, bool says_term) {
  std::string text = ending_of(result, scale);
  if (result.sessions.size() > 1) text += ", over " + std::to_string(result.sessions.size()) + " sessions";
  if (const std::string found = found_text(point, result); result.verdict.outcome != Outcome::as_found)
    text += found.empty() ? "" : ", " + found;
  if (says_term && result.term == Term::short_term) text += ", short-term";
  if (!result.headline.interval.available()) text += ", no interval";
  if (result.noisy) text += ", " + percent_text(result.disturbed_share) + " % of the batches disturbed";
  if (point.reference.moved) text += ", CPUs moved";
  return text;
}

std::string trust_text(const PointRecord& point) {
  std::string text = has_failed(point.outcome) ? to_text(point.outcome) : "no value";
  if (point.reason.empty())
    text += has_failed(point.outcome) ? "" : ": " + to_text(point.outcome);
  else
    text += ": " + printable(point.reason);
  if (!point.code.empty()) text += " (" + printable(point.code) + ")";
  return text;
}

}  // namespace assay
