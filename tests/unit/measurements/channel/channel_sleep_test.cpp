// SPDX-License-Identifier: Apache-2.0
// A receiver that sleeps is found where its channel says, by what the kernel reports of its thread.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "channel/barrier.hpp"
#include "channel/condvar.hpp"
#include "channel/futex.hpp"
#include "channel/kernel.hpp"
#include "channel/network.hpp"
#include "channel/rpc.hpp"
#include "channel/semaphore.hpp"
#include "channel/signal.hpp"
#include "channel/unix_socket.hpp"
#include "support/measurements/channel_pair.hpp"

namespace assay::test {
namespace {

// The line that the kernel writes for a thread: "running", or a system call's number and arguments.
std::string whereabouts(pid_t thread) {
  const std::string path = "/proc/self/task/" + std::to_string(thread) + "/syscall";
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::array<char, 200> text{};
  const ssize_t length = ::read(file, text.data(), text.size());
  ::close(file);
  return length > 0 ? std::string(text.data(), static_cast<std::size_t>(length)) : std::string();
}

bool is_at(const std::string& line, const SleepingPlace& place) {
  long call = -1;
  const char* end = line.data() + line.size();
  const auto [rest, error] = std::from_chars(line.data(), end, call);
  if (error != std::errc() || end - rest < 4) return false;  // " 0x"
  std::uint64_t argument = 0;
  std::from_chars(rest + 3, end, argument, 16);
  return std::find(place.calls.begin(), place.calls.end(), call) != place.calls.end() && argument >= place.low &&
         argument <= place.high;
}

bool found_at(pid_t thread, const SleepingPlace& place) {
  using namespace std::chrono_literals;
  for (int i = 0; i < 5000; ++i) {
    if (is_at(whereabouts(thread), place)) return true;
    std::this_thread::sleep_for(1ms);
  }
  ADD_FAILURE() << "the receiver was last seen at " << whereabouts(thread) << "; expected calls " << place.calls[0]
                << " within " << std::hex << place.low << " and " << place.high;
  return false;
}

template <class C>
class ChannelWhoseReceiverSleeps : public Watched {};
using Sleeping =
    testing::Types<Futex<Waking::always>, Futex<Waking::if_waited_for>, Condvar<Signalling::after_unlocking>,
                   Condvar<Signalling::inside>, Tokens<PosixSemaphore>, Tokens<StandardSemaphore>,
                   Tokens<SystemVSemaphore>, AtomicWait<std::uint32_t>, AtomicWait<std::uint64_t>,
                   Crossing<PosixBarrier>, Crossing<StandardBarrier>, EventCounter<Delivery::queued>,
                   EventCounter<Delivery::merged>, Pipe, MessageQueue, UnixSocket<SOCK_STREAM>, UnixSocket<SOCK_DGRAM>,
                   UnixSocket<SOCK_SEQPACKET>, StandardSignal, QueuedSignal, HandledSignal, Tcp, Udp, Rpc<RpcOver::udp>,
                   Rpc<RpcOver::tcp>>;
TYPED_TEST_SUITE(ChannelWhoseReceiverSleeps, Sleeping);

TYPED_TEST(ChannelWhoseReceiverSleeps, IsFoundAndWoken) {
  static_assert(SleepingChannel<TypeParam>);
  if (whereabouts(::gettid()).empty()) GTEST_SKIP() << "the kernel does not tell where threads sleep";
  for (const std::string pairing : {"separate", "shared"})
    for (const Direction direction : {Direction::there, Direction::back}) {
      ChannelPair<TypeParam> pair(1, pairing);
      std::atomic<pid_t> sleeper{0};
      const auto receiver = [&] {
        sleeper = ::gettid();
        pair.receive(direction);
      };
      const auto sender = [&] {
        while (sleeper == 0) std::this_thread::yield();
        EXPECT_TRUE(found_at(sleeper, pair.channel.sleeping_place(direction)));
        pair.send(direction);
      };
      direction == Direction::there ? pair.run(sender, receiver) : pair.run(receiver, sender);
    }
}

// Two atomic numbers whose waiters the library counts in one bucket would pay for each other.
TEST(AtomicWaitPlaces, DirectionsHaveBucketsOfTheirOwn) {
  ChannelPair<AtomicWait<std::uint32_t>> pair;
  const auto bucket = [&](Direction direction) { return pair.channel.sleeping_place(direction).low >> 2 & 15; };
  EXPECT_NE(bucket(Direction::there), bucket(Direction::back));
}

}  // namespace
}  // namespace assay::test
