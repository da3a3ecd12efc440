// SPDX-License-Identifier: Apache-2.0
// A pipe per direction, messages of `bytes` bytes.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>
#include <vector>

#include "channel/channel.hpp"

namespace assay {

/// Both ends of one pipe, open in every member. Calls interrupted by a signal are retried; a closed end or an error
/// throws.
class PipeEnds {
 public:
  PipeEnds() {
    if (::pipe2(ends_, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "cannot open a pipe");
  }
  PipeEnds(const PipeEnds&) = delete;
  PipeEnds& operator=(const PipeEnds&) = delete;
  ~PipeEnds() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }

  /// Bytes that fit before a writer has to wait.
  std::int64_t room() const { return ::fcntl(ends_[1], F_GETPIPE_SZ); }
  void write(const std::byte* data, std::size_t size) {
    transfer(size, "write", [&](std::size_t done) { return ::write(ends_[1], data + done, size - done); });
  }
  void read(std::byte* data, std::size_t size) {
    transfer(size, "read", [&](std::size_t done) { return ::read(ends_[0], data + done, size - done); });
  }

 private:
  template <class Call>
  static void transfer(std::size_t size, const char* what, Call call) {
    for (std::size_t done = 0; done < size;) {
      const ssize_t n = call(done);
      if (n > 0) {
        done += static_cast<std::size_t>(n);
      } else if (n == 0 || errno != EINTR) {
        throw std::system_error(n == 0 ? EPIPE : errno, std::generic_category(), std::string("pipe ") + what);
      }
    }
  }
  int ends_[2];
};

/// Each member writes from and reads into a buffer of its own.
class Pipe {
 public:
  explicit Pipe(Setup& setup) : bytes_(setup.level<std::size_t>("bytes")) {
    if (bytes_ == 0) throw Unsupported("a pipe cannot carry a message of 0 bytes");
  }
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::blocks}; }
  std::int64_t capacity() const {
    return std::max<std::int64_t>(1, pipes_[0].room() / static_cast<std::int64_t>(bytes_));
  }

  void enter(Member& member) { buffers_[side(member)].assign(bytes_, std::byte{0x5a}); }
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member& member, Direction direction) {
    pipes_[index(direction)].write(buffers_[side(member)].data(), bytes_);
  }
  void receive(Member& member, Direction direction) {
    pipes_[index(direction)].read(buffers_[side(member)].data(), bytes_);
  }

 private:
  std::size_t bytes_;
  std::array<PipeEnds, 2> pipes_;
  std::array<std::vector<std::byte>, 2> buffers_;
};

}  // namespace assay
