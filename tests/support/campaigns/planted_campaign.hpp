// SPDX-License-Identifier: Apache-2.0
// A campaign of one series on a simulated core that others share, or whose clock changes.
#pragma once
#include <string>
#include <vector>

#include "support/campaigns/campaign_stage.hpp"
#include "support/campaigns/fake_plan.hpp"
#include "support/machines/planted_machine.hpp"

namespace assay::test {

/// What a timing is on a core alone at its usual clock, in ns.
inline constexpr double truth = 1000;

/// The campaign; `points` of the series differ in nothing that matters.
struct States {
  explicit States(const Planted& planted, int points = 4, std::uint64_t seed = 3)
      : stage(fake_plan({fake_series("one", {levels("bytes", points)})}, seed), noisy(truth, 0.003)),
        machine(stage.clock, planted, seed) {
    stage.cycles_per_step = 3;
    machine.plant_in(stage.host);
  }
  std::vector<std::string> notes() const {
    std::vector<std::string> texts;
    for (const NoteRecord& note : stage.sink.all<NoteRecord>()) texts.push_back(note.text);
    return texts;
  }

  Stage stage;
  PlantedMachine machine;
};

}  // namespace assay::test
