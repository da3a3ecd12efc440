// SPDX-License-Identifier: Apache-2.0
// Factors that are hard to change: whose turn it is, and the commands between blocks.
#include "run/session/blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "run/session/campaign.hpp"
#include "support/campaigns/fake_host.hpp"
#include "support/campaigns/fake_plan.hpp"
#include "support/records/memory_sink.hpp"

namespace assay::test {
namespace {

Variant hard(const std::string& name, int rounds = 2) {
  Variant variant;
  variant.name = name;
  variant.setup = name + " up";
  variant.teardown = name + " down";
  variant.rounds = rounds;
  return variant;
}

/// A campaign of one series over variants, whose commands are only written down.
struct BlockStage {
  explicit BlockStage(std::vector<Variant> variants, const std::vector<std::string>& levels) {
    plan = fake_plan({fake_series("one", {words("variant", levels)})});
    plan.variants = std::move(variants);
  }
  CampaignEnd run() {
    FakeHost host(plan, clock, [&](const FakeTurn& turn, Rng& rng) {
      log.push_back("visit " + turn.point.text("variant"));
      return Nanoseconds{1000 * (1 + 0.001 * rng.normal()) * static_cast<double>(turn.reps.count)};
    });
    Surroundings world{clock, host, sink};
    world.pause = [this](Nanoseconds time) { clock.advance(time); };
    world.stop_requested = [this] { return stop(); };
    world.execute = [this](const std::string& command, Nanoseconds) {
      const bool is_repeated = std::ranges::find(log, command) != log.end();
      log.push_back(command);
      if (is_repeated && command == failing_later) return std::string("exited 1: gone");
      const auto failure = failures.find(command);
      return failure == failures.end() ? std::string() : failure->second;
    };
    History history;
    return run_campaign(plan, history, world);
  }
  /// Commands and runs of visits, equal neighbours once.
  std::vector<std::string> course() const {
    std::vector<std::string> short_log;
    for (const std::string& entry : log)
      if (short_log.empty() || short_log.back() != entry) short_log.push_back(entry);
    return short_log;
  }
  Outcome outcome_of(const std::string& variant) const {
    for (const PointRecord& record : sink.all<PointRecord>())
      if (record.point.text("variant") == variant) return record.outcome;
    return Outcome::open;
  }

