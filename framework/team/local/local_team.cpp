// SPDX-License-Identifier: Apache-2.0
// Opening, leading and ending a team on this machine, and the thread that sleeps beside it.
#include "team/local/local_team.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "platform/machine/limits.hpp"
#include "platform/process/forked_children.hpp"
#include "platform/thread/guard.hpp"
#include "platform/thread/scheduling.hpp"
#include "platform/thread/shared_memory.hpp"
#include "team/local/mailbox.hpp"
#include "team/local/member_loop.hpp"
#include "team/local/reference_channel.hpp"

namespace assay {

Bystander::Bystander() {
  const SignalShield shield;
  try {
    thread_ = std::thread([this] { wait_while_equal(dismissed_, 0); });
  } catch (const std::system_error& error) {
    throw PlatformError("starting the bystander", error.code().value());
  }
}

Bystander::~Bystander() {
  dismissed_ = 1;
  wake_all(dismissed_);
  thread_.join();
}

namespace {

bool on_different_cpus(const TeamRequest& request) {
  return request.members > 1 && request.placement.bound() && !request.placement.shares_cpu();
}

// Threads that spin do not sleep between two rounds of what they do either: where nothing binds them, a kernel that
// packs what it wakes would put them on one CPU again for each batch, which then takes tens of milliseconds.
bool stay_awake(const Setup& setup, const Traits& traits) {
  return setup.cpu_sharing() == CpuSharing::possible && traits.waiting == Waiting::spins;
}

// What one member does behind its batch holds up another only where they share a CPU and wait for each other without
// spinning; members that never wait are guarded against being switched at all.
bool parts_together(const TeamRequest& request, const Traits& traits) {
  const bool waits = traits.waiting == Waiting::blocks || traits.waiting == Waiting::either ||
                     traits.waiting == Waiting::yields || traits.waiting == Waiting::polls;
  return request.members > 1 && !on_different_cpus(request) && waits && !traits.simulated;
}

void bind_member(const TeamRequest& request, int rank) {
  if (request.placement.bound()) bind_self({request.placement.cpus[static_cast<std::size_t>(rank)]});
  if (!take_policy(request.policy))
    throw Unsupported("this process may not use the scheduling policy '" + request.policy +
                          "'; it needs CAP_SYS_NICE or a limit on real-time priority (ulimit -r)",
                      "N8");
}

// The life of a member besides the first, from its start to its end.
bool live(Stage& stage, int slot) {
  const TeamRequest& request = stage.request;
  Member member(request.rank_of(slot), request.all(), request.stopwatch, stage.mailbox.heartbeats[slot].beats,
                request.loop_copy);
  try {
    bind_member(request, slot);
  } catch (...) {
    report_not_in_place(slot, stage.mailbox);
    return false;
  }
  report_in_place(slot, stage.mailbox);
  return serve(*stage.measurement, member, slot, stage.mailbox, request.on_failure);
}

// Runs in a signal handler on member 0: nothing here may allocate.
void bury(Stage& stage, int rank, const char* how) {
  if (stage.ending) return;
  Slot& slot = stage.mailbox.slots[rank];
  write_death(slot, how);
  if (stage.in_batch && stage.request.on_failure) {
    stage.last_words.assign(slot.why);  // fits: room was made for the longest
    stage.request.on_failure(rank, stage.last_words);
  }
  sound_alarm(stage.mailbox);
  stage.mailbox.lease.number.sleepers.fetch_add(1);  // park() need not wait for it
  wake_all(stage.mailbox.lease.number.sleepers);
}

void check(const Description& description, const TeamRequest& request) {
  const Traits& traits = traits_at(description, request.point);
  if (std::find(traits.vehicles.begin(), traits.vehicles.end(), request.vehicle) == traits.vehicles.end())
    throw Unsupported(description.name + " does not run under vehicle '" + request.vehicle + "'");
  if (request.all() < description.members.least || request.all() > description.members.most)
    throw Unsupported(description.name + " does not run with " + std::to_string(request.all()) + " members");
  if (request.placement.bound() && request.placement.cpus.size() != static_cast<std::size_t>(request.members))
    throw std::invalid_argument("placement '" + request.placement.name + "' is not for " +
                                std::to_string(request.members) + " members");
}

std::unique_ptr<Measurement> construct(const Entry& entry, Setup& setup) {
  auto measurement = entry.make(setup);
  if (!measurement) throw std::runtime_error("the factory of " + entry.description.name + " returned nothing");
  return measurement;
}

// Why there are no more members than `started`, in words that say what to change.
std::string refusal(const TeamRequest& request, int started) {
  const std::string kind = request.vehicle == "process" ? " processes" : " threads";
  return "needs " + std::to_string(request.members + (request.bystander ? 1 : 0)) + kind +
         ", and the system refused to start more than " + std::to_string(started) + ": " + thread_limit();
}

// While a batch is on, a death is worth a call of on_failure.
class BatchMark {
 public:
  explicit BatchMark(std::atomic<bool>& mark) : mark_(mark) { mark_ = true; }
  BatchMark(const BatchMark&) = delete;
  BatchMark& operator=(const BatchMark&) = delete;
  ~BatchMark() { mark_ = false; }

