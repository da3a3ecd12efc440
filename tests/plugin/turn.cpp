// SPDX-License-Identifier: Apache-2.0
// The example of doc/writing-a-measurement.md: two members take turns over one cache line.
#include "api/plugin.hpp"

namespace {

class TurnTaking final : public assay::Measurement {
  struct alignas(assay::line_size) Line {
    std::atomic<int> turn{0};
  };
  std::atomic<int>& turn_;

 public:
  explicit TurnTaking(assay::Setup& setup) : turn_(setup.share<Line>().turn) {}

  assay::Claims run(assay::Member& member, assay::Reps reps) override {
    const int me = member.rank();
    return member.timed(reps, [&] {
      while (turn_.load(std::memory_order_acquire) != me) assay::relax();
      turn_.store(1 - me, std::memory_order_release);
    });
  }
};

void register_turn(assay::Registry& registry) {
  registry.add<TurnTaking>({.name = "example/turn",
                            .summary = "Two members take turns over one cache line.",
                            .quantities = {{.name = "time", .summary = "one turn of each member"}},
                            .members = assay::exactly(2),
                            .traits = {.vehicles = {"thread", "process"}, .waiting = assay::Waiting::spins}});
}

}  // namespace

ASSAY_PLUGIN(register_turn)
