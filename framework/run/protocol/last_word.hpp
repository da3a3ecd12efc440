// SPDX-License-Identifier: Apache-2.0
// What a failing member still says when its process may do nothing else any more.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>

namespace assay {

/// The line, with its newline, of a FailedMessage with outcome `failed` and number last_word. Composed in place without
/// allocating, for a process that may do nothing else any more; characters that JSON cannot take as they are become
/// '?', and what does not fit is cut.
class LastWord {
 public:
  LastWord(int rank, std::string_view why) noexcept;
  std::string_view line() const noexcept { return {text_.data(), length_}; }

 private:
  void append(std::string_view text) noexcept;

  std::array<char, 1024> text_;
  std::size_t length_ = 0;
};

}  // namespace assay
