// SPDX-License-Identifier: Apache-2.0
// Room: a campaign run, resumed, launched, and its progress on the screen.
// Measuring a campaign and keeping its results: what `run` and `resume` share.
#pragma once
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "platform/topology/topology.hpp"
#include "record/journal/journal.hpp"
#include "record/provenance.hpp"
#include "run/plan.hpp"
#include "run/series/continuation.hpp"

namespace assay {

/// What the checks found: kept in the session's facts, reported once.
class CheckUp {
 public:
  /// Makes them; results are to go to `output`.
  CheckUp(const Topology& topology, const std::string& output) : checks_(session_checks(topology, output)) {}
  void tell(std::ostream& out) const;
  void add_to(Facts& facts) const;
  bool is_serious_somewhere() const;

 private:
  std::vector<Check> checks_;
};

/// One campaign to be measured. References are borrowed.
struct CampaignRun {
  const CampaignPlan* planned;
  const Topology& topology;
  std::string command_line;  ///< as a shell would take it
  bool quiet = false;
  AppContext& context;
  std::optional<JournalEnd> begun = std::nullopt;  ///< of a journal without a whole record, from a start that was lost
  bool share = false;                              ///< all users may read the results
  bool steal_lock = false;                         ///< of an owner on another host that cannot be asked
  bool strict = false;                             ///< problems of machine or session make the exit code 1
  bool anonymous = false;                          ///< names of host and user are kept nowhere
  bool verbose = false;                            ///< the tables have all that is not in brief ones
  bool cycles = false;                             ///< the tables have core cycles beside times
  Facts against = {};  ///< that sessions record of what the plan is measured against (app/against/against.hpp)

  const CampaignPlan& plan() const { return *planned; }
  /// The same by another plan, which is borrowed.
  CampaignRun by(const CampaignPlan& other) const {
    CampaignRun same = *this;
    same.planned = &other;
    return same;
  }
};

/// Takes over what the options say about how results are kept and judged.
void take_options(CampaignRun& measuring, const CommandLine& line);

/// A sub-command's arguments as a shell would take them.
std::string command_text(const std::string& command, const CommandLine& line);

/// What a campaign that goes on has already.
struct Earlier {
  JournalEnd end;
  History history;
  bool is_marked = false;     ///< a result does not keep what was asked for, or was disturbed too often
  bool has_failed = false;    ///< the latest record of a point says that it failed or timed out, or none has a number
  bool has_to_retry = false;  ///< that, or that it was unsupported
  Continuation* continuation = nullptr;  ///< what its last pass left unfinished; null where a new pass begins
  bool new_machine = false;
  std::string configuration;       ///< the plan's, where it is another than before
  std::vector<std::string> notes;  ///< what there is to report before it goes on
};

/// The file that workers are started from, and its build (platform/file/shared_object.hpp): keys of facts.
inline constexpr const char* program_path_fact = "assay.program";
inline constexpr const char* program_build_fact = "assay.build";
/// What is recorded of build, machine, clock and MPI library.
Facts facts_now(const Topology& topology);

/// Prints the tables of what the journal has, of a bounded number of points, and where it is.
void summarize(const CampaignRun& measuring);

/// The same for a campaign that is complete, with the comparison where it was measured against something. Returns the
/// exit code: `code`, unless that is ok or some_failed and something is slower, or is ok and nothing could be compared.
int conclude(const CampaignRun& measuring, int code);

/// Measures with signals held back, into a new journal, or after `earlier` in the one of plan.output; prints the
/// tables. Returns the exit code; ends the process by SIGINT where that came.
int measure_campaign(const CampaignRun& measuring, Earlier* earlier = nullptr);

}  // namespace assay
