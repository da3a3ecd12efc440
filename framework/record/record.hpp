// SPDX-License-Identifier: Apache-2.0
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
#include "stats/derive.hpp"
#include "stats/sessions.hpp"
#include "stats/steadiness.hpp"
#include "stats/stopping_rule.hpp"
#include "stats/summary.hpp"

namespace assay {

/// Key and value of a provenance fact.
using Facts = std::vector<std::pair<std::string, std::string>>;

/// First record of a journal: what was asked for.
struct CampaignRecord {
  std::string title;
  std::string configuration;  ///< resolved, runnable text
  std::uint64_t seed = 0;
  std::string schedule;  ///< "interleaved" or "consecutive"
};

/// One stretch of running: where, when, with what.
struct SessionRecord {
  int session = 0;
  std::string started;  ///< UTC, for display only
  std::string command_line;
  Facts facts;  ///< build, machine, clock
};

/// A series as resolved, with the units of its quantities.
struct SeriesRecord {
  std::string series;
  std::string measurement;
  std::vector<Quantity> quantities;
  std::string rule;  ///< text of the stopping rule
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
  int stack_padding = 0;  ///< bytes
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
};

/// The period that a headline interval speaks for.
enum class Term : std::uint8_t {
  short_term,  ///< less than min-span of one session
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
};

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
  DisturbanceCounts disturbed{};  ///< batches left out, by cause
  bool simulated = false;         ///< its time was computed, not taken
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

using Record = std::variant<CampaignRecord, SessionRecord, SeriesRecord, IncarnationRecord, VisitRecord, PointRecord,
                            DerivedRecord, NoteRecord, EndRecord>;

/// Where records go. One of the five edges to the world that tests replace.
class Sink {
 public:
  virtual ~Sink() = default;
  /// Keeps one record. A sink that promises durability has it when this returns. Throws StorageError.
  virtual void write(const Record& record) = 0;
};

}  // namespace assay
