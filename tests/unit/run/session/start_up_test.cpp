// SPDX-License-Identifier: Apache-2.0
// A start-up plateau of 10 % for 3 ms of the action's own time, in every process, is not reported as the answer.
#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "run/plan.hpp"
#include "run/worker/visit.hpp"
#include "stats/rule/stopping_rule.hpp"
#include "support/machines/fake_clock.hpp"
#include "team/batch_classifier.hpp"

namespace assay::test {
namespace {

constexpr double settled = 5;  ///< ns
constexpr double plateau = 1.1;
constexpr double plateau_ns = 3e6;

/// One process: slower by a tenth until its action has run for 3 ms.
class StartingTeam final : public Team {
 public:
  StartingTeam(FakeClock& clock, std::uint64_t seed) : clock_(clock), rng_(seed) {}
  Batch run(Reps reps) override {
    const double each = settled * (ran_ < plateau_ns ? plateau : 1) * (1 + 0.01 * rng_.normal());
    const Nanoseconds time{each * static_cast<double>(reps.count)};
    ran_ += time.count;
    clock_.advance(time);
    MemberReport report;
    report.claims = Claims(time);
    report.wall = report.cpu = time;
    return {reps, {report}};
  }
  std::optional<Nanoseconds> reference(int) override { return std::nullopt; }
  void park() override {}

 private:
  FakeClock& clock_;
  Rng rng_;
  double ran_ = 0;
};

/// What the default rule says after visits dealt over five processes that were warmed up for so long.
Verdict measured_start(Nanoseconds warm) {
  const Description description{"test/starting", "nothing"};
  const auto rule = make_rule({});
  FakeClock clock;
  std::vector<StartingTeam> processes;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    processes.emplace_back(clock, seed);
    warm_up(processes.back(), description, {}, warm, clock);
  }
  Sample sample;
  for (int visit = 0; visit < 1000; ++visit) {
    const int process = visit % 5;
    const VisitOrder order{Reps{500}, 1, 4, 8, false, seconds(1)};
    const VisitYield yield =
        execute_visit(processes[static_cast<std::size_t>(process)], order, description, description.traits);
    for (auto i = static_cast<std::size_t>(yield.discarded); i < yield.batches.size(); ++i)
      sample.add({observe(yield.batches[i], description, 0, description.traits).value(), 0, process, visit});
    if (!rule->is_look(sample.visits())) continue;
    Verdict verdict = rule->check(sample, {});
    if (verdict.stop()) return verdict;
  }
  return {};
}

TEST(StartUp, APlateauOfMillisecondsIsNotTheAnswer) {
  const Verdict verdict = measured_start(Precision{}.warm_up);
  EXPECT_EQ(verdict.outcome, Outcome::converged) << verdict.reason;
  EXPECT_NEAR(verdict.estimate.value, settled, 0.005 * settled);
  EXPECT_TRUE(verdict.estimate.interval.contains(settled));
}

TEST(StartUp, WithoutWarmUpTheColdStartIsMeasuredAsAsked) {
  EXPECT_NEAR(measured_start({}).estimate.value, settled * plateau, 0.005 * settled);
}

}  // namespace
}  // namespace assay::test
