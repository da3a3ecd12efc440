// SPDX-License-Identifier: Apache-2.0
// At how many places of a channel a batch of round trips is made, and what it claims of them.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "logp/protocol.hpp"
#include "logp/round_trip.hpp"
#include "support/machines/fake_clock.hpp"
#include "support/measurements/point_setup.hpp"

namespace assay::test {
namespace {

/// What a channel did, of one member.
struct Course {
  FakeClock clock;
  std::vector<int> trips;  ///< begun at each place
};

/// Of the test that runs: a channel is made by its type.
Course& course() {
  static Course made;
  return made;
}

/// A send takes 100 ns at the first place, 200 at the second, and so on; its message is there at once.
template <Waiting waiting>
class Ascending {
 public:
  explicit Ascending(Setup&) {}
  static Traits traits() { return {.vehicles = {"thread"}, .waiting = waiting}; }
  static constexpr Delivery delivery = Delivery::merged;
  std::int64_t capacity() const { return 1; }
  void enter(Member&) {}
  void leave(Member&) {}
  void settle(Member&, Direction) {}
  void wander(Member&) { course().trips.push_back(0); }
  void send(Member&, Direction) {
    ++course().trips.back();
    course().clock.advance(Nanoseconds{100} * static_cast<double>(course().trips.size()));
  }
  void receive(Member&, Direction) {}
};

struct RoundTripPlaces : testing::Test {
  RoundTripPlaces() { course() = {}; }

  /// What a member claims of two repetitions, in ns; nothing where it claims nothing.
  template <Waiting waiting = Waiting::spins>
  std::optional<double> claim(int rank, CpuSharing sharing = CpuSharing::none, const std::string& stop = "lease") {
    Point point;
    for (const Factor& factor : describe(Protocol::round_trip).factors) point.set(factor.name, factor.standard);
    point.set("stop", stop);
    PointSetup setup(point, 2);
    setup.sharing = sharing;
    RoundTrip<Ascending<waiting>> trip(setup);
    Member member(rank, 2, Stopwatch::simulated(course().clock), beats);
    const Claims claims = trip.run(member, Reps{2});
    return claims.has(0) ? std::optional(claims[0]) : std::nullopt;
  }

  std::atomic<std::int64_t> beats{0};
};

TEST_F(RoundTripPlaces, MembersThatPollClaimTheMeanOverEight) {
  EXPECT_EQ(claim(0), 2 * 450.0) << "100, 200, ... 800";
  EXPECT_EQ(course().trips, std::vector<int>(8, 3)) << "one before the clock starts, at each";
  course().trips.clear();
  EXPECT_EQ(claim(1), std::nullopt);
  EXPECT_EQ(course().trips, std::vector<int>(8, 3)) << "the responder answers as many, at as many";
}

TEST_F(RoundTripPlaces, MembersThatNothingBindsMayBeApart) {
  claim(0, CpuSharing::possible);
  EXPECT_EQ(course().trips.size(), 8U);
}

TEST_F(RoundTripPlaces, WhatIsSlowerThanAPlaceMattersIsMadeAtOne) {
  claim(0, CpuSharing::certain);
  EXPECT_EQ(course().trips, std::vector<int>{3}) << "turns by time slices";
  course().trips.clear();
  claim<Waiting::either>(0);
  EXPECT_EQ(course().trips, std::vector<int>{3}) << "a partner that sleeps";
}

TEST_F(RoundTripPlaces, AResponderThatDoesNotCountIsStoppedAtOne) {
  EXPECT_EQ(claim(0, CpuSharing::none, "poison"), 2 * 100.0);
  EXPECT_EQ(course().trips, std::vector<int>{4}) << "and a message that gets it to where it looks";
}

}  // namespace
}  // namespace assay::test
