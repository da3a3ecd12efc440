// SPDX-License-Identifier: Apache-2.0
// Neighbours that come and go, and what the yardsticks make of them.
#include "synthetic/simulated_machine.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace assay {
namespace {

constexpr double usual_ghz = 3.625;
constexpr double additions_per_cycle = 4;  // of a core that is alone: more than half of any known core's
constexpr double shared_wide = 1.8;        // what a neighbour leaves of the throughput, as real ones do
constexpr double shared_chain = 1.02;      // and of the latency
constexpr double reading_noise = 0.003;
constexpr double distance_noise = 0.01;

Rng of_core(std::uint64_t seed, const char* what, std::size_t core) {
  return Rng(seed).substream(what + std::to_string(core));
}

}  // namespace

SimulatedMachine::SimulatedMachine(const MachineLaw& law, int cores, std::uint64_t seed)
    : law_(law),
      count_(cores),
      cores_{Core{of_core(seed, "neighbour/", 0), of_core(seed, "yardsticks/", 0)},
             Core{of_core(seed, "neighbour/", 1), of_core(seed, "yardsticks/", 1)}},
      pauses_(Rng(seed).substream("pauses")),
      trips_(Rng(seed).substream("trips")) {
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
  bool is_shared = false;
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
}

CoreReading SimulatedMachine::read_core(int core, bool others_rest) {
  Core& own = cores_.at(static_cast<std::size_t>(core));
  const bool is_by_partner = law_.is_one_core && count_ > 1 && !others_rest;
  const bool is_shared = own.is_shared || is_by_partner;
  const double chain = simulated_cycles_per_step / (usual_ghz * (has_other_clock_ ? law_.clock : 1));
  const double wide = chain / (simulated_cycles_per_step * additions_per_cycle);
  const auto noise = [&] { return 1 + reading_noise * own.yardsticks.normal(); };
  return {{wide * (is_shared ? shared_wide : 1) * noise()}, {chain * (is_shared ? shared_chain : 1) * noise()}};
}

Nanoseconds SimulatedMachine::measured_distance() { return distance() * (1 + distance_noise * trips_.normal()); }

}  // namespace assay
