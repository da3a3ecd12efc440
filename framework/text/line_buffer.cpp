// SPDX-License-Identifier: Apache-2.0
// Cutting what is read into lines.
#include "text/line_buffer.hpp"

#include <algorithm>
#include <cstring>

namespace assay {

namespace {

// Small enough to stay in a cache between reading, checking and searching.
constexpr std::size_t one_read = std::size_t{256} << 10U;

}  // namespace

ByteSource source_of(std::string_view text) {
  return [text](char* to, std::size_t room) mutable {
    const std::size_t count = std::min(room, text.size());
    text.copy(to, count);
    text.remove_prefix(count);
    return count;
  };
}

bool LineBuffer::fill() {
  if (at_ > 0) std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
  end_ -= at_;
  at_ = 0;
  if (buffer_.size() < end_ + one_read) buffer_.resize(std::max(end_ + one_read, 2 * buffer_.size()));
  const std::size_t count = source_(buffer_.data() + end_, one_read);
  end_ += count;
  return count > 0;
}

std::optional<std::string_view> LineBuffer::line(std::size_t limit) {
  for (std::size_t searched = 0;;) {
    const auto end = unread().find('\n', searched);
    if (end != std::string_view::npos) {
      const std::string_view found = unread().substr(0, end);
      if (end > limit) return std::nullopt;
      at_ += end + 1;
      return found;
    }
    searched = end_ - at_;
    if (searched > limit || !fill()) return std::nullopt;
  }
}

std::size_t LineBuffer::skip(std::size_t limit) {
  const auto passed = rest(limit);
  const std::size_t count = std::min(passed.size(), passed.find('\n'));
  at_ += count;
  return count;
}

std::string_view LineBuffer::rest(std::size_t limit) {
  while (end_ - at_ < limit && fill()) {
  }
  return unread().substr(0, limit);
}

}  // namespace assay
