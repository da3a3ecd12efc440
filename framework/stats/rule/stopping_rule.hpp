// SPDX-License-Identifier: Apache-2.0
// Room: stopping rules: when a sample suffices, and what is reported then.
// When a sample suffices, why measuring ended, and the least that a rule can be satisfied with.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/typed.hpp"
#include "base/units.hpp"
#include "stats/sample/sample.hpp"
#include "stats/sample/summary.hpp"

namespace assay {

/// Why measuring of a point ended, or that it has not. Closed list.
enum class Outcome : std::uint8_t {
  open,         ///< more is needed
  converged,    ///< the rule's promise is kept
  max_timings,  ///< the budget of timings is spent; the half-width reached is reported
  max_time,     ///< the budget of time is spent
  no_promise,   ///< the rule is satisfied, and its satisfaction says nothing of accuracy
  bimodal,
  drift,          ///< the sample is not of one steady thing
  resolution,     ///< the clock's step is wider than the accuracy asked for
  too_noisy,      ///< hardly a batch was undisturbed: there is no value
  as_found,       ///< the cores were hardly ever in the state that is wanted: the value is over all batches
  aborted,        ///< the campaign was stopped
  timeout,        ///< a visit passed its deadline; the worker was killed
  failed,         ///< a member threw, crashed or broke the protocol
  unsupported,    ///< the measurement is not available here
  not_applicable  ///< the number has no meaning at this point (code N1..N11)
};
/// "converged", "max-timings", ... and back.
std::string to_text(Outcome outcome);
std::optional<Outcome> parse_outcome(std::string_view text);
/// True when measuring ran to the end that its rule or budget set, so that there are values of what was asked for:
/// converged, max_timings, max_time, no_promise.
bool ran_its_course(Outcome outcome);
/// True when something went wrong: it failed or timed out. What has no meaning or is not available is no failure.
bool has_failed(Outcome outcome);
/// True when there may be a result once something was mended: it failed, timed out, or was not available.
bool may_be_retried(Outcome outcome);
/// Whether others on the cores kept it from what was asked for: hardly a batch was undisturbed, or in the state wanted.
bool lacks_batches(Outcome outcome);

/// The value a rule reports and the interval that belongs to that statistic.
struct Estimate {
  std::string statistic;  ///< "median", "mean", "quantile 0.1"
  double value = 0;
  Interval interval;
  std::string basis;  ///< the level that decided the interval: "visits", "incarnations", "periods", "values"
  /// Larger distance from value to an end, over |value|; infinity when there is no interval or the value is 0.
  double relative_half_width() const;
};

/// The outcome of an interim analysis.
struct Verdict {
  Outcome outcome = Outcome::open;
  std::string reason;  ///< one clause with numbers: "half-width 1.3 % <= 2 % after 14 visits"
  Estimate estimate;
  double effort = 1;  ///< times the sample, by what is lacking besides a narrow interval; 1 where nothing is
  bool stop() const { return outcome != Outcome::open; }
};

/// What has been spent on a point, the clock's part in it, and that of other campaigns.
struct Spent {
  Nanoseconds time{};    ///< wall time of its visits
  double half_step = 0;  ///< q / (2 K): half the clock's step per event
  double between = 0;    ///< Accuracy::between
};

/// Bounds that every rule shares, resolved. Timings are clean observations.
struct Budget {
  int min_visits = 8;
  std::size_t min_timings = 5;
  std::size_t max_timings = 4000;
  Nanoseconds max_time = seconds(5);
};

/// Bounds as asked for. Unset ones take the rule's own default.
struct BudgetSpec {
  std::optional<int> min_visits;
  std::optional<std::size_t> min_timings;
  std::optional<std::size_t> max_timings;
  std::optional<Nanoseconds> max_time;
};

/// A named rule with its parameters. Stateless: a verdict depends on the sample alone, so it can be recomputed from a
/// journal.
class StoppingRule {
 public:
  virtual ~StoppingRule() = default;
  /// Name and every parameter; parse_rule reads it back: "median-ci(eps=0.02,alpha=0.05,max-timings=4000,...)".
  virtual std::string text() const = 0;
  /// An interim analysis of the sample. Budgets apply after the rule's own criterion; before the floors nothing but
  /// `open` or a spent budget is returned. A value that is not finite can satisfy no rule: the verdict is `failed`.
  virtual Verdict check(const Sample& sample, const Spent& spent) const = 0;
  /// True when `check` is worth calling at this number of visits (geometric spacing). Between analyses only a spent
  /// time budget is news.
  virtual bool is_look(int visits) const { return visits > 0; }
};

/// Parameters of a rule before it is built. Unset ones take the rule's own default.
struct RuleSpec {
  std::string name = "median-ci";
  /// What stands behind the name's colon: p of `quantile-ci`, timings of `fixed`, nanoseconds of `time`.
  std::optional<double> argument;
  std::optional<double>
      eps;  ///< relative half-width, relative standard error or relative deviation, by rule; unused by those that count
  double alpha = 0.05;  ///< 1 - confidence
  std::optional<double>
      floor;  ///< absolute accuracy below which relative accuracy is not asked for, in the quantity's unit
  BudgetSpec budget;
  int max_incarnations = 10;    ///< more are added while the between-process part decides the interval
  std::vector<RuleSpec> parts;  ///< of `all` and `any`; the budget is that of the combination, theirs is unused
};

/// Relative half-width of rules that are asked for none, and what the others are prepared for.
inline constexpr double standard_accuracy = 0.02;

/// What an estimate is to reach.
struct Accuracy {
  double alpha = 0.05;             ///< 1 - confidence
  double eps = standard_accuracy;  ///< relative half-width that matters
  double floor = 0;                ///< absolute half-width below which nothing matters
  double half_step = 0;            ///< half the clock's step per event
  /// Relative half-width of what campaigns differ by, and of which a single one has no trace (a part of type B: JCGM
  /// 100:2008, 4.3). Of each session by itself; 0 where nothing is known of any.
  double between = 0;
};

inline constexpr ShareRange eps_range = any_share;
inline constexpr ShareRange alpha_range{0.5, "above 0 and at most 0.5"};

/// A parameter of a rule is impossible; what() says "eps of rule median-ci must be above 0 and at most 1".
class RuleError : public std::invalid_argument {
 public:
  RuleError(const std::string& rule, std::string_view parameter, std::string_view condition);
  /// "eps", "max-time", "parts", what the rule calls its argument, or "argument" where it has none.
  const std::string& parameter() const { return parameter_; }

