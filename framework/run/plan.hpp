// SPDX-License-Identifier: Apache-2.0
// Room: the plan of a campaign, and who executes it.
// A campaign as it was asked for, checked and resolved, before anything runs.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/description.hpp"
#include "base/factor.hpp"
#include "base/units.hpp"
#include "design/design.hpp"
#include "platform/placement/placement.hpp"
#include "platform/process/process.hpp"
#include "record/journal/durability.hpp"
#include "run/breaker.hpp"
#include "stats/core/core_state.hpp"
#include "stats/fit/plateaus.hpp"
#include "stats/rule/stopping_rule.hpp"

namespace assay {

/// Batches kept per visit until enough is known to choose.
inline constexpr int first_visit_length = 8;

/// How precisely, and at what cost, the points of a series are measured.
struct Precision {
  RuleSpec rule;
  std::optional<std::size_t> reps;  ///< of a batch, within the measurement's bounds; unset: by calibration
  std::optional<int> batches;       ///< kept per visit; unset: eight at first, then by cost and variance of a visit
  int incarnations = 5;
  Nanoseconds warm_up = milliseconds(5);   ///< of the action, in a fresh incarnation; 0 measures cold on purpose
  Nanoseconds span{};                      ///< least time over which a point's visits are spread
  Nanoseconds min_span = seconds(10);      ///< visits spanning less make the interval short-term
  Nanoseconds deadline = seconds(10);      ///< minimum time after which an unresponsive worker is killed
  std::size_t max_points = 64;             ///< of a refined line
  double noisy = 0.05;                     ///< share of disturbed batches above which a result is marked
  double too_noisy = 0.2;                  ///< the same, above which no point converges
  WantedState state = WantedState::alone;  ///< of the cores, that is answered for
  /// Relative half-width that a point has converged with at the end of its budget, whatever its rule asks for: what a
  /// design asks for beyond the accuracy of the series is no promise to anyone. 0: the rule decides.
  double enough = 0;
  bool spare_time = false;  ///< whether what the campaign's time limit leaves may extend the budgets
};

/// A value to compute over the points of a series: "difference bystander present none", "ratio variant a b", "slope
/// bytes", "plateaus bytes", or of each point: "tail 0.99 0.999"; of the primary quantity unless " of QUANTITY"
/// follows.
struct DerivedSpec {
  enum class Kind : std::uint8_t { difference, ratio, slope, plateaus, tail };
  std::string name;
  Kind kind = Kind::difference;
  std::string factor;
  std::string first;  ///< level, as text; unused by slope and plateaus
  std::string second;
  std::string text;                     ///< as configured
  std::string quantity{};               ///< empty: the primary one
  std::vector<double> probabilities{};  ///< of a tail, whose quantiles are wanted
};

/// One `[series.NAME]`, resolved: every factor has a domain, placements exist on this machine.
struct SeriesPlan {
  std::string name;
  Description measurement;
  /// Factors of the design in order: those of the measurement, then vehicle, members, placement, bystander where they
  /// apply.
  std::vector<FactorDomain> factors;
  PlacementTable placements;  ///< one for each level of factor `placement` and number of members
  Precision precision;
  std::vector<DerivedSpec> derived;
  std::vector<KnownLevel> caches{};  ///< of the machine, which plateaus over sizes are held against
  std::string plugin{};              ///< path of the plugin that has the measurement; empty: built in
  std::vector<std::string> refused;  ///< levels dropped because the machine cannot have them, with the reason
  std::string build;  ///< digest of the plugins that the measurement comes from; empty where it is built in
};

/// Whether the points of a session are measured side by side, in rounds, or one after the other. Values of the two
/// differ by some per cent.
enum class Schedule : std::uint8_t { interleaved, consecutive };
/// "interleaved", "consecutive".
std::string to_text(Schedule schedule);

/// A level of factor `variant`: what is different around a measurement while its points are measured.
struct Variant {
  std::string name;
  std::string setup;                     ///< shell command that changes the system; empty: nothing to change
  std::string teardown;                  ///< that changes it back
  Nanoseconds deadline = seconds(60);    ///< of each command
  int rounds = 2;                        ///< between set-up and tear-down
  std::vector<std::string> environment;  ///< of its workers, "NAME=value"
  std::string program;                   ///< another build of this program for its workers; empty: this one
  std::string loader;  ///< dynamic loader of another C library that starts its workers; empty: the program's own
  std::vector<std::string> libraries;  ///< folders in which that loader looks
  std::vector<std::string> plugins;    ///< for its workers instead of the campaign's, where there are any
  std::string against{};  ///< the program or the directory of a campaign that it stands for; empty: for none
  std::string build{};    ///< identity of `program`, the only one that may serve; empty: any
  /// True when changing to it takes commands: its points are then measured in blocks.
  bool is_hard() const { return !setup.empty() || !teardown.empty(); }
};
/// The variant that changes nothing and need not be declared.
inline constexpr const char* plain_variant = "plain";
/// The factor whose levels variants are, and the two of a campaign that is measured against another program or an
/// earlier campaign: how that measured, and how this program does.
inline constexpr const char* variant_factor_name = "variant";
inline constexpr const char* before_variant = "before";
inline constexpr const char* now_variant = "now";

/// Everything that one request contains.
struct CampaignPlan {
  std::string title;
  std::uint64_t seed = 0;
  std::string output;  ///< directory to create
  std::optional<Nanoseconds> time_limit;
  Nanoseconds reserve = seconds(60);  ///< before the end of a batch job, for ending in good order
  BreakerLimits breaker;
  std::string layout = "plain";  ///< how its results are read as a table (record/table/layout.hpp)
  Schedule schedule = Schedule::interleaved;
  int sessions = 1;                           ///< number of sessions, each of which measures every point
  Nanoseconds every{};                        ///< from the start of a session to that of the next
  bool counter_clock = false;                 ///< the cycle counter, where it is trusted
  int max_workers = 256;                      ///< parked at a time
  WorkerLimits limits;                        ///< of each worker
  std::string launcher;                       ///< of ranks, words with {n} for their number; empty: the usual one
  int relaunches = 2;                         ///< launches that may be lost for a point
  Nanoseconds launch_deadline = seconds(60);  ///< until rank 0 of a launch is at work
  std::vector<std::string> plugins;           ///< paths, each with a slash; loaded by workers only
  Nanoseconds plugin_deadline = seconds(5);   ///< in which a probe has to load and describe each
  Durability durability;                      ///< of the journal
  std::vector<Variant> variants;
  std::vector<SeriesPlan> series;
  std::string configuration;  ///< resolved text, runnable
};

/// True when the levels of a factor are added to adaptively: the plan does not list the points of the series.
bool is_refined(const SeriesPlan& series);
/// The variant that stands for what the plan is measured against; nullptr where it is against nothing.
const Variant* variant_against(const CampaignPlan& plan);
/// The variant that a point names; nullptr for `plain` and where it names none.
const Variant* variant_at(const CampaignPlan& plan, const Point& point);
/// The placement that a point names, among those of its series for that many members; unbound when it names none.
/// Throws std::out_of_range.
const Placement& placement_of(const SeriesPlan& series, const Point& point);
/// Members of the team at a point: factor `members`, else the fewest. Throws std::out_of_range when it is no integer.
int members_of(const SeriesPlan& series, const Point& point);
/// Whether times at a point are made of core cycles: as its measurement says, unless it works with more bytes than the
/// nearest cache of a core holds, or for a time that it was given.
CoreCycles core_cycles_at(const SeriesPlan& series, const Point& point);
/// Whether times at a point are those of one kind of core at its clock, so that they can be converted from one clock to
/// another: never those of ranks, nor what several CPUs do with each other; always what is bound to one.
CoreCycles follows_clock(const SeriesPlan& series, const Point& point);
/// Who executes at a point: factor `vehicle`, else the first that the measurement has there.
std::string vehicle_of(const SeriesPlan& series, const Point& point);
/// True when every member can have a CPU of its own. Throws std::out_of_range as placement_of does.
bool can_spin(const SeriesPlan& series, const Point& point, std::size_t usable_cpus);
/// The reason and code why the number has no meaning at a point, known before measuring: spinning members on one CPU,
/// or unbound on too few (N1), a placement that is not available for that many members (N11), a vehicle that the
/// selected channel does not have. Nothing when it can be tried.
struct NotApplicable {
  Outcome outcome = Outcome::not_applicable;
  std::string code;
  std::string reason;
};
std::optional<NotApplicable> not_applicable(const SeriesPlan& series, const Point& point, std::size_t usable_cpus);

}  // namespace assay
