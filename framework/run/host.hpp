// SPDX-License-Identifier: Apache-2.0
// Where visits happen, as the campaign sees it: one of the five edges to the world that tests replace.
#pragma once
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/found_parts.hpp"
#include "base/batch.hpp"
#include "base/point.hpp"
#include "base/units.hpp"
#include "platform/procfs/thread_states.hpp"
#include "run/plan.hpp"
#include "stats/rule/stopping_rule.hpp"

namespace assay {

/// Names one process: the k-th incarnation of a point of a series.
struct IncarnationKey {
  std::size_t series = 0;  ///< index in the plan
  Point point;
  int incarnation = 0;
  friend bool operator==(const IncarnationKey&, const IncarnationKey&) = default;
};

/// What was seen of a worker that failed.
struct Evidence {
  std::string last_heard;            ///< "silent" or "slow but alive" at a deadline; else empty
  std::string output;                ///< the end of its standard output and error
  std::vector<ThreadState> threads;  ///< at a deadline
};

/// An incarnation could not be opened, failed in a visit, or passed its deadline; it is gone.
class VisitFailed : public std::runtime_error {
 public:
  VisitFailed(Outcome outcome, const std::string& why, std::string code = {}, Evidence evidence = {})
      : std::runtime_error(why), outcome_(outcome), code_(std::move(code)), evidence_(std::move(evidence)) {}
  /// timeout, failed, unsupported or not_applicable.
  Outcome outcome() const { return outcome_; }
  const std::string& code() const { return code_; }
  const Evidence& evidence() const { return evidence_; }

 private:
  Outcome outcome_;
  std::string code_;
  Evidence evidence_;
};

/// A stop was requested while an incarnation was being opened or visited. The incarnation is gone and what it measured
/// in that visit with it; this says nothing about the point.
class VisitAborted : public std::runtime_error {
 public:
  VisitAborted() : std::runtime_error("stopped on request") {}
};

/// The outcome of opening an incarnation.
struct Opened {
  int process = 0;
  std::vector<int> cpus;  ///< bindings read back, by rank; empty when unbound
  Nanoseconds warm_up{};
  std::int64_t warm_up_reps = 0;
  int stack_padding = 0;
  Nanoseconds clock_step{};  ///< measured in that process
  Nanoseconds clock_cost{};
  Nanoseconds clock_spread{};
  Nanoseconds warm_up_took{};  ///< wall time
  std::string library{};       ///< C and thread library of that process; empty where it was not requested
  int loop_copy = 0;           ///< of each timed loop, that it runs
  bool is_looked_at = false;   ///< a probe before a visit is made though nothing is bound: it says itself on which CPUs
  bool is_crowded = false;     ///< ranks that are more than the CPUs of a node
};

/// What one visit is to do: `discard` batches first (more, up to `most_discard`, while the first kept one would still
/// be slower than the next), then `batches` kept ones. With no batches at all it is a probe of the cores, and nothing
/// else.
struct VisitOrder {
  Reps reps;
  int discard = 1;
  int most_discard = 4;
  int batches = 8;
  bool reference = false;
  Nanoseconds deadline = seconds(10);
};

/// A probe of the cores before a visit.
inline VisitOrder look_order(Nanoseconds deadline) { return {Reps{1}, 0, 0, 0, false, deadline}; }

/// What was found of the clock that ranks have in common when a visit was over.
struct VisitClock {
  Nanoseconds bound{};  ///< most that a stamp of the visit was wrong on it
  std::string refusal;  ///< why stamps of different ranks cannot be compared; empty where they can
};

/// What a visit yielded. The first `discarded` batches are not to be estimated.
struct VisitYield {
  int discarded = 0;
  std::optional<Nanoseconds> reference;
  std::vector<Batch> batches;
  std::vector<CoreReading> apart = {};      ///< by rank, before the first batch, while the other members rested
  std::vector<int> apart_cpus = {};         ///< on which these were taken; of ranks only: workers' members are bound
  std::vector<std::string> nodes = {};      ///< of the members, by rank; none where all are on the session's own
  std::optional<VisitClock> clock = {};     ///< where ranks needed a common one
  std::string changed{};                    ///< what of the process the batches changed for good, in words
  std::vector<FoundPart> found_parts = {};  ///< of the batches that are to be estimated, together; each name once
};

/// Opens incarnations, keeps them parked between visits, ends them.
class Host {
 public:
  virtual ~Host() = default;
  /// Starts a fresh process for the key, prepares and warms up the measurement. Throws VisitFailed,
  /// VisitAborted.
  virtual Opened open(const IncarnationKey& key) = 0;
  /// Executes a visit in an open incarnation. Throws VisitFailed, VisitAborted; the incarnation is then
  /// gone.
  virtual VisitYield visit(const IncarnationKey& key, const VisitOrder& order) = 0;
  /// Ends an incarnation. Nothing happens when it is not open.
  virtual void close(const IncarnationKey& key) = 0;
  /// Ends several, where possible at the same time: nothing is measured until all have ended.
  virtual void close_all(const std::vector<IncarnationKey>& keys) {
    for (const IncarnationKey& key : keys) close(key);
  }
  /// Most incarnations that may be open at a time.
  virtual std::size_t capacity() const = 0;
  /// What the reader of the results should know of the incarnations that ended since the last call.
  virtual std::vector<std::string> notes() { return {}; }
};

}  // namespace assay
