// SPDX-License-Identifier: Apache-2.0
// Channels over the loopback interface: a lost message is told, none is lost within the capacity, and the wire format
// of a remote procedure call is that of its documents.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/socket.h>

#include <vector>

#include "channel/network.hpp"
#include "channel/rpc.hpp"
#include "limits/limits.hpp"
#include "support/measurements/channel_pair.hpp"
#include "support/measurements/one_batch.hpp"
#include "support/programs/own_process.hpp"

namespace assay::test {
namespace {

using RpcUdp = Rpc<RpcOver::udp>;
using RpcTcp = Rpc<RpcOver::tcp>;

class NetworkChannel : public Watched {};

// Takes a message of a direction away from its receiver.
template <class C>
void steal(ChannelPair<C>& pair, Direction direction) {
  std::vector<char> bytes(1000);
  const int end = static_cast<int>(pair.channel.sleeping_place(direction).low);
  ASSERT_GT(::recv(end, bytes.data(), bytes.size(), 0), 0);
}

template <class C>
void expect_loss_is_told() {
  ChannelPair<C> pair(1, "shared");
  pair.exchange(300);  // numbers of one byte have come round
  const auto send_two = [&] {
    pair.send(Direction::there);
    pair.send(Direction::there);
    pair.meet();
  };
  const auto find_the_second = [&] {
    pair.meet();
    steal(pair, Direction::there);
    EXPECT_THROW(pair.receive(Direction::there), std::runtime_error);
  };
  pair.run(send_two, find_the_second);
}

TEST_F(NetworkChannel, ALostDatagramIsToldByTheNext) {
  expect_loss_is_told<Udp>();
  expect_loss_is_told<RpcUdp>();
}

TEST_F(NetworkChannel, AReplyToAnEarlierCallIsRefused) {
  ChannelPair<RpcUdp> pair;
  const auto caller = [&] {
    pair.send(Direction::there);
    pair.receive(Direction::back);
    pair.send(Direction::there);
    EXPECT_THROW(pair.receive(Direction::back), std::runtime_error);
  };
  const auto server_that_replies_twice = [&] {
    pair.receive(Direction::there);
    pair.send(Direction::back);
    pair.send(Direction::back);
  };
  pair.run(caller, server_that_replies_twice);
}

// As many as the channel says that it certainly holds are there afterwards, each in its turn.
template <class C>
void expect_capacity_holds(std::int64_t bytes) {
  SCOPED_TRACE(bytes);
  ChannelPair<C> pair(bytes);
  const std::int64_t n = pair.channel.capacity();
  ASSERT_GT(n, 0);
  const auto sender = [&] {
    for (std::int64_t i = 0; i < n; ++i) pair.send(Direction::there);
    pair.meet();
  };
  const auto receiver = [&] {
    pair.meet();
    for (std::int64_t i = 0; i < n; ++i) pair.receive(Direction::there);
  };
  for (int round = 0; round < 3; ++round) pair.run(sender, receiver);
}

TEST_F(NetworkChannel, HoldsWhatItSaysOfMessagesOfAnySize) {
  for (const std::int64_t bytes : {1, 100, 1000, 9000, 60'000}) {
    expect_capacity_holds<Udp>(bytes);
    expect_capacity_holds<RpcUdp>(bytes);
  }
  for (const std::int64_t bytes : {1, 1000, 9000}) {
    expect_capacity_holds<Tcp>(bytes);
    expect_capacity_holds<RpcTcp>(bytes);
  }
}

TEST_F(NetworkChannel, ABurstThatDoesNotFitIsRefusedWhereItWouldBeLost) {
  const Levels long_burst{{"channel", std::string("udp")}, {"burst", std::int64_t{1} << 24}};
  EXPECT_THROW(run_named("logp/burst", {}, long_burst, Reps{1}), Unsupported);
}

// Written down from RFC 5531 (sections 9 and 11) and RFC 4506: a char is four bytes.
TEST(RpcMessage, IsOnTheWireWhatTheDocumentsSay) {
  using Bytes = std::vector<unsigned char>;
  const auto bytes = [](RpcMessage& message, std::size_t size) {
    const auto* data = reinterpret_cast<const unsigned char*>(message.data());
    return Bytes(data, data + size);
  };
  RpcMessage message(1);
  message.write_call(0x01020304);
  EXPECT_EQ(bytes(message, message.call_size()),
            (Bytes{0x80, 0, 0,    44,                                                    // last fragment, 44 bytes
                   1,    2, 3,    4,                                                     // xid
                   0,    0, 0,    0,                                                     // CALL
                   0,    0, 0,    2,                                                     // RPC version
                   0x20, 0, 0x0a, 0x55, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0,  // credential AUTH_NONE
                   0,    0, 0,    0,    0, 0, 0, 0,                                      // verifier
                   0,    0, 0,    0}));                                                  // the argument, padded
  EXPECT_TRUE(message.is_call(0x01020304));
  EXPECT_FALSE(message.is_call(0x01020305));
  EXPECT_FALSE(message.is_reply(0x01020304));
  message.write_reply(7);
  EXPECT_EQ(bytes(message, message.reply_size()),
            (Bytes{0x80, 0, 0, 28, 0, 0, 0, 7, 0, 0, 0, 1,  // REPLY
                   0,    0, 0, 0,  0, 0, 0, 0, 0, 0, 0, 0,  // MSG_ACCEPTED, verifier
                   0,    0, 0, 0,  0, 0, 0, 0}));           // SUCCESS, the result
  EXPECT_TRUE(message.has_mark(message.reply_size()));
  EXPECT_FALSE(message.has_mark(message.call_size()));
}

TEST(RpcMessage, PadsWhatItCarriesToWholeWords) {
  for (const auto& [opaque, padded] : {std::pair{0, 0}, {1, 4}, {4, 4}, {5, 8}, {1000, 1000}})
    EXPECT_EQ(RpcMessage(static_cast<std::size_t>(opaque)).call_size(), 44U + static_cast<unsigned>(padded));
}

template <class C>
bool is_unsupported() {
  try {
    ChannelPair<C> pair;
  } catch (const Unsupported& reason) {
    return std::string(reason.what()).find("loopback") != std::string::npos;
  }
  return false;
}

TEST_F(NetworkChannel, WithoutDescriptorsThatIsSaid) {
  if (ASSAY_SANITIZED) GTEST_SKIP() << "the sanitizer needs descriptors of its own to look at objects";
  const int status = in_own_process([] {
    limit(RLIMIT_NOFILE, descriptor_usage().used + 1);
    return is_unsupported<Tcp>() && is_unsupported<Udp>();
  });
  EXPECT_EQ(status, 0);
}

TEST_F(NetworkChannel, WithoutALoopbackInterfaceThatIsSaid) {
  const int status = in_own_process([] {
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return true;  // may be forbidden
    return is_unsupported<Tcp>() && is_unsupported<Udp>();
  });
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace assay::test
