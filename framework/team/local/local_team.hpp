// SPDX-License-Identifier: Apache-2.0
// Room: teams of threads and processes of one node.
// A team on this machine, whatever its vehicle: member 0 is the caller, a crew holds the others; what its measurement
// is built from, and a thread that does nothing beside them.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/measurement.hpp"
#include "platform/thread/scheduling.hpp"
#include "platform/thread/shared_memory.hpp"
#include "team/local/mailbox.hpp"
#include "team/team.hpp"

namespace assay {

/// Levels from the request, shared objects from mappings that threads and forked members see at the same address, on
/// the memory node that the request's placement names; where that is not possible, sharing throws Unsupported (N11).
class LocalSetup final : public Setup {
 public:
  LocalSetup(const Description& description, const TeamRequest& request);
  /// Destroys the shared objects in reverse order; the measurement that uses them has to be gone.
  ~LocalSetup() override;
  LocalSetup(const LocalSetup&) = delete;
  LocalSetup& operator=(const LocalSetup&) = delete;

  int members() const override { return members_; }
  std::string_view vehicle() const override { return vehicle_; }
  CpuSharing cpu_sharing() const override { return sharing_; }
  std::string_view policy() const override { return policy_; }
  const Value& value(std::string_view factor) const override;
  std::uint64_t seed() const override { return seed_; }
  const MpiPlace* mpi() const override { return mpi_; }
  /// From now on nothing can be shared. Throws Unsupported (N11) when a home was asked for and nothing is at home
  /// there.
  void seal();

 protected:
  void* allocate(std::size_t bytes, std::size_t alignment) override;
  void at_end(void (*destroy)(void*), void* object) override { at_end_.emplace_back(destroy, object); }

 private:
  void settle(SharedMemory& memory) const;

  int members_;
  int home_;  ///< memory node; -1: wherever pages are first touched
  std::string vehicle_;
  CpuSharing sharing_;
  std::string policy_;
  std::uint64_t seed_;
  const MpiPlace* mpi_;
  std::vector<std::pair<std::string, Value>> levels_;
  std::vector<std::unique_ptr<SharedMemory>> memory_;
  std::vector<std::pair<void (*)(void*), void*>> at_end_;
  bool sealed_ = false;
};

/// Asleep in the kernel from start to destruction, deaf to signals.
class Bystander {
 public:
  /// Throws PlatformError.
  Bystander();
  Bystander(const Bystander&) = delete;
  Bystander& operator=(const Bystander&) = delete;
  ~Bystander();

 private:
  std::atomic<std::uint32_t> dismissed_{0};
  std::thread thread_;
};

/// The members besides the first.
class Crew {
 public:
  virtual ~Crew() = default;
  /// Starts a member, which calls `life` and ends. Ranks ascend from 1. Throws PlatformError.
  virtual void start(int rank, std::function<bool()> life) = 0;
  /// Waits until all have ended; they have been asked to. After a failure (`orderly` false) some may never end: then
  /// they are ended by force, or where that is impossible given up after a second. Returns false for that: they still
  /// use what they were given.
  virtual bool end(bool orderly) = 0;
};

/// Called at the death of a member that is a process, in a signal handler on the first member.
using Died = std::function<void(int rank, const char* how)>;
/// Makes a vehicle's crew, without members yet.
using CrewMaker = std::unique_ptr<Crew> (*)(int members, Died died);

/// What all members use. Outlives them; left behind where one of them cannot be ended.
struct Stage {
  Stage(const Description& description, const TeamRequest& wanted);

  TeamRequest request;
  LocalSetup setup;
  SharedMemory memory;
  Mailbox& mailbox;
  std::unique_ptr<Measurement> measurement;  // destroyed before the objects that setup shares
  std::atomic<bool> in_batch{false};
  std::atomic<bool> ending{false};
  std::string last_words;  // room for a text that a signal handler hands on
};

class LocalTeam final : public Team {
 public:
  /// Nothing is started yet.
  LocalTeam(const Entry& entry, const TeamRequest& request, CrewMaker make_crew);
  /// Signals the others to leave, leaves, and waits for their end. After a failure no member waits forever: processes
  /// are killed; threads that do not end within a second are given up, with everything they use.
  ~LocalTeam() override;
  LocalTeam(const LocalTeam&) = delete;
  LocalTeam& operator=(const LocalTeam&) = delete;

  /// Constructs the measurement and brings all members into place.
  void prepare(const Entry& entry);
  /// Lets them enter.
  void enter();

  Batch run(Reps reps) override;
  std::optional<Nanoseconds> reference(int round_trips) override;
  std::vector<CoreLook> look() override;
  std::vector<FoundPart> found_parts() override;
  /// False where time is simulated and cores are not.
  bool has_cores() const;
  /// Whether time and cores are the machine's.
  bool is_real() const { return stage_->mailbox.reads_cores; }
  const Stopwatch& stopwatch() const { return stage_->request.stopwatch; }
  void park() override;

 private:
  void start_members();
  void be_ready();
  template <class Part>
  void lead(Command command, Reps reps, Part part);
  template <class Part>
  void lead_batch(Command command, Reps reps, Part part);
  std::optional<Nanoseconds> simulated_distance() const;
  bool leave() noexcept;

  std::unique_ptr<Stage> stage_;
  Member first_;
  std::vector<int> home_;  // member 0's binding before; empty: not changed
  std::string policy_before_ = inherited_policy;
  std::unique_ptr<Crew> crew_;
  std::optional<Bystander> bystander_;
  std::optional<MemberFailed> failure_;
  bool entered_ = false;
  bool parked_ = false;
};

/// Members that are threads of this process.
std::unique_ptr<Crew> thread_crew(int members, Died died);
/// Checks the request against the description, and prepares. Throws as open_thread_team.
std::unique_ptr<LocalTeam> prepare_local_team(const Entry& entry, const TeamRequest& request, CrewMaker make_crew);
/// The same, and lets all members enter.
std::unique_ptr<Team> open_local_team(const Entry& entry, const TeamRequest& request, CrewMaker make_crew);

}  // namespace assay
