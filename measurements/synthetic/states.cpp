// SPDX-License-Identifier: Apache-2.0
// Neighbours that come and go, what the yardsticks make of them, and work whose time follows.
#include "synthetic/states.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace assay {
namespace {

constexpr double usual_ghz = 3.625;
constexpr double additions_per_cycle = 4;  // of a core that is alone: more than half of any known core's
constexpr double shared_wide = 1.8;        // what a neighbour leaves of the throughput, as real ones do
constexpr double shared_chain = 1.02;      // and of the latency
constexpr double reading_noise = 0.003;
constexpr double steps_per_call = 200;  // of the chain
constexpr double shared_call = 1.4;
constexpr double call_beside_waiting = 1.2;
constexpr double distance_noise = 0.01;

Rng of_core(std::uint64_t seed, const char* what, std::size_t core) {
  return Rng(seed).substream(what + std::to_string(core));
}

}  // namespace

SimulatedMachine::SimulatedMachine(const MachineLaw& law, int cores, std::uint64_t seed)
    : law_(law),
      count_(cores),
      cores_{Core{of_core(seed, "neighbour/", 0), of_core(seed, "yardsticks/", 0), of_core(seed, "calls/", 0)},
             Core{of_core(seed, "neighbour/", 1), of_core(seed, "yardsticks/", 1), of_core(seed, "calls/", 1)}},
      pauses_(Rng(seed).substream("pauses")),
      trips_(Rng(seed).substream("trips")),
      wanders_(Rng(seed).substream("wanders")),
      waits_(Rng(seed).substream("waits")) {
  pause(Nanoseconds{});
}

void SimulatedMachine::draw(Core& core) {
  core.is_shared = core.neighbour.uniform() < law_.shared;
  core.until = time_ - law_.lasts.count * std::log1p(-core.neighbour.uniform());
}

double SimulatedMachine::next_change() const {
  double next = cores_[0].until;
  for (int i = 1; i < count_; ++i) next = std::min(next, cores_.at(static_cast<std::size_t>(i)).until);
  return next;
}

/// Members wait for the slowest of them.
double SimulatedMachine::speed() const {
  bool is_shared = is_beside_waiting_;
  for (int i = 0; i < count_; ++i) is_shared = is_shared || cores_.at(static_cast<std::size_t>(i)).is_shared;
  return (has_other_clock_ ? law_.clock : 1) / (is_shared ? law_.slower : 1);
}

Nanoseconds SimulatedMachine::work(Nanoseconds alone) {
  const double from = time_;
  for (double left = alone.count;;) {
    const double change = next_change();
    if (const double end = time_ + left / speed(); end <= change) {
      time_ = end;
      return {time_ - from};
    }
    left -= std::max(0.0, change - time_) * speed();
    time_ = change;
    for (Core& core : cores_)
      if (core.until <= time_) draw(core);
  }
}

void SimulatedMachine::pause(Nanoseconds time) {
  time_ += time.count;
  // An exponential time has no memory: how often it was drawn meanwhile does not matter.
  for (Core& core : cores_)
    if (core.until <= time_) draw(core);
  has_other_clock_ = pauses_.uniform() < law_.clock_share;
  is_far_ = pauses_.uniform() < law_.far_share;
  is_beside_waiting_ = law_.waits > 0 && waits_.uniform() < law_.waits;
  off_ = law_.wander > 0 ? std::exp(law_.wander * wanders_.normal()) : 1;
}

CoreReading SimulatedMachine::read_core(int core, bool others_rest) {
  Core& own = cores_.at(static_cast<std::size_t>(core));
  const bool is_by_partner = law_.is_one_core && count_ > 1 && !others_rest;
  const bool is_shared = own.is_shared || is_by_partner;
  const double chain = simulated_cycles_per_step / (usual_ghz * (has_other_clock_ ? law_.clock : 1));
  const double wide = chain / (simulated_cycles_per_step * additions_per_cycle);
  const auto noise = [&] { return 1 + reading_noise * own.yardsticks.normal(); };
  CoreReading reading{{wide * (is_shared ? shared_wide : 1) * noise()},
                      {chain * (is_shared ? shared_chain : 1) * noise()}};
  if (!others_rest || !(law_.waits > 0)) return reading;
  const double slower = is_shared ? shared_call : is_beside_waiting_ ? call_beside_waiting : 1;
  reading.call = {chain * steps_per_call * slower * (1 + reading_noise * own.calls.normal())};
  return reading;
}

Nanoseconds SimulatedMachine::measured_distance() { return distance() * (1 + distance_noise * trips_.normal()); }