  FakeClock clock;
  CampaignPlan plan;
  MemorySink sink;
  std::vector<std::string> log;
  std::map<std::string, std::string> failures;
  std::string failing_later;  ///< a command that works the first time only
  std::function<bool()> stop = [] { return false; };
};

TEST(Blocks, VisitsHappenBetweenSetUpAndTearDownOfTheirVariant) {
  BlockStage stage({hard("a"), hard("b")}, {"plain", "a", "b"});
  EXPECT_EQ(stage.run().exit_code(), 0);
  std::string state = "plain";
  int ups = 0;
  for (const std::string& entry : stage.log) {
    if (entry.ends_with(" up")) {
      EXPECT_EQ(state, "plain") << "one is taken down before the next is set up";
      state = entry.substr(0, entry.size() - 3);
      ++ups;
    } else if (entry.ends_with(" down")) {
      EXPECT_EQ(state + " down", entry);
      state = "plain";
    } else {
      EXPECT_EQ(entry, "visit " + state);
    }
  }
  EXPECT_EQ(state, "plain") << "the last one is taken down too";
  EXPECT_GE(ups, 6) << "blocks are repeated: eight visits, two or three in a block, of two variants";
}

TEST(Blocks, ABlockHasTheRoundsItsVariantAsksFor) {
  BlockStage stage({hard("a", 4)}, {"plain", "a"});
  stage.run();
  std::map<int, int> visits_in_block;
  int block = 0;
  std::string last;
  for (const VisitRecord& visit : stage.sink.all<VisitRecord>()) {
    if (visit.point.text("variant") != last) ++block;
    last = visit.point.text("variant");
    if (last == "a") ++visits_in_block[block];
  }
  ASSERT_GE(visits_in_block.size(), 2U);
  EXPECT_EQ(visits_in_block.begin()->second % 4, 0);
}

TEST(Blocks, WhatIsEasyToChangeIsInterleaved) {
  Variant easy;
  easy.name = "tuned";
  easy.environment = {"A=b"};
  BlockStage stage({easy}, {"plain", "tuned"});
  stage.run();
  int changes = 0;
  for (const std::string& entry : stage.course()) changes += entry == "visit tuned" ? 1 : 0;
  EXPECT_GE(changes, 4) << "rounds visit both";
}

TEST(Blocks, EverySecondCycleIsReversed) {
  BlockStage stage({hard("a", 1), hard("b", 1)}, {"a", "b"});
  FakeHost host(stage.plan, stage.clock, {});
  const Surroundings world{stage.clock, host, stage.sink};
  Blocks blocks(stage.plan, world, Rng(4));
  std::vector<std::string> order;
  for (int i = 0; i < 8; ++i) {
    order.push_back(blocks.next({"a", "b"}));
  }
  for (int cycle = 0; cycle < 8; cycle += 4) {
    EXPECT_EQ(order[static_cast<std::size_t>(cycle)], order[static_cast<std::size_t>(cycle + 3)]);
    EXPECT_EQ(order[static_cast<std::size_t>(cycle + 1)], order[static_cast<std::size_t>(cycle + 2)]);
    EXPECT_NE(order[static_cast<std::size_t>(cycle)], order[static_cast<std::size_t>(cycle + 1)]);
  }
}

TEST(Blocks, AFailedSetUpCostsItsPointsOnly) {
  BlockStage stage({hard("a"), hard("b")}, {"plain", "a", "b"});
  stage.failures["a up"] = "exited 1: no such device";
  EXPECT_EQ(stage.run().exit_code(), 0) << "the variant is not available here; the exit code is that of the rest";
  EXPECT_EQ(stage.outcome_of("a"), Outcome::unsupported);
  EXPECT_EQ(stage.outcome_of("b"), Outcome::converged);
  EXPECT_EQ(stage.outcome_of("plain"), Outcome::converged);
  for (const PointRecord& record : stage.sink.all<PointRecord>())
    if (record.outcome == Outcome::unsupported) {
      EXPECT_EQ(record.reason, "set-up of variant a failed: exited 1: no such device");
    }
  EXPECT_EQ(std::count(stage.log.begin(), stage.log.end(), "a down"), 0) << "what was not set up is not taken down";
}

TEST(Blocks, ASetUpThatWorkedBeforeAndThenFailsIsAFailure) {
  BlockStage stage({hard("a")}, {"plain", "a"});
  stage.failing_later = "a up";
  EXPECT_EQ(stage.run().exit_code(), 1);
  EXPECT_EQ(stage.outcome_of("a"), Outcome::failed);
  EXPECT_EQ(stage.outcome_of("plain"), Outcome::converged);
}

TEST(Blocks, AFailedTearDownEndsTheSession) {
  BlockStage stage({hard("a")}, {"plain", "a"});
  stage.failures["a down"] = "exited 1";
  const CampaignEnd end = stage.run();
  EXPECT_EQ(end.exit_code(), 75);
  EXPECT_EQ(end.reason, "tear-down");
  const auto notes = stage.sink.all<NoteRecord>();
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const NoteRecord& note) {
    return note.text.find("tear-down of variant a failed: exited 1") != std::string::npos;
  }));
  EXPECT_NE(stage.outcome_of("plain"), Outcome::converged);
}

TEST(Blocks, TheJournalIsToldBeforeASetUpAndAfterATearDown) {
  BlockStage stage({hard("a")}, {"plain", "a"});
  stage.run();
  int stands = 0;
  for (const VariantRecord& record : stage.sink.all<VariantRecord>()) {
    EXPECT_EQ(record.variant, "a");
    stands += record.stands ? 1 : -1;
    EXPECT_TRUE(stands == 0 || stands == 1);
  }
  EXPECT_EQ(stands, 0);
  EXPECT_FALSE(stage.sink.all<VariantRecord>().empty());
}

TEST(Blocks, AStoppedSessionTakesItsVariantDown) {
  BlockStage stage({hard("a")}, {"a"});
  stage.stop = [&] { return stage.log.size() > 20; };
  EXPECT_EQ(stage.run().exit_code(), 75);
  EXPECT_EQ(stage.log.back(), "a down");
}

}  // namespace
}  // namespace assay::test
