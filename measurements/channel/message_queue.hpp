// SPDX-License-Identifier: Apache-2.0
// A POSIX message queue per direction, messages of `bytes` bytes.
#pragma once
#include <fcntl.h>
#include <mqueue.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <string>
#include <system_error>

#include "channel/channel.hpp"
#include "channel/payload.hpp"
#include "channel/sleeping.hpp"

namespace assay {

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
