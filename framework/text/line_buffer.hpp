// SPDX-License-Identifier: Apache-2.0
// Lines of a file that need not fit into memory.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Reads up to so many bytes to a place; returns how many, 0 at the end.
using ByteSource = std::function<std::size_t(char*, std::size_t)>;
/// A source over a text, which has to stay.
ByteSource source_of(std::string_view text);

/// Hands out whole lines in order, from a buffer that is no longer than one line and one read.
class LineBuffer {
 public:
  explicit LineBuffer(ByteSource source) : source_(std::move(source)) {}
  /// The next line without its newline, valid until the next call; nothing when the source ends before the line does,
  /// or when it is longer than `limit`.
  std::optional<std::string_view> line(std::size_t limit);
  /// Everything after the last line that was handed out, cut after `limit` bytes.
  std::string_view rest(std::size_t limit);
  /// Passes over up to `limit` bytes, no further than to the next newline's front; returns how many, 0 at the end.
  std::size_t skip(std::size_t limit);

 private:
  std::string_view unread() const { return {buffer_.data() + at_, end_ - at_}; }
  bool fill();

  ByteSource source_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
};

}  // namespace assay
