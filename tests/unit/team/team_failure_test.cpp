// SPDX-License-Identifier: Apache-2.0
// What becomes of members that throw, under both vehicles.
#include <gtest/gtest.h>

#include <cstring>

#include "platform/process/process.hpp"
#include "unit/team/fixtures.hpp"

namespace assay::team_test {
namespace {

using testing::Combine;
using testing::Values;

void throw_text() { throw std::runtime_error("the text"); }
void throw_unsupported() { throw Unsupported("not here", "N1"); }
void throw_platform() { throw PlatformError("asking", EPERM); }
void throw_number() { throw 42; }

class TeamFailure : public testing::TestWithParam<std::tuple<const char*, int, Waiting>> {
 protected:
  std::unique_ptr<Team> open(const Fault& fault) const {
    return open_team(waiting(std::get<2>(GetParam()), entry_of<Faulty>(fault)), request_of(std::get<0>(GetParam()), 3));
  }
  int rank() const { return std::get<1>(GetParam()); }
  std::string expected() const { return "member " + std::to_string(rank()) + ": the text"; }
  void TearDown() override { EXPECT_TRUE(children_of(getpid()).empty()); }
};

INSTANTIATE_TEST_SUITE_P(Both, TeamFailure,
                         Combine(Values("thread", "process"), Values(0, 1, 2), Values(Waiting::none, Waiting::blocks)));

TEST_P(TeamFailure, InEnterItIsThrownWithItsText) {
  EXPECT_EQ(thrown<MemberFailed>([&] { open({"enter", rank(), throw_text}); }), expected());
  EXPECT_EQ(thrown<Unsupported>([&] { open({"enter", rank(), throw_unsupported}); }), "not here");
  EXPECT_EQ(thrown<PlatformError>([&] {
              open({"enter", rank(), throw_platform});
            }),
            PlatformError("asking", EPERM).what());
}

TEST_P(TeamFailure, InARunItIsThrownWithItsTextAndTheTeamIsGone) {
  const auto team = open({"run", rank(), throw_text});
  EXPECT_EQ(thrown<MemberFailed>([&] { team->run(Reps{1}); }), expected());
  EXPECT_EQ(thrown<MemberFailed>([&] { team->run(Reps{1}); }), expected());
  EXPECT_EQ(thrown<MemberFailed>([&] { team->reference(1); }), expected());
  team->park();
}

TEST_P(TeamFailure, InARunItCanTurnOutThatThePointCannotBeHad) {
  const auto team = open({"run", rank(), throw_unsupported});
  EXPECT_EQ(thrown<Unsupported>([&] { team->run(Reps{1}); }), "not here");
  EXPECT_NE(thrown<MemberFailed>([&] { team->run(Reps{1}); }).find("not here"), std::string::npos);
}

TEST_P(TeamFailure, InARunEverythingElseThrownIsAFailure) {
  EXPECT_NE(thrown<MemberFailed>([&] {
              open({"run", rank(), throw_platform})->run(Reps{1});
            }).find("asking"),
            std::string::npos);
  EXPECT_NE(thrown<MemberFailed>([&] {
              open({"run", rank(), throw_number})->run(Reps{1});
            }).find("not a std::exc"),
            std::string::npos);
}

TEST_P(TeamFailure, InLeaveNobodyHearsIt) {
  const auto team = open({"leave", rank(), throw_text});
  EXPECT_NO_THROW(team->run(Reps{1}));
}

// Members that wait for the failed one forever do not keep the first from hearing of it, nor from ending the team.
TEST_P(TeamFailure, NobodyWaitsForThoseWhoWait) {
  const int status = status_of([&] {
    auto team = open({"run", rank(), throw_text, 1});
    const bool heard = thrown<MemberFailed>([&] { team->run(Reps{1}); }) == expected();
    team.reset();
    end_at_once(heard ? 7 : 8);
  });
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

// Failures that the first has to be told of.
class TeamFailureOfAnother : public TeamFailure {};
INSTANTIATE_TEST_SUITE_P(Both, TeamFailureOfAnother,
                         Combine(Values("thread", "process"), Values(1, 2), Values(Waiting::none)));

TEST_P(TeamFailureOfAnother, OnFailureSavesAFirstMemberThatWaitsForEver) {
  const int status = status_of([&] {
    TeamRequest request = request_of(std::get<0>(GetParam()), 3);
    const pid_t first = getpid();
    request.on_failure = [this, first](int failed, const std::string& why) {
      if (getpid() == first) end_at_once(failed == rank() && why == "the text" ? 7 : 8);
    };
    open_team(entry_of<Faulty>(Fault{"run", rank(), throw_text, 0}), request)->run(Reps{1});
  });
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST_P(TeamFailureOfAnother, OnFailureMayEndTheFailingMember) {
  const int status = status_of([&] {
    TeamRequest request = request_of(std::get<0>(GetParam()), 3);
    request.on_failure = [this](int failed, const std::string& why) {
      end_at_once(failed == rank() && why == "the text" ? 7 : 8);
    };
    open_team(entry_of<Faulty>(Fault{"run", rank(), throw_text, 0}), request)->run(Reps{1});
  });
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST_P(TeamFailure, OnFailureIsNotForOpening) {
  TeamRequest request = request_of(std::get<0>(GetParam()), 3);
  std::atomic<int> calls{0};
  request.on_failure = [&](int, const std::string&) { ++calls; };
  EXPECT_EQ(thrown<MemberFailed>([&] {
              open_team(entry_of<Faulty>(Fault{"enter", rank(), throw_text}), request);
            }),
            expected());
  EXPECT_EQ(calls, 0);
}

class TeamOpening : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Both, TeamOpening, Values("thread", "process"));

TEST_P(TeamOpening, ConstructorsThrowThrough) {
  const auto open = [](void (*what)()) {
    open_team(entry_of<Faulty>(Fault{"constructor", 0, what}), request_of(GetParam(), 2));
  };
  EXPECT_EQ(thrown<MemberFailed>([&] { open(throw_text); }), "member 0: the text");
  EXPECT_EQ(thrown<PlatformError>([&] { open(throw_platform); }), PlatformError("asking", EPERM).what());
  try {
    open(throw_unsupported);
    FAIL();
  } catch (const Unsupported& error) {
    EXPECT_STREQ(error.what(), "not here");
    EXPECT_EQ(error.code(), "N1");
  }
}

TEST_P(TeamOpening, ABindingThatIsRefusedIsThePlatforms) {
  for (const std::size_t bad : {0U, 1U, 2U}) {
    TeamRequest request = request_of(GetParam(), 3);
    request.placement = on_one_cpu(3);
    request.placement.cpus[bad] = 1 << 18;
    const auto before = binding_of_self();
    EXPECT_NE(thrown<PlatformError>([&] { open_team(entry_of<Idle>(), request); }).find("262144"), std::string::npos);
    EXPECT_EQ(binding_of_self(), before);
    EXPECT_TRUE(children_of(getpid()).empty());
  }
}

TEST_P(TeamOpening, WhatTheMeasurementDoesNotHaveIsUnsupported) {
  Entry entry = entry_of<Idle>();
  entry.description.members = exactly(2);
  EXPECT_THROW(open_team(entry, request_of(GetParam(), 1)), Unsupported);
  EXPECT_THROW(open_team(entry, request_of(GetParam(), 3)), Unsupported);
  EXPECT_NO_THROW(open_team(entry, request_of(GetParam(), 2)));
  entry.description.traits.vehicles = {"mpi"};
  EXPECT_THROW(open_team(entry, request_of(GetParam(), 2)), Unsupported);
}

TEST_P(TeamOpening, PlacementsAreForTheNumberOfMembers) {
  TeamRequest request = request_of(GetParam(), 3);
  request.placement = on_one_cpu(2);
  EXPECT_THROW(open_team(entry_of<Idle>(), request), std::invalid_argument);
}

TEST_P(TeamOpening, AFactoryThatMakesNothingIsAFailure) {
  Entry entry = entry_of<Idle>();
  entry.make = [](auto&) { return std::unique_ptr<Measurement>(); };
  EXPECT_THROW(open_team(entry, request_of(GetParam(), 2)), MemberFailed);
}

TEST(TeamVehicleNames, UnknownOnesAreUnsupported) {
  EXPECT_THROW(open_team(entry_of<Idle>(), request_of("mpi", 2)), Unsupported);
  EXPECT_THROW(open_team(entry_of<Idle>(), request_of("", 2)), Unsupported);
}

}  // namespace
}  // namespace assay::team_test
