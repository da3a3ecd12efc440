// SPDX-License-Identifier: Apache-2.0
// Exchanges over two flags.
#include "team/local/reference_channel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

#include "platform/thread/shared_memory.hpp"
#include "support/machines/fake_clock.hpp"

namespace assay {
namespace {

class TeamReference : public testing::Test {
 protected:
  SharedMemory memory_{mailbox_size(2)};
  Mailbox& mailbox_ = make_mailbox(memory_, 2, false);
};

TEST_F(TeamReference, ExchangesAlternateAndCanFollowEachOther) {
  bool complete = false;
  std::thread responder([&] { complete = exchange(mailbox_, false, 3) && exchange(mailbox_, false, 70); });
  EXPECT_TRUE(exchange(mailbox_, true, 3, seconds(1e9)));
  EXPECT_EQ(mailbox_.lines.places[3].back.turn, 3U);
  EXPECT_TRUE(exchange(mailbox_, true, 70, seconds(1e9)));
  responder.join();
  EXPECT_TRUE(complete);
  EXPECT_EQ(mailbox_.lines.initiated.turn, 73U);
  EXPECT_EQ(mailbox_.lines.responded.turn, 73U);
  // The last trips, at a place each.
  std::vector<std::uint32_t> turns;
  for (const auto& [there, back] : mailbox_.lines.places) {
    EXPECT_EQ(there.turn, back.turn);
    turns.push_back(there.turn);
  }
  std::sort(turns.begin(), turns.end());
  std::vector<std::uint32_t> last(turns.size());
  std::iota(last.begin(), last.end(), 74U - static_cast<std::uint32_t>(last.size()));
  EXPECT_EQ(turns, last);
}

TEST_F(TeamReference, AnInitiatorGivesUpOnceAnotherHasFailed) {
  mailbox_.slots[1].failure = Failure::failed;
  EXPECT_FALSE(exchange(mailbox_, true, 10, seconds(1e9)));
}

TEST_F(TeamReference, AnInitiatorWithoutPatienceGivesUpAndTheResponderWithIt) {
  EXPECT_FALSE(exchange(mailbox_, true, 10, Nanoseconds{0}));
  EXPECT_FALSE(exchange(mailbox_, false, 10));
  EXPECT_EQ(mailbox_.lines.responded.turn, 0U);
}

TEST_F(TeamReference, AfterOneThatWasGivenUpTheNextStartsAnew) {
  EXPECT_FALSE(exchange(mailbox_, true, 10, Nanoseconds{0}));
  reset(mailbox_.lines);
  bool complete = false;
  std::thread responder([&] { complete = exchange(mailbox_, false, 40); });
  EXPECT_TRUE(exchange(mailbox_, true, 40, seconds(1e9)));
  responder.join();
  EXPECT_TRUE(complete);
}

TEST(TeamReferenceTime, IsThatOfMostPasses) {
  test::FakeClock clock;
  std::vector<int> passes;
  const auto exchange_some = [&](int some) {
    passes.push_back(some);
    const double trip = passes.size() == 2 ? 900 : 130 + static_cast<double>(passes.size());
    clock.advance(Nanoseconds{some * trip});
    return true;
  };
  EXPECT_EQ(time_round_trips(Stopwatch::simulated(clock), 325, exchange_some), Nanoseconds{134});
  EXPECT_EQ(passes, (std::vector<int>{65, 65, 65, 65, 65}));
}

TEST(TeamReferenceTime, FewRoundTripsAreOnePass) {
  test::FakeClock clock;
  int made = 0;
  const auto exchange_some = [&](int some) {
    made += some;
    clock.advance(Nanoseconds{260});
    return true;
  };
  EXPECT_EQ(time_round_trips(Stopwatch::simulated(clock), 2, exchange_some), Nanoseconds{130});
  EXPECT_EQ(made, 2);
}

TEST(TeamReferenceTime, IsNothingWhereNotAllWereMade) {
  test::FakeClock clock;
  int passes = 0;
  EXPECT_EQ(time_round_trips(Stopwatch::simulated(clock), 320, [&](int) { return ++passes < 3; }), std::nullopt);
  EXPECT_EQ(passes, 3);
}

}  // namespace
}  // namespace assay