 private:
  std::atomic<bool>& mark_;
};

}  // namespace

Stage::Stage(const Description& description, const TeamRequest& wanted)
    : request(wanted),
      setup(description, wanted),
      memory(mailbox_size(wanted.members)),
      mailbox(make_mailbox(memory, wanted.members,
                           on_different_cpus(wanted) || stay_awake(setup, traits_at(description, wanted.point)))) {
  mailbox.awaits_go = wanted.part.has_value();
  mailbox.are_apart = on_different_cpus(wanted);
  const Traits& traits = traits_at(description, wanted.point);
  mailbox.reads_cores = !traits.simulated;
  mailbox.part_together = parts_together(wanted, traits);
  last_words.reserve(sizeof(Slot::why));
}

LocalTeam::LocalTeam(const Entry& entry, const TeamRequest& request, CrewMaker make_crew)
    : stage_(std::make_unique<Stage>(entry.description, request)),
      first_(request.rank_of(0), request.all(), request.stopwatch, stage_->mailbox.heartbeats[0].beats,
             request.loop_copy),
      crew_(
          make_crew(request.members, [stage = stage_.get()](int rank, const char* how) { bury(*stage, rank, how); })) {}

LocalTeam::~LocalTeam() {
  stage_->ending = true;
  const bool orderly = leave();
  const bool ended = crew_->end(orderly);
  bystander_.reset();
  crew_.reset();
  static_cast<void>(take_policy(policy_before_));
  if (!ended) static_cast<void>(stage_.release());
  try {
    if (!home_.empty()) bind_self(home_);
  } catch (const PlatformError&) {  // its CPUs were taken away meanwhile: the caller stays where it is
  }
}

bool LocalTeam::leave() noexcept {
  dismiss(stage_->mailbox);
  if (!entered_ || failure_) return false;
  try {
    stage_->measurement->leave(first_);
  } catch (...) {  // the results are out; no caller is left to report it to
  }
  return true;
}

void LocalTeam::prepare(const Entry& entry) {
  try {
    if (stage_->request.placement.bound()) home_ = binding_of_self();
    if (stage_->request.policy != inherited_policy) policy_before_ = policy_of_self();
    bind_member(stage_->request, 0);
    stage_->measurement = construct(entry, stage_->setup);
    stage_->setup.seal();
    start_members();
  } catch (const Unsupported&) {
    throw;
  } catch (const PlatformError&) {
    throw;
  } catch (...) {
    throw blame(stage_->mailbox);
  }
}

void LocalTeam::start_members() {
  int rank = 1;
  try {
    for (; rank < stage_->request.members; ++rank)
      crew_->start(rank, [stage = stage_.get(), rank] { return live(*stage, rank); });
    if (stage_->request.bystander) bystander_.emplace();
  } catch (const PlatformError& error) {
    if (error.error_number() != EAGAIN && error.error_number() != ENOMEM) throw;
    throw Unsupported(refusal(stage_->request, rank));
  }
  collect(stage_->mailbox);
}

void LocalTeam::enter() {
  try {
    lead(Command::enter, Reps{0}, [&] { stage_->measurement->enter(first_); });
  } catch (const Unsupported&) {
    throw;
  } catch (const PlatformError&) {
    throw;
  } catch (...) {
    throw blame(stage_->mailbox);
  }
  entered_ = true;
}

void LocalTeam::be_ready() {
  if (failure_) throw MemberFailed(*failure_);
  // Another team of the same process may have moved this thread since.
  if (!std::exchange(parked_, false)) return;
  bind_member(stage_->request, 0);
  stage_->mailbox.polls = stage_->mailbox.may_spin;
}

template <class Part>
void LocalTeam::lead(Command command, Reps reps, Part part) {
  publish(stage_->mailbox, command, reps);
  throw_failure(stage_->mailbox);
  part();
  collect(stage_->mailbox);
}

template <class Part>
void LocalTeam::lead_batch(Command command, Reps reps, Part part) {
  be_ready();
  const BatchMark mark(stage_->in_batch);
  try {
    lead(command, reps, part);
  } catch (const Unsupported&) {
    failure_ = blame(stage_->mailbox);
    throw;
  } catch (...) {
    failure_ = blame(stage_->mailbox);
  }
  if (failure_) throw MemberFailed(*failure_);
}

Batch LocalTeam::run(Reps reps) {
  Batch batch{reps, std::vector<MemberReport>(static_cast<std::size_t>(stage_->request.members))};
  Mailbox& mailbox = stage_->mailbox;
  const std::optional<TeamPart>& part = stage_->request.part;
  lead_batch(Command::run, reps, [&] {
    batch.members[0] = part ? run_first(*stage_->measurement, first_, mailbox, reps, part->start)
                            : run_first(*stage_->measurement, first_, mailbox, reps);
  });
  for (std::size_t rank = 1; rank < batch.members.size(); ++rank) batch.members[rank] = mailbox.slots[rank].report;
  return batch;
}

std::optional<Nanoseconds> LocalTeam::reference(int round_trips) {
  const TeamRequest& request = stage_->request;
  if (!stage_->mailbox.reads_cores) return simulated_distance();
  const std::vector<int>& cpus = request.placement.cpus;
  if (request.members < 2 || round_trips < 1 || (request.placement.bound() && cpus[0] == cpus[1])) return std::nullopt;
  Mailbox& mailbox = stage_->mailbox;
  reset(mailbox.lines);  // they are not read between two leases
  std::optional<Nanoseconds> taken;
  lead_batch(Command::reference, Reps{round_trips + 1}, [&] {
    const auto exchange_some = [&](int some) { return exchange(mailbox, true, some); };
    if (exchange_some(1)) taken = time_round_trips(request.stopwatch, round_trips, exchange_some);  // both are there
  });
  return taken;
}

std::optional<Nanoseconds> LocalTeam::simulated_distance() const {
  SimulatedCores* cores = stage_->request.members > 1 ? cores_of(*stage_->measurement) : nullptr;
  return cores != nullptr ? cores->distance() : std::nullopt;
}

bool LocalTeam::has_cores() const { return stage_->mailbox.reads_cores || cores_of(*stage_->measurement) != nullptr; }

std::vector<FoundPart> LocalTeam::found_parts() {
  auto* const finder = dynamic_cast<PartFinder*>(stage_->measurement.get());
  return finder != nullptr ? finder->take_found() : std::vector<FoundPart>();
}

std::vector<CoreLook> LocalTeam::look() {
  if (!has_cores()) return {};
  be_ready();
  std::vector<CoreLook> looks{look_at_core(*stage_->measurement, first_, stage_->mailbox)};
  for (int slot = 1; slot < stage_->request.members; ++slot) {
    lead_batch(Command::look, Reps{slot}, [] {});
    const MemberReport& report = stage_->mailbox.slots[slot].report;
    looks.push_back({report.cpu_before, report.core_before});
  }
  return looks;
}

void LocalTeam::park() {
  if (failure_) return;
  stage_->measurement->rest(first_);
  Mailbox& mailbox = stage_->mailbox;
  mailbox.polls = false;
  wait_for_sleepers(mailbox.lease.number, static_cast<std::uint32_t>(stage_->request.members - 1), mailbox.may_spin);
  parked_ = true;
}

std::unique_ptr<LocalTeam> prepare_local_team(const Entry& entry, const TeamRequest& request, CrewMaker make_crew) {
  check(entry.description, request);
  auto team = std::make_unique<LocalTeam>(entry, request, make_crew);
  team->prepare(entry);
  return team;
}

std::unique_ptr<Team> open_local_team(const Entry& entry, const TeamRequest& request, CrewMaker make_crew) {
  auto team = prepare_local_team(entry, request, make_crew);
  team->enter();
  return team;
}

}  // namespace assay
