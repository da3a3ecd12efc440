// SPDX-License-Identifier: Apache-2.0
// What a measurement finds in its Setup, and the traits at a point.
#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <vector>

#include "platform/thread/guard.hpp"
#include "team/local/local_team.hpp"

namespace assay {
namespace {

Description description() {
  Description d;
  d.factors = {{.name = "bytes", .kind = FactorKind::quantitative, .standard = std::int64_t{64}},
               {.name = "channel", .standard = std::string("flag")}};
  return d;
}

TeamRequest request() {
  TeamRequest r;
  r.members = 3;
  r.vehicle = "process";
  r.seed = 99;
  return r;
}

TEST(TeamSetup, LevelsOfThePointElseTheStandard) {
  TeamRequest r = request();
  r.point.set("bytes", std::int64_t{8});
  const LocalSetup setup(description(), r);
  EXPECT_EQ(setup.level<int>("bytes"), 8);
  EXPECT_EQ(setup.word("channel"), "flag");
  EXPECT_EQ(setup.members(), 3);
  EXPECT_EQ(setup.vehicle(), "process");
  EXPECT_EQ(setup.seed(), 99U);
}

TEST(TeamSetup, MembersThatSpinStayAwakeBetweenBatchesThoughNothingBindsThem) {
  const bool has_room = binding_of_self().size() >= 2;
  const auto stage_of = [](Waiting how, int members, const Placement& placement) {
    Description d = description();
    d.traits.waiting = how;
    TeamRequest r = request();
    r.members = members;
    r.placement = placement;
    return std::make_unique<Stage>(d, r);
  };
  const int first = binding_of_self().front();
  const auto spinning = stage_of(Waiting::spins, 2, {});
  EXPECT_EQ(spinning->mailbox.may_spin, has_room);
  EXPECT_FALSE(spinning->mailbox.are_apart) << "they may meet on one CPU";
  EXPECT_FALSE(stage_of(Waiting::blocks, 2, {})->mailbox.may_spin) << "who wakes them is what is measured";
  EXPECT_FALSE(stage_of(Waiting::spins, 1, {})->mailbox.may_spin);
  EXPECT_FALSE(stage_of(Waiting::spins, 1 << 10, {})->mailbox.may_spin) << "more than there are CPUs";
  EXPECT_FALSE(stage_of(Waiting::spins, 2, {"same-pu", {first, first}})->mailbox.may_spin);
  if (!has_room) return;
  const auto apart = stage_of(Waiting::blocks, 2, {"different", {first, binding_of_self()[1]}});
  EXPECT_TRUE(apart->mailbox.may_spin);
  EXPECT_TRUE(apart->mailbox.are_apart);
}

TEST(TeamSetup, TellsWhetherMembersShareACpu) {
  TeamRequest r = request();
  r.placement = {"0+1+2", {0, 1, 2}};
  EXPECT_EQ(LocalSetup(description(), r).cpu_sharing(), CpuSharing::none);
  r.placement = {"0+1+0", {0, 1, 0}};
  EXPECT_EQ(LocalSetup(description(), r).cpu_sharing(), CpuSharing::certain);
  r.placement = {};
  r.members = 1;
  EXPECT_EQ(LocalSetup(description(), r).cpu_sharing(), CpuSharing::none) << "alone";
  r.members = static_cast<int>(binding_of_self().size());
  EXPECT_EQ(LocalSetup(description(), r).cpu_sharing(), r.members > 1 ? CpuSharing::possible : CpuSharing::none);
  ++r.members;
  EXPECT_EQ(LocalSetup(description(), r).cpu_sharing(), CpuSharing::certain) << "more members than CPUs";
}

TEST(TeamSetup, OnlyRealTimePoliciesKeepAWokenMemberWaiting) {
  TeamRequest r = request();
  EXPECT_EQ(LocalSetup(description(), r).policy(), "inherited");
  for (const std::string preempting : {"inherited", "other", "batch", "idle"}) {
    r.policy = preempting;
    EXPECT_FALSE(LocalSetup(description(), r).wakes_without_preemption()) << preempting;
  }
  for (const std::string waiting : {"fifo", "rr"}) {
    r.policy = waiting;
    EXPECT_TRUE(LocalSetup(description(), r).wakes_without_preemption()) << waiting;
  }
}

TEST(TeamSetup, UndeclaredFactorsAreRefusedEvenIfThePointHasThem) {
  TeamRequest r = request();
  r.point.set("vehicle", std::string("process"));
  const LocalSetup setup(description(), r);
  EXPECT_THROW(setup.value("vehicle"), std::out_of_range);
}

TEST(TeamSetup, SharedObjectsAreAlignedAndLargeOnesFit) {
  struct Small {
    char c = 'x';
  };
  struct alignas(1024) Large {
    char bytes[3 << 20];
  };
  LocalSetup setup(description(), request());
  Small& a = setup.share<Small>();
  Large& large = setup.share<Large>();
  Small& b = setup.share<Small>();
  EXPECT_EQ(a.c, 'x');
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&a) % line_size, 0U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&b) % line_size, 0U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&large) % 1024, 0U);
  EXPECT_NE(&a, &b);
  large.bytes[(3 << 20) - 1] = 1;
}

