// SPDX-License-Identifier: Apache-2.0
// Room: records of a campaign and what is common to all their readers.
// What is kept: plain structs, one per kind of journal line.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/batch.hpp"
#include "base/point.hpp"
#include "base/quantity.hpp"
#include "platform/procfs/thread_states.hpp"
#include "stats/core/core_clock.hpp"
#include "stats/core/core_state.hpp"
#include "stats/core/distance_law.hpp"
#include "stats/fit/propagation.hpp"
#include "stats/rule/sessions.hpp"
#include "stats/rule/stopping_rule.hpp"
#include "stats/sample/summary.hpp"
#include "stats/steadiness/reference.hpp"
#include "stats/steadiness/steadiness.hpp"

namespace assay {

/// Key and value of a provenance fact.
using Facts = std::vector<std::pair<std::string, std::string>>;
/// The value of a fact; empty where it is missing.
std::string fact_of(const Facts& facts, std::string_view key);

/// First record of a journal: what was asked for.
struct CampaignRecord {
  std::string title;
  std::string configuration;  ///< resolved, runnable text
  std::uint64_t seed = 0;
  std::string schedule;  ///< "interleaved" or "consecutive"
  std::string id = {};   ///< of what it requests, by meaning (run/series/identity.hpp)
};

/// One run of a session, or of a part of it: where, when, with what.
struct SessionRecord {
  int session = 0;
  std::string started;  ///< UTC, for display only
  std::string command_line;
  Facts facts;  ///< build, machine, clock
  /// True where it goes on with what the session before left unfinished: the two measure the points once between them.
  bool continues = false;
  /// True on another machine than the sessions before: it measures everything anew, and nothing before it counts.
  bool new_machine = false;
  std::string configuration = {};  ///< resolved, where it is not the one before; later sessions are held to it
};

/// A series as resolved, with the units of its quantities.
struct SeriesRecord {
  std::string series;
  std::string measurement;
  std::vector<Quantity> quantities;
  std::string rule;          ///< text of the stopping rule
  std::string version = {};  ///< of the measurement, with the build of its plugin where it comes from one
};

/// A visit is about to begin, its incarnation included: what was in flight when a session ended without saying so.
struct BeginRecord {
  std::string series;
  Point point;
  int session = 0;
  int incarnation = 0;
  int visit = 0;         ///< counts through the campaign
  bool retried = false;  ///< the point was in flight when an earlier session was lost: on the disk before it begins
};

/// A fresh process for a point: what it took to get ready.
struct IncarnationRecord {
  std::string series;
  Point point;
  int session = 0;
  int incarnation = 0;
  int process = 0;        ///< process id
  std::vector<int> cpus;  ///< bindings read back, by rank; empty when unbound
  Nanoseconds warm_up{};  ///< time of the action before its first visit
  std::int64_t warm_up_reps = 0;
  int stack_padding = 0;        ///< bytes
  int memory = -1;              ///< node on which shared objects were found to be; -1: they were not put anywhere
  Nanoseconds clock_step = {};  ///< as measured in it
  std::string id = {};          ///< of what is measured in it, as the point's record has it
  Nanoseconds took{};           ///< wall time from asking for the process until it was open, without the warm-up
  int loop_copy = -1;           ///< of each timed loop, that it ran; -1 in journals of programs without copies
};

/// A worker that did not survive: how it ended, and what was seen of it.
struct FailureRecord {
  std::string series;
  Point point;
  int session = 0;
  int incarnation = 0;
  int visit = 0;
  Outcome outcome = Outcome::failed;
  std::string reason;                ///< as the point's record has it
  std::string last_heard;            ///< "silent", "slow but alive", or empty where it ended by itself
  std::string output;                ///< what it wrote to its standard output and error, capped
  std::vector<ThreadState> threads;  ///< at the deadline
};

/// A part of the primary quantity that has a name of its own, over all batches of a visit that are estimated.
struct NamedPart {
  std::string name;
  double value = 0;        ///< sum over the batches, in the quantity's unit
  std::int64_t count = 0;  ///< how often it occurred
};

/// A visit with its raw batches, in order; `discarded` counts those at its start that are kept but not estimated.
struct VisitRecord {
  std::string series;
  Point point;
  int session = 0;
  int incarnation = 0;
  int visit = 0;  ///< counts through the campaign: the order in time
  int round = 0;
  Nanoseconds at{};    ///< since the session's start
  Nanoseconds took{};  ///< wall time of the visit as the supervisor saw it
  int discarded = 0;
  std::optional<Nanoseconds> reference;  ///< reference round trip beside this visit
  std::vector<JudgedBatch> batches;
  std::vector<CoreReading> apart = {};          ///< by rank, before the first batch, while the other members rested
  std::optional<Nanoseconds> clock_bound = {};  ///< most that a stamp was wrong on the ranks' common clock, if any
  std::vector<std::string> nodes = {};          ///< of the members, by rank; none where all are on the session's own
  std::vector<NamedPart> parts = {};            ///< of the primary quantity, where the measurement looks for them
};

/// The period that a headline interval is valid for.
enum class Term : std::uint8_t {
  short_term,  ///< less than min-span of one session; or while a hypervisor wakes sleepers and a kernel gives memory as
               ///< it did, clocks are those met, or others take as much of the CPUs
  session,     ///< one session, or two
  long_term    ///< three sessions or more, each of which counts once
};
/// "short-term", "session", "long-term", and back.
std::string to_text(Term term);
std::optional<Term> parse_term(std::string_view text);

/// The result for one (point, quantity, regime).
struct Result {
  std::string quantity;
  Unit unit = Unit::nanoseconds;
  Regime regime = Regime::solo;
  double regime_share = 1;  ///< of the point's clean batches
  Verdict verdict;          ///< with the rule's estimate
  Estimate headline;        ///< median with the headline interval, whatever the rule
  Summary summary;          ///< of the clean observations without warm-up
  int visits = 0;           ///< all of them, warm-up included
  int incarnations = 0;
  double disturbed_share = 0;
  bool noisy = false;         ///< more batches were disturbed than the series calls quiet
  double within_spread = 0;   ///< interquartile range within incarnations over the median
  double between_spread = 0;  ///< standard deviation of the logs of incarnation medians
  Term term = Term::session;
  Nanoseconds span{};  ///< time between the first and the last visit of this session
  Steadiness steadiness;
  std::vector<IncarnationMedian> processes;  ///< of this session; comparisons rest on them
  std::vector<SessionEstimate> sessions;     ///< this one last; empty when it does not count
  int stretches = 1;       ///< sessions that its observations are from: more than one where the first was interrupted
  CoreState state = {};    ///< of the cores while its observations were made
  double state_share = 1;  ///< of the point's clean batches that were in it
  CoreClock clock = {};    ///< of the cores meanwhile, where it is a time that follows it
  AnotherDay another_day;  ///< learned from its sessions; nothing with fewer than four of them
  double converted = 0;    ///< share of its observations that were taken at another clock, and converted to the state's
  DistanceLaw law = {};    ///< by which those at other distances were converted as well, and count for `converted`
};

/// How the reason of a verdict begins where a result is of another state than the one that was answered for.
inline constexpr std::string_view other_state = "other state";

/// A finished point. `results` is empty when it yielded no number; `outcome` and `reason` then say why.
struct PointRecord {
  std::string series;
  std::string measurement;
  Point point;
  Outcome outcome = Outcome::open;
  std::string reason;
  std::string code;  ///< N1..N11 for not-applicable
  Reps reps;
  std::vector<Result> results;
  DisturbanceCounts disturbed{};                ///< batches left out, by cause
  bool simulated = false;                       ///< its time was computed, not taken
  ReferenceTrips reference{};                   ///< of the members' CPUs; `moved` only where they were bound
  std::string id = {};                          ///< of what was measured, by meaning (run/series/identity.hpp)
  std::optional<Nanoseconds> clock_bound = {};  ///< largest of its visits: stamps of ranks are no better than that
  bool unfinished = false;                      ///< the session ended before it was: one that continues goes on with it
  std::string library = {};   ///< C and thread library of its workers, where a variant may have others than the session
  double events_per_rep = 1;  ///< what its observations were divided by, beside the repetitions
  /// The same quantities in other states of the cores, where they were visited often enough; "as found" among them.
  std::vector<Result> others = {};
  std::vector<CoreLevel> cores = {};  ///< by which states were classified, of the CPUs that it was measured on
  int settled = 0;  ///< batches at the start of each visit, discarded ones among them, that no result is made of
  std::vector<NodeClocks> clocks = {};    ///< by which states were named
  std::vector<PairDistances> pairs = {};  ///< the same
};

/// The result for a quantity, the point's first unless named, in the regime that most batches were in; null where it
/// has none.
const Result* dominant_result(const PointRecord& point, std::string_view quantity = {});

/// Whether placements that the machine's symmetry makes equal were found to be so.
enum class Symmetry : std::uint8_t {
  homogeneous,  ///< no difference beyond that between processes was found
  split,        ///< they differ, or their regimes do
  unclear       ///< too few of them, or of their processes, for a verdict
};
/// "homogeneous", "split", "unclear", and back.
std::string to_text(Symmetry symmetry);
std::optional<Symmetry> parse_symmetry(std::string_view text);

/// The comparison of the representatives of one class of placements.
struct SymmetryTest {
  /// One of them with its headline.
  struct Representative {
    std::string placement;
    double value = 0;
  };
  Symmetry verdict = Symmetry::unclear;
  double p = 1;                 ///< of a rank test over the medians of the processes; NaN where none was made
  std::int64_t placements = 0;  ///< compared
  Representative lowest;
  Representative middle;  ///< the lower one of two
  Representative highest;
  std::string unit;  ///< of the representatives' values; the record's own value is the highest over the lowest
};

/// A value computed over points of a series.
struct DerivedRecord {
  std::string series;
  std::string name;
  std::string formula;  ///< as configured
  Point group;          ///< the levels that are common to its inputs
  std::string quantity;
  Regime regime = Regime::solo;
  std::string unit;
  Derived derived;
  std::optional<SymmetryTest> symmetry = {};  ///< where the value is highest over lowest representative of a class
};

/// What the design of a series was informed of a point that went on being measured then.
struct AnswerRecord {
  std::string series;
  Point point;
  double value = 0;  ///< of the quantity by which levels are added
  double relative_half_width = 0;
};

/// The system is about to be changed to a variant by its set-up command, or was changed back by its tear-down.
struct VariantRecord {
  std::string variant;
  int session = 0;
  bool stands = false;  ///< true before the set-up, false after the tear-down
};

/// One rank of a launch as it found itself.
struct LaunchedRank {
  std::string node;       ///< name of its machine
  int process = 0;        ///< its id there
  std::vector<int> cpus;  ///< that it may use: the binding that the launcher gave it, read back
  friend bool operator==(const LaunchedRank&, const LaunchedRank&) = default;
};

/// A launch of ranks, which is one incarnation of the points that it visits: it begins, or it has ended.
struct LaunchRecord {
  int session = 0;
  int launch = 0;                   ///< counts through the campaign, from 1
  std::vector<LaunchedRank> ranks;  ///< in their order; none at the end
  std::string ended;                ///< "complete" and the like by rank 0, how it was lost; empty where it begins
  int left = 0;                     ///< points that need further launches, at the end
};

/// Written by rank 0 for who watches it, and kept nowhere else: the next record is due within this time.
struct AliveRecord {
  Nanoseconds next{};
};

/// What a session learned of the cores it measured on, and how often others worked on them; or of the nodes of a
/// cluster, one record for each and one more where launches read them, too.
struct CoresRecord {
  int session = 0;
  int cycles_per_step = 0;  ///< of the chain (base/core_reading.hpp) on the session's own node; 0: not known
  std::vector<CoreLevel> levels;
  double alone = 0;                   ///< share of the time in batches during which the members' cores were alone
  double shared = 0;                  ///< the same for shared; the rest changed meanwhile or was not read
  std::vector<double> distances;      ///< ns, of the members of teams
  double waited = 0;                  ///< share of the session's time that was spent looking for a core that is alone
  std::string node = {};              ///< whose cores they are, in the report on a cluster; else empty
  bool by_ranks = false;              ///< read in launches between nodes, not in the node's own campaign
  std::vector<NodeCores> nodes = {};  ///< that are named among the levels
  std::vector<NodeClocks> clocks = {};
  std::vector<PairDistances> pairs = {};
};

/// A node in the report on a cluster, with those facts of its own campaign that nodes of one kind have in common
/// (record/cluster/node_causes.hpp).
struct NodeRecord {
  std::string node;
  Facts facts;
};

/// Something the reader of the results should know.
struct NoteRecord {
  std::string text;
};

/// Last record of a session.
struct EndRecord {
  int session = 0;
  std::string reason;      ///< "complete", "time-limit", "signal"
  int points = 0;          ///< finished in this session
  int without_result = 0;  ///< of these: failed or timed out
  Nanoseconds took{};
};

using Record = std::variant<CampaignRecord, SessionRecord, SeriesRecord, BeginRecord, IncarnationRecord, VisitRecord,
                            FailureRecord, PointRecord, DerivedRecord, VariantRecord, NoteRecord, EndRecord,
                            LaunchRecord, AliveRecord, CoresRecord, NodeRecord, AnswerRecord>;

/// Where records go. One of the five edges to the world that tests replace.
class Sink {
 public:
  virtual ~Sink() = default;
  /// Keeps one record. A sink that promises durability has it when this returns. Throws StorageError.
  virtual void write(const Record& record) = 0;
};

}  // namespace assay
