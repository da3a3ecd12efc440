// SPDX-License-Identifier: Apache-2.0
// Room: teams: members that execute visits, wherever they run.
// Who executes batches: a team of members over one vehicle. One of the five edges to the world that tests replace.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/found_parts.hpp"
#include "api/measurement.hpp"
#include "base/batch.hpp"
#include "base/point.hpp"
#include "base/units.hpp"
#include "platform/placement/placement.hpp"

namespace assay {

/// A member threw, died or broke the protocol; the team cannot be used any more.
class MemberFailed : public std::runtime_error {
 public:
  MemberFailed(int rank, const std::string& why)
      : std::runtime_error("member " + std::to_string(rank) + ": " + why), rank_(rank) {}
  int rank() const { return rank_; }

 private:
  int rank_;
};

/// The part of a larger team that this process holds, where other processes hold the rest (vehicle "mpi").
struct TeamPart {
  std::vector<int> members;       ///< the team's ranks of the members here; the first is the caller
  int total = 0;                  ///< members of the whole team
  const MpiPlace* mpi = nullptr;  ///< for the measurement; borrowed
  bool crowded = false;           ///< on some node there are fewer CPUs than members
  std::function<void()> start;    ///< called by the first member right before each batch; returns in all parts at once
};

/// What a team is opened with.
struct TeamRequest {
  Point point;  ///< levels of the measurement's factors; missing ones take their standard
  std::string vehicle = "thread";
  int members = 1;                   ///< in this process
  Placement placement;               ///< bindings by rank; unbound when empty
  std::string policy = "inherited";  ///< scheduling policy that every member takes (platform/thread/scheduling.hpp)
  bool bystander = false;            ///< a further thread that sleeps in the kernel throughout
  Stopwatch stopwatch;               ///< time source of all members
  std::uint64_t seed = 0;            ///< handed to the measurement
  /// Called on a member besides the first that fails in a batch, since the first may then wait for it forever; for one
  /// that died, on the first member, and then in a signal handler: only async-signal-safe functions, no allocation. A
  /// worker reports and leaves the process here. A process that fails and leaves by this call has died as well, so it
  /// is called a second time, on the first member, with the same reason. Must not throw. Empty: the failure is noticed
  /// when the first member's own part returns.
  std::function<void(int rank, const std::string& why)> on_failure;
  std::optional<TeamPart> part = std::nullopt;  ///< unset: the members here are all
  int loop_copy = 0;                            ///< of each timed loop, that all members run

  /// Members of the whole team.
  int all() const { return part ? part->total : members; }
  /// The rank in the team of a member by its number here.
  int rank_of(int slot) const { return part ? part->members.at(static_cast<std::size_t>(slot)) : slot; }
};

/// Pairs of lines that the reference channel goes over in turn: how long a trip takes depends on the home of its lines.
inline constexpr int reference_places = 64;

/// A measurement constructed for one point, with all its members placed and entered. The caller of every function is
/// member 0; the framework starts no other thread than the members (and the bystander asked for).
class Team {
 public:
  virtual ~Team() = default;
  /// One batch on all members; returns when every report is in. Throws MemberFailed; Unsupported where it turns out
  /// that the point is not available.
  virtual Batch run(Reps reps) = 0;
  /// Round trip of the reference channel, of `round_trips` exchanges over two flags between members 0 and 1, as
  /// time_round_trips finds it; where time is simulated the distance of simulated cores. Nothing where there is no
  /// second member or spinning makes no progress: two members bound to one CPU, or a machine so loaded that the
  /// exchanges take longer than two seconds. Throws MemberFailed.
  virtual std::optional<Nanoseconds> reference(int round_trips) = 0;
  /// What the core of each member is like, by rank, one after the other: a partner at work on the same core would look
  /// like a neighbour. Nothing where time is simulated without cores (api/simulated_cores.hpp). Throws MemberFailed.
  virtual std::vector<CoreLook> look() { return {}; }
  /// What the measurement found by names since the last call (api/found_parts.hpp); nothing where it looks for none.
  virtual std::vector<FoundPart> found_parts() { return {}; }
  /// Lets the measurement rest; returns when every other member sleeps in the kernel, where it stays until the next
  /// call.
  virtual void park() = 0;
};

/// Opens a team: constructs the measurement, starts members 1..n-1, binds each and reads the binding back, calls enter
/// on all. Throws Unsupported (from the measurement, or for a vehicle or a number of members it does not have),
/// PlatformError (binding, limits), MemberFailed, std::invalid_argument for a placement of another number of members;
/// what was started has ended by then.
///
/// The caller is bound from here on until the team is destroyed, and again after park(). A team's destruction calls
/// leave on all members, unless one has failed: then none waits for another, and threads that do not end within a
/// second are given up together with everything they use.
std::unique_ptr<Team> open_thread_team(const Entry& entry, const TeamRequest& request);
std::unique_ptr<Team> open_process_team(const Entry& entry, const TeamRequest& request);
/// By request.vehicle; throws Unsupported for a vehicle that this build does not have.
std::unique_ptr<Team> open_team(const Entry& entry, const TeamRequest& request);

}  // namespace assay