TEST(TeamSetup, ObjectsEndInReverseOrder) {
  struct Logged {
    explicit Logged(std::vector<int>& log, int number) : log_(log), number_(number) {}
    ~Logged() { log_.push_back(number_); }
    std::vector<int>& log_;
    int number_;
  };
  std::vector<int> log;
  {
    LocalSetup setup(description(), request());
    setup.share<Logged>(log, 1);
    setup.share<Logged>(log, 2);
  }
  EXPECT_EQ(log, (std::vector<int>{2, 1}));
}

TEST(TeamSetup, AnObjectWhoseConstructorThrowsIsNotDestroyed) {
  struct Thrower {
    explicit Thrower(int& ended) : ended_(ended) { throw std::runtime_error("no"); }
    ~Thrower() { ++ended_; }
    int& ended_;
  };
  int ended = 0;
  {
    LocalSetup setup(description(), request());
    EXPECT_THROW(setup.share<Thrower>(ended), std::runtime_error);
  }
  EXPECT_EQ(ended, 0);
}

TEST(TeamSetup, NothingIsSharedOnceSealed) {
  LocalSetup setup(description(), request());
  setup.seal();
  EXPECT_THROW(setup.share<int>(0), std::logic_error);
}

TEST(TeamSetup, AHomeThatCannotBeHadIsN11) {
  TeamRequest r = request();
  r.placement.memory = 1000;
  LocalSetup setup(description(), r);
  try {
    setup.share<int>(0);
    FAIL() << "there is no memory node 1000";
  } catch (const Unsupported& error) {
    EXPECT_EQ(error.code(), "N11");
    EXPECT_NE(std::string(error.what()).find("node 1000"), std::string::npos) << error.what();
  }
}

TEST(TeamSetup, AHomeOfNothingIsN11) {
  TeamRequest r = request();
  r.placement.memory = 0;
  LocalSetup setup(description(), r);
  EXPECT_THROW(setup.seal(), Unsupported);
}

TEST(TeamSetup, TraitsFollowTheSelectorsLevelOrItsStandard) {
  Description d = description();
  d.selector = "channel";
  d.selected = {{"flag", {.events_per_rep = 2}}, {"pipe", {.events_per_rep = 3}}};
  Point point;
  EXPECT_EQ(traits_at(d, point).events_per_rep, 2);
  point.set("channel", std::string("pipe"));
  EXPECT_EQ(traits_at(d, point).events_per_rep, 3);
  point.set("channel", std::string("other"));
  EXPECT_EQ(traits_at(d, point).events_per_rep, 1);
  d.selector = "";
  point.set("channel", std::string("pipe"));
  EXPECT_EQ(traits_at(d, point).events_per_rep, 1);
}

}  // namespace
}  // namespace assay