 private:
  std::string parameter_;
};

/// The rules that exist, "median-ci" first, the combinations "all" and "any" last.
std::vector<std::string> rule_names();
/// What there is to say of a rule, in sentences.
struct RuleHelp {
  std::string summary;   ///< in one line
  std::string stops;     ///< when: the formula
  std::string reports;   ///< which statistic with which interval
  std::string standard;  ///< the defaults
  std::string expect;    ///< what it costs, and what its intervals are worth
};
/// Throws std::invalid_argument for an unknown name.
RuleHelp rule_help(std::string_view name);
/// Builds a rule. Throws RuleError when a parameter is impossible, std::invalid_argument for an unknown name.
std::unique_ptr<StoppingRule> make_rule(const RuleSpec& spec);

/// The bounds that a rule built from `spec` keeps to: what was asked for, else the rule's own default. Those of a
/// combination are its own, else the widest of its parts'. Throws as make_rule does.
Budget budget_of(const RuleSpec& spec);
/// True when the rule, or one of its parts, is about accuracy and not only about counts. Throws std::invalid_argument
/// for an unknown name.
bool has_accuracy(const RuleSpec& spec);

/// The accuracy aimed at, defaults included: eps is the least of the rule and its parts, standard_accuracy where none
/// has one. Throws std::invalid_argument for an unknown name.
Accuracy accuracy_of(const RuleSpec& spec);

/// The same rule asking for an accuracy of `factor` times that of `spec`, and so do its parts; what counts only stays
/// as it is.
RuleSpec sharpened(RuleSpec spec, double factor);
/// The same rule, which requires no more than a relative accuracy of `eps`, and so do its parts.
RuleSpec loosened(RuleSpec spec, double eps);

/// The median with the headline interval, whatever rule decides when to stop, of the sample without its warm-up (see
/// stats/steadiness/steadiness.hpp; stats/rule/estimate.hpp has all findings of an interim analysis): the visit-based
/// interval and, from three incarnations on, the t interval over the logs of their medians (of the medians themselves
/// where one is not positive; those with less than a fifth of the usual number of observations have no say), each side
/// by the one that reaches further. The basis names the one that reaches furthest from the median: "visits",
/// "incarnations" or, below, "periods". All intervals are kept whole: the t interval moved to the median of all values
/// would promise too much, since the middle of five medians errs 1.2 times as much as their mean, and choosing one of
/// the two loses a per cent of coverage where they lie to different sides. The level is the lower of the two.
///
/// Where visits differ by more than they vary within, the ranks of the visit-based interval can fall outside the
/// sample. Given three incarnations, the widest t interval over the logs of the medians of 1, 2 and 4 neighbouring
/// visits (of five groups or more) then takes its place, so that a change with time, which incarnations dealt in turn
/// share, is not lost. With fewer than five visits the incarnations alone decide. With fewer than three incarnations no
/// interval is available in either case.
///
/// What a machine is like changes within seconds, and visits may be many in one and few in the others. Where periods of
/// the visits' time differ (periods.hpp), the t interval over the logs of their medians has its say as that of the
/// incarnations has: each period counts once, however many visits it has.
///
/// Few long observations, 5 to 31 visits of one clean batch each: the rank interval at the level it attains (the
/// extremes where n is too small for 1 - alpha), extended by the t interval over the logs of the values; basis
/// "values".
///
/// Every interval is widened by `half_step` on both sides, and has what campaigns differ by (`between`, of Accuracy)
/// added to each side in squares. The value is NaN for an empty sample, and for one that holds a value that is not
/// finite.
Estimate headline(const Sample& sample, double alpha, double half_step, double between = 0);

/// Visits, and time of measuring.
struct MinimumEffort {
  std::int64_t visits = 1;
  Nanoseconds time{};
};

/// What a point costs that its rule is satisfied with, or gives up, as early as can be: with visits of `batches` kept
/// ones each, dealt in turn over so many incarnations. Long actions, which are known only once measured, may need fewer
/// visits, and more time. Throws as make_rule does.
MinimumEffort minimum_effort(const RuleSpec& rule, int incarnations, int batches);

}  // namespace assay
