// SPDX-License-Identifier: Apache-2.0
// Channels through an object of the kernel: a pipe or a POSIX message queue per direction, a counter that is written
// and read.
#pragma once
#include <fcntl.h>
#include <mqueue.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>

#include "channel/channel.hpp"
#include "channel/descriptor.hpp"
#include "channel/payload.hpp"

namespace assay {

/// A message is `bytes` bytes written by one call and read by as many as it takes.
class Pipe {
  static constexpr std::size_t reading = 0;
  static constexpr std::size_t writing = 1;
  static DescriptorPair opened() {
    return {"cannot open a pipe", [](int* ends) { return ::pipe2(ends, O_CLOEXEC); }};
  }
  auto writer(Direction direction) const {
    return [end = pipes_[index(direction)][writing]](auto* data, auto size) { return ::write(end, data, size); };
  }

 public:
  explicit Pipe(Setup& setup) : payload_(setup, "a pipe"), pipes_{opened(), opened()} {}
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::blocks}; }
  static constexpr Delivery delivery = Delivery::queued;
  /// A message that does not fit into the last page begun starts a new one.
  std::int64_t capacity() const {
    const auto page = ::sysconf(_SC_PAGESIZE);
    const auto bytes = static_cast<std::int64_t>(payload_.bytes());
    const std::int64_t pages = ::fcntl(pipes_[0][writing], F_GETPIPE_SZ) / page;
    return bytes <= page ? pages * (page / bytes) : pages / ((bytes + page - 1) / page);
  }
  SleepingPlace sleeping_place(Direction direction) const {
    return on_descriptor(SYS_read, pipes_[index(direction)][reading]);
  }

  void enter(Member& member) { payload_.enter(member); }
  void leave(Member&) {}
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member& member, Direction direction) { payload_.send(member, "writing to a pipe", writer(direction)); }
  bool try_send(Member& member, Direction direction) {
    const WithoutWaiting briefly(pipes_[index(direction)][writing]);  // of this direction's sender alone
    return payload_.try_send(member, "writing to a pipe", writer(direction));
  }
  void receive(Member& member, Direction direction) {
    payload_.receive(member, "reading from a pipe", [end = pipes_[index(direction)][reading]](auto* data, auto size) {
      return ::read(end, data, size);
    });
  }

 private:
  Payload payload_;
  std::array<DescriptorPair, 2> pipes_;
};

/// Sending adds one. Receiving takes one off where messages are queued (semaphore mode), and all of it where they merge
/// (counter mode).
template <Delivery how>
class EventCounter {
 public:
  explicit EventCounter(Setup&) : counters_{opened(), opened()} {}
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::blocks}; }
  static constexpr Delivery delivery = how;
  /// The documented bound is twice this: it is never seen full.
  std::int64_t capacity() const { return std::numeric_limits<std::int64_t>::max(); }
  SleepingPlace sleeping_place(Direction direction) const {
    return on_descriptor(SYS_read, counters_[index(direction)].number());
  }

  void enter(Member&) {}
  void leave(Member&) {}
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member&, Direction direction) {
    const std::uint64_t one = 1;
    uninterrupted("writing to an event counter",
                  [&] { return ::write(counters_[index(direction)].number(), &one, sizeof one); });
  }
  void receive(Member&, Direction direction) { take(direction); }
  void absorb(Member&, Direction direction, std::int64_t sends)
    requires(how == Delivery::merged)
  {
    while (sends > 0) sends -= static_cast<std::int64_t>(take(direction));
  }

 private:
  static OwnedDescriptor opened() {
    return {"cannot open an event counter", ::eventfd(0, EFD_CLOEXEC | (how == Delivery::queued ? EFD_SEMAPHORE : 0))};
  }
  std::uint64_t take(Direction direction) {
    std::uint64_t taken = 0;
    uninterrupted("reading an event counter",
                  [&] { return ::read(counters_[index(direction)].number(), &taken, sizeof taken); });
    return taken;
  }
  std::array<OwnedDescriptor, 2> counters_;
};

/// The queues have names only until they are open: members inherit them, and nothing is left behind.
class MessageQueue {
 public:
  explicit MessageQueue(Setup& setup)
      : payload_(setup, "a message queue"), queues_{opened(payload_.bytes()), opened(payload_.bytes())} {}
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::blocks}; }
  static constexpr Delivery delivery = Delivery::queued;
  std::int64_t capacity() const { return messages; }
  SleepingPlace sleeping_place(Direction direction) const {
    return on_descriptor(SYS_mq_timedreceive, queues_[index(direction)].number());
  }

  void enter(Member& member) { payload_.enter(member); }
  void leave(Member&) {}
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member& member, Direction direction) {
    payload_.send(member, "sending to a message queue",
                  [to = queues_[index(direction)].number()](std::byte* data, std::size_t size) {
                    return moved(::mq_send(to, text(data), size, 0), size);
                  });
  }
  bool try_send(Member& member, Direction direction) {
    constexpr timespec past{};
    return payload_.try_send(member, "sending to a message queue",
                             [&, to = queues_[index(direction)].number()](std::byte* data, std::size_t size) {
                               const int result = ::mq_timedsend(to, text(data), size, 0, &past);
                               if (result != 0 && errno == ETIMEDOUT) errno = EAGAIN;
                               return moved(result, size);
                             });
  }
  void receive(Member& member, Direction direction) {
    payload_.receive(member, "receiving from a message queue",
                     [from = queues_[index(direction)].number()](std::byte* data, std::size_t size) {
                       return ::mq_receive(from, text(data), size, nullptr);
                     });
  }

 private:
  static constexpr int messages = 10;  // what the kernel grants to every user
  static char* text(std::byte* data) { return reinterpret_cast<char*>(data); }
  static ssize_t moved(int result, std::size_t size) { return result == 0 ? static_cast<ssize_t>(size) : -1; }
  static OwnedDescriptor opened(std::size_t bytes) {
    const int queue = open_unnamed(bytes);
    if (queue < 0)
      throw Unsupported("cannot open a POSIX message queue for " + std::to_string(messages) + " messages of " +
                        std::to_string(bytes) + " bytes: " + std::generic_category().message(errno) +
                        "; see ulimit -n, ulimit -q and the limits in /proc/sys/fs/mqueue");
    return {"cannot open a message queue", queue};
  }
  // By the process in the name, the process that ends it removes what it left between opening and unlinking. A name
  // that is taken is passed over: no other program can put a queue in the place of this one.
  static int open_unnamed(std::size_t bytes) {
    mq_attr attributes{};
    attributes.mq_maxmsg = messages;
    attributes.mq_msgsize = static_cast<long>(bytes);
    for (int number = 0;; ++number) {
      const std::string name = "/assay-" + std::to_string(::getpid()) + "-" + std::to_string(number);
      const int queue = ::mq_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600, &attributes);
      if (queue >= 0) ::mq_unlink(name.c_str());
      if (queue >= 0 || errno != EEXIST) return queue;
    }
  }
  Payload payload_;
  std::array<OwnedDescriptor, 2> queues_;
};

}  // namespace assay
