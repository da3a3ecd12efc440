// SPDX-License-Identifier: Apache-2.0
// What every channel promises: queued messages come once each, merging ones can be absorbed, a full channel says so.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>

#include "channel/barrier.hpp"
#include "channel/condvar.hpp"
#include "channel/futex.hpp"
#include "channel/kernel.hpp"
#include "channel/network.hpp"
#include "channel/polled.hpp"
#include "channel/rpc.hpp"
#include "channel/semaphore.hpp"
#include "channel/signal.hpp"
#include "channel/unix_socket.hpp"
#include "support/measurements/channel_pair.hpp"

namespace assay::test {
namespace {

using Stream = UnixSocket<SOCK_STREAM>;
using Datagrams = UnixSocket<SOCK_DGRAM>;
using Packets = UnixSocket<SOCK_SEQPACKET>;

template <class C>
bool must_be_skipped() {
  return C::traits().waiting == Waiting::spins && !has_two_cpus();
}

// n messages before the receiver takes any; `take` is what it does then.
template <class C, class Take>
void burst(ChannelPair<C>& pair, Direction direction, std::int64_t n, Take take) {
  const auto sender = [&] {
    for (std::int64_t i = 0; i < n; ++i) pair.send(direction);
    pair.meet();
  };
  const auto receiver = [&] {
    pair.meet();
    take(n);
  };
  direction == Direction::there ? pair.run(sender, receiver) : pair.run(receiver, sender);
}

template <class C>
void receive_all(ChannelPair<C>& pair, Direction direction, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) pair.receive(direction);
}

template <class C>
class QueuedChannel : public Watched {};
using Queued = testing::Types<SlotRing<false>, SlotRing<true>, Futex<Waking::always>, Futex<Waking::if_waited_for>,
                              Condvar<Signalling::after_unlocking>, Condvar<Signalling::inside>, Tokens<PosixSemaphore>,
                              Tokens<StandardSemaphore>, Tokens<SystemVSemaphore>, EventCounter<Delivery::queued>, Pipe,
                              MessageQueue, Stream, Datagrams, Packets, QueuedSignal, Tcp, Udp, Rpc<RpcOver::udp>,
                              Rpc<RpcOver::tcp>>;
TYPED_TEST_SUITE(QueuedChannel, Queued);

TYPED_TEST(QueuedChannel, BurstsComeOnceEachBothWays) {
  if (must_be_skipped<TypeParam>()) GTEST_SKIP() << "members that poll need two CPUs";
  for (const std::string& vehicle : TypeParam::traits().vehicles) {
    ChannelPair<TypeParam> pair(1, "separate", vehicle);
    ASSERT_GE(pair.channel.capacity(), 10);
    const std::int64_t n = std::min<std::int64_t>(pair.channel.capacity(), 300);
    for (const Direction direction : {Direction::there, Direction::back}) {
      burst(pair, direction, n, [&](std::int64_t all) { receive_all(pair, direction, all); });
      pair.exchange(50);
    }
  }
}

template <class C>
class ChannelThatMerges : public Watched {};
using Merging =
    testing::Types<Flag<false>, Flag<true>, Flag<false, FlagLines::one>, AtomicWait<std::uint32_t>,
                   AtomicWait<std::uint64_t>, EventCounter<Delivery::merged>, StandardSignal, HandledSignal>;
TYPED_TEST_SUITE(ChannelThatMerges, Merging);

TYPED_TEST(ChannelThatMerges, AgreesAgainAfterAbsorbing) {
  static_assert(MergingChannel<TypeParam>);
  if (must_be_skipped<TypeParam>()) GTEST_SKIP() << "members that poll need two CPUs";
  ChannelPair<TypeParam> pair;
  for (const Direction direction : {Direction::there, Direction::back})
    for (const int sends : {0, 1, 7}) {
      burst(pair, direction, sends,
            [&](std::int64_t n) { pair.channel.absorb(pair.receiver(direction), direction, n); });
      pair.exchange(20);
    }
}

template <class C>
class ChannelThatWanders : public Watched {};
using Wandering = testing::Types<Flag<false>, Flag<true>, Flag<false, FlagLines::one>, Futex<Waking::always>,
                                 Futex<Waking::if_waited_for>, AtomicWait<std::uint32_t>, AtomicWait<std::uint64_t>>;
TYPED_TEST_SUITE(ChannelThatWanders, Wandering);

TYPED_TEST(ChannelThatWanders, IsTheSameAtEachOfItsPlaces) {
  static_assert(WanderingChannel<TypeParam> && !WanderingChannel<Pipe>);
  if (must_be_skipped<TypeParam>()) GTEST_SKIP() << "members that poll need two CPUs";
  for (const std::string& vehicle : TypeParam::traits().vehicles) {
    ChannelPair<TypeParam> pair(1, "separate", vehicle);
    for (int batch = 0; batch < 70; ++batch) {  // round more than twice
      for (const Direction direction : {Direction::there, Direction::back})
        begin_batch(pair.channel, pair.receiver(direction));
      pair.exchange(3);
    }
  }
}

template <class C>
class HandedChannel : public Watched {};
using Handed = testing::Types<Crossing<PosixBarrier>, Crossing<StandardBarrier>>;
TYPED_TEST_SUITE(HandedChannel, Handed);

TYPED_TEST(HandedChannel, Alternates) {
  for (const std::string& vehicle : TypeParam::traits().vehicles) {
    ChannelPair<TypeParam> pair(1, "separate", vehicle);
    pair.exchange(200);
  }
}

// Fills the channel, and expects to get exactly what went in; returns how many messages that were.
template <class C>
std::int64_t fill_and_empty(ChannelPair<C>& pair) {
  std::int64_t accepted = 0;
  const auto sender = [&] {
    while (pair.try_send(Direction::there)) ++accepted;
    pair.meet();
  };
  const auto receiver = [&] {
    pair.meet();
    receive_all(pair, Direction::there, accepted);
  };
  pair.run(sender, receiver);
  pair.exchange(50);
  return accepted;
}

template <class C>
void expect_full_then_empty(ChannelPair<C>& pair) {
  EXPECT_GE(fill_and_empty(pair), pair.channel.capacity());
}

template <class C>
class ChannelThatRefuses : public Watched {};
using Refusing = testing::Types<SlotRing<false>, Pipe, MessageQueue, Stream, Datagrams, Packets>;
TYPED_TEST_SUITE(ChannelThatRefuses, Refusing);

TYPED_TEST(ChannelThatRefuses, GivesBackWhatItTook) {
  static_assert(RefusingChannel<TypeParam>);
  if (must_be_skipped<TypeParam>()) GTEST_SKIP() << "members that poll need two CPUs";
  ChannelPair<TypeParam> pair;
  for (int i = 0; i < 3; ++i) expect_full_then_empty(pair);
}

TEST_F(Watched, LongMessagesThatFitInPartAreCompletedByTheNext) {
  for (const std::int64_t bytes : {3000, 5000, 70'000, 300'000}) {
    SCOPED_TRACE(bytes);
    ChannelPair<Pipe> pipe(bytes);
    ChannelPair<Stream> stream(bytes);
    for (int i = 0; i < 3; ++i) {
      expect_full_then_empty(pipe);
      expect_full_then_empty(stream);
    }
  }
}

TEST_F(Watched, SocketsShareAPairWhereAsked) {
  ChannelPair<Stream> stream(1, "shared");
  ChannelPair<Datagrams> datagrams(1, "shared");
  ChannelPair<Packets> packets(1, "shared");
  ChannelPair<Tcp> tcp(1, "shared");
  ChannelPair<Udp> udp(1, "shared");
  stream.exchange(200);
  tcp.exchange(200);
  udp.exchange(200);
  datagrams.exchange(200);
  packets.exchange(200);
}

TEST_F(Watched, TooLongMessagesAreRefused) {
  EXPECT_THROW(ChannelPair<Datagrams>(std::int64_t{1} << 26), Unsupported);
  EXPECT_THROW(ChannelPair<Packets>(std::int64_t{1} << 26), Unsupported);
  EXPECT_THROW(ChannelPair<MessageQueue>(std::int64_t{1} << 26), Unsupported);
  EXPECT_THROW(ChannelPair<Udp>(65508), Unsupported);
  EXPECT_THROW(ChannelPair<Rpc<RpcOver::udp>>(65508), Unsupported);
}

// The user's pending signals, all processes together.
rlim_t pending_signals() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("SigQ:")) return std::stoul(line.substr(5));
  return 0;
}

TEST_F(Watched, QueuedSignalsStopAtTheLimit) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_SIGPENDING, &before), 0);
  rlimit tight = before;
  tight.rlim_cur = std::min(before.rlim_cur, pending_signals() + 64);
  ASSERT_EQ(::setrlimit(RLIMIT_SIGPENDING, &tight), 0);
  {
    ChannelPair<QueuedSignal> pair;
    for (int i = 0; i < 3; ++i) fill_and_empty(pair);  // how many fit depends on all processes of the user
  }
  EXPECT_EQ(::setrlimit(RLIMIT_SIGPENDING, &before), 0);
}

TEST_F(Watched, SignalsLeaveTheMaskAsItWas) {
  const auto is_blocked = [](int signal) {
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    return sigismember(&mask, signal) == 1;
  };
  ChannelPair<StandardSignal> pair;
  const auto send_one_too_many = [&] { pair.send(Direction::back); };
  pair.run([&] { EXPECT_TRUE(is_blocked(SIGUSR1)); }, send_one_too_many);
  EXPECT_FALSE(is_blocked(SIGUSR1));
  EXPECT_FALSE(is_blocked(SIGCHLD));
}

}  // namespace
}  // namespace assay::test
