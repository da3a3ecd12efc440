// SPDX-License-Identifier: Apache-2.0
// File descriptors that close themselves, and system calls that survive interruptions.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <system_error>

namespace assay {

// What throws is never inlined: timed functions are flattened, and an exception's making would be most of them.

/// Throws std::system_error for the current errno.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}
/// Throws std::system_error for a stream that has ended.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail_at_end(const char* what) {
  throw std::system_error(EPIPE, std::generic_category(), what);
}

/// The result of `call`, which is repeated while a signal interrupts it. Throws std::system_error on another error.
template <class Call>
auto uninterrupted(const char* what, Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0) return result;
    if (errno != EINTR) fail(what);
  }
}

/// Both ends of a pipe or a pair of sockets, open in every member.
class DescriptorPair {
 public:
  /// `make` fills two numbers and returns 0, as pipe2 does; throws std::system_error where it does not.
  template <class Make>
  DescriptorPair(const char* what, Make make) {
    if (make(numbers_.data()) != 0) fail(what);
  }
  DescriptorPair(const DescriptorPair&) = delete;
  DescriptorPair& operator=(const DescriptorPair&) = delete;
  ~DescriptorPair() {
    for (const int number : numbers_) ::close(number);
  }
  int operator[](std::size_t end) const { return numbers_[end]; }

 private:
  std::array<int, 2> numbers_{};
};

/// One descriptor, open in every member.
class OwnedDescriptor {
 public:
  /// Takes what a call has returned; throws std::system_error where that is an error.
  OwnedDescriptor(const char* what, int number) : number_(number) {
    if (number < 0) fail(what);
  }
  OwnedDescriptor(const OwnedDescriptor&) = delete;
  OwnedDescriptor& operator=(const OwnedDescriptor&) = delete;
  ~OwnedDescriptor() { ::close(number_); }
  int number() const { return number_; }

 private:
  int number_;
};

/// While it lives, calls on the descriptor do not wait.
class WithoutWaiting {
 public:
  explicit WithoutWaiting(int descriptor) : descriptor_(descriptor), flags_(::fcntl(descriptor, F_GETFL)) {
    ::fcntl(descriptor_, F_SETFL, flags_ | O_NONBLOCK);
  }
  WithoutWaiting(const WithoutWaiting&) = delete;
  WithoutWaiting& operator=(const WithoutWaiting&) = delete;
  ~WithoutWaiting() { ::fcntl(descriptor_, F_SETFL, flags_); }

 private:
  int descriptor_;
  int flags_;
};

}  // namespace assay
