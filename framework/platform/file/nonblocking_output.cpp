// SPDX-License-Identifier: Apache-2.0
// A pipe that is said to be writable takes PIPE_BUF bytes without waiting: more is written in pieces, each after a
// look.
#include "platform/file/nonblocking_output.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace assay {
namespace {

bool takes_without_waiting(int descriptor) {
  pollfd watched{descriptor, POLLOUT, 0};
  return ::poll(&watched, 1, 0) == 1 && (watched.revents & POLLOUT) != 0;
}

}  // namespace

NonblockingOutput::~NonblockingOutput() { NonblockingOutput::sync(); }

NonblockingOutput::int_type NonblockingOutput::overflow(int_type letter) {
  if (!traits_type::eq_int_type(letter, traits_type::eof())) waiting_ += traits_type::to_char_type(letter);
  return traits_type::not_eof(letter);
}

std::streamsize NonblockingOutput::xsputn(const char* text, std::streamsize size) {
  waiting_.append(text, static_cast<std::size_t>(size));
  return size;
}

int NonblockingOutput::sync() {
  std::string text;
  text.swap(waiting_);
  for (std::size_t at = 0; at < text.size() && takes_without_waiting(descriptor_);) {
    const ssize_t written = ::write(descriptor_, text.data() + at, std::min<std::size_t>(text.size() - at, PIPE_BUF));
    if (written < 0 && errno != EINTR) break;
    if (written > 0) at += static_cast<std::size_t>(written);
  }
  return 0;
}

}  // namespace assay