namespace {

Factor planted(std::string name, Value standard, std::string summary, Unit unit = Unit::nanoseconds) {
  return {.name = std::move(name),
          .kind = FactorKind::quantitative,
          .unit = unit,
          .standard = std::move(standard),
          .summary = std::move(summary)};
}

void require_share(double value, const char* name) {
  if (!(value >= 0 && value <= 1)) throw Unsupported(std::string(name) + " is a share, from 0 to 1");
}

void require_positive(double value, const char* name) {
  if (!(value > 0)) throw Unsupported(std::string(name) + " has to be above 0");
}

MachineLaw law_of(const Setup& setup) {
  const MachineLaw law{.shared = setup.level<double>("shared"),
                       .lasts = {setup.level<double>("lasts")},
                       .slower = setup.level<double>("slower"),
                       .clock = setup.level<double>("clock"),
                       .clock_share = setup.level<double>("clock_share"),
                       .near = {setup.level<double>("near")},
                       .far = {setup.level<double>("far")},
                       .far_share = setup.level<double>("far_share"),
                       .wander = setup.level<double>("wander"),
                       .is_one_core = setup.word("cores") == "one",
                       .waits = setup.level<double>("waits")};
  require_share(law.shared, "shared");
  require_share(law.clock_share, "clock_share");
  require_share(law.far_share, "far_share");
  require_share(law.waits, "waits");
  // More, and the action would take no time at distances that occur.
  if (!(law.wander >= 0 && law.wander <= 0.2)) throw Unsupported("wander is from 0 to 0.2");
  require_positive(law.lasts.count, "lasts");
  require_positive(law.slower, "slower");
  require_positive(law.clock, "clock");
  require_positive(law.near.count, "near");
  require_positive(law.far.count, "far");
  return law;
}

// Members may share a CPU: who waits gives way.
void await(const std::atomic<std::int64_t>& count, std::int64_t wanted) {
  while (count.load(std::memory_order_acquire) < wanted) ::sched_yield();
}

}  // namespace

std::vector<Factor> states_factors() {
  return {
      planted("median", std::int64_t{1000}, "time of the action while the cores are alone, near, at the usual clock"),
      planted("spread", 0.01, "standard deviation of a batch, relative to its median", Unit::ratio),
      planted("shared", 0.5, "share of the time that others work on a core", Unit::ratio),
      planted("lasts", std::int64_t{1000000}, "mean time after which this is drawn again"),
      planted("slower", 1.4, "factor by which the action is slower meanwhile", Unit::ratio),
      planted("waits", 0.0, "share of the visits beside a neighbour that waits, which system calls alone show",
              Unit::ratio),
      planted("clock", 0.8, "another clock, relative to the usual one", Unit::ratio),
      planted("clock_share", 0.0, "share of the visits at that clock", Unit::ratio),
      planted("near", std::int64_t{100}, "round trip between the cores of two members"),
      planted("far", std::int64_t{490}, "the same part of the time: the action takes longer by the difference"),
      planted("far_share", 0.0, "share of the visits at that distance", Unit::ratio),
      planted("wander", 0.0, "standard deviation of both from visit to visit, relative: the action differs with them",
              Unit::ratio),
      planted("pause", std::int64_t{1000000}, "time between two visits, or between a probe and the visit after it"),
      {.name = "cores",
       .standard = std::string("own"),
       .words = {"own", "one"},
       .summary = "whether two members have separate cores or the two threads of one"}};
}

States::States(Setup& setup)
    : median_(setup.level<double>("median")),
      spread_(setup.level<double>("spread")),
      near_(setup.level<double>("near")),
      pause_(setup.level<double>("pause")),
      members_(setup.members()),
      machine_(setup.share<SimulatedMachine>(law_of(setup), setup.members(), setup.seed())),
      meeting_(setup.share<Meeting>()),
      noise_(Rng(setup.seed()).substream("noise")) {
  require_positive(median_, "median");
  if (!(median_ + setup.level<double>("far") - near_ > 0))
    throw Unsupported("the action takes no time where it is faster by the difference of near and far");
  if (!(spread_ >= 0) || !(pause_ >= 0)) throw Unsupported("spread and pause are not negative");
}

void States::enter(Member& member) { member.use(Stopwatch::simulated(machine_)); }

Nanoseconds States::work(Reps reps) {
  const double each = std::max(1.0, median_ + (machine_.distance().count - near_));
  const double noise = std::max(0.0, 1 + spread_ * noise_.normal());
  return machine_.work({each * noise * static_cast<double>(reps.count)});
}

Claims States::run(Member& member, Reps reps) {
  if (members_ == 1) return work(reps);
  if (member.rank() > 0) {
    const std::int64_t batch = meeting_.arrived.load(std::memory_order_relaxed) + 1;
    meeting_.arrived.store(batch, std::memory_order_release);
    await(meeting_.done, batch);
    return meeting_.took;
  }
  const std::int64_t batch = meeting_.done.load(std::memory_order_relaxed) + 1;
  await(meeting_.arrived, batch);
  meeting_.took = work(reps);
  meeting_.done.store(batch, std::memory_order_release);
  return meeting_.took;
}

void States::rest(Member&) { machine_.pause({pause_}); }

CoreReading States::read_core(Member& member, bool others_rest) {
  return machine_.read_core(member.rank(), others_rest);
}

std::optional<Nanoseconds> States::distance() { return machine_.measured_distance(); }

}  // namespace assay
