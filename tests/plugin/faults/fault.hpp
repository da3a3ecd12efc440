// SPDX-License-Identifier: Apache-2.0
// Measurements that are nothing but a misbehaviour, each in one line.
#pragma once
#include <functional>
#include <string>
#include <utility>

#include "api/measurement.hpp"

namespace faults {

/// A batch on one member.
using Batch = std::function<assay::Claims(assay::Member&, assay::Reps)>;

/// A plausible claim: 100 ns per repetition.
inline assay::Claims fair(assay::Reps reps) { return assay::Nanoseconds{100.0 * static_cast<double>(reps.count)}; }

class Fault final : public assay::Measurement {
 public:
  explicit Fault(Batch batch) : batch_(std::move(batch)) {}
  assay::Claims run(assay::Member& member, assay::Reps reps) override { return batch_(member, reps); }

 private:
  Batch batch_;
};

/// A description of simulated time, so that noise of the machine marks nothing.
inline assay::Description description(const std::string& name, int members = 1) {
  return {.name = "fixture/" + name,
          .summary = "Misbehaves on purpose: " + name + ".",
          .members = assay::exactly(members),
          .traits = {.waiting = assay::Waiting::blocks, .simulated = true}};
}

/// Registers a measurement whose batches are what `make` makes of the set-up of a point.
template <class Make>
void add(assay::Registry& registry, assay::Description what, Make make) {
  registry.add(std::move(what), [make](assay::Setup& setup) { return std::make_unique<Fault>(make(setup)); });
}

/// Registers a measurement of one member that acts before each claim.
inline void add(assay::Registry& registry, const std::string& name, const std::function<void()>& act) {
  add(registry, description(name), [act](assay::Setup&) {
    return [act](assay::Member&, assay::Reps reps) {
      act();
      return fair(reps);
    };
  });
}

void register_stuck(assay::Registry& registry);
void register_dying(assay::Registry& registry);
void register_greedy(assay::Registry& registry);
void register_meddling(assay::Registry& registry);
void register_claims(assay::Registry& registry);

}  // namespace faults
