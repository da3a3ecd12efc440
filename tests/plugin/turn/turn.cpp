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
      if (me == 0) turn_.store(1, std::memory_order_release);
      while (turn_.load(std::memory_order_acquire) != me) assay::relax();
      if (me == 1) turn_.store(0, std::memory_order_release);
    });
  }
};

void register_turn(assay::Registry& registry) {
  registry.add<TurnTaking>({.name = "example/turn",
                            .summary = "Two members hand one cache line back and forth.",
                            .quantities = {{.name = "time", .summary = "one round trip"}},
                            .members = assay::exactly(2),
                            .traits = {.vehicles = {"thread", "process"}, .waiting = assay::Waiting::spins}});
}

}  // namespace

ASSAY_PLUGIN(register_turn)
