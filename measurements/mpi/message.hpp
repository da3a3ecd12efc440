// SPDX-License-Identifier: Apache-2.0
// A buffer whose content identifies its message: checked in every batch, at the cost of a few bytes.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace assay {

/// A message of a size. Its first eight bytes and its last eight are its number, or as many of them as there are
/// without overlap, so that neither a message out of turn nor one cut short passes; a message of no bytes carries
/// nothing.
class Message {
 public:
  explicit Message(std::size_t size) : bytes_(std::max<std::size_t>(size, 1)), size_(size) {}
  char* data() { return bytes_.data(); }
  int size() const { return static_cast<int>(size_); }

  // Of a size that the compiler knows a copy is an instruction, else a call: 30 ns of each round trip were these.
  void number(std::int64_t number) {
    if (size_ < sizeof number) {
      std::memcpy(bytes_.data(), &number, size_);
      return;
    }
    std::memcpy(bytes_.data(), &number, sizeof number);
    if (size_ >= 2 * sizeof number)
      std::memcpy(bytes_.data() + size_ - sizeof number, &number, sizeof number);
    else if (size_ > sizeof number)  // the two would overlap
      std::memcpy(bytes_.data() + sizeof number, &number, size_ - sizeof number);
  }
  bool is(std::int64_t number) const {
    if (size_ < sizeof number) return std::memcmp(bytes_.data(), &number, size_) == 0;
    if (std::memcmp(bytes_.data(), &number, sizeof number) != 0) return false;
    if (size_ >= 2 * sizeof number)
      return std::memcmp(bytes_.data() + size_ - sizeof number, &number, sizeof number) == 0;
    return size_ == sizeof number || std::memcmp(bytes_.data() + sizeof number, &number, size_ - sizeof number) == 0;
  }

  /// Content that is new in whole: the number, and each further word one more than the one before.
  void write(std::int64_t number) {
    auto word = static_cast<std::uint64_t>(number);
    const std::size_t end = size_ - size_ % sizeof word;
    for (std::size_t at = 0; at < end; at += sizeof word, ++word) std::memcpy(bytes_.data() + at, &word, sizeof word);
    if (end < size_) std::memcpy(bytes_.data() + end, &word, size_ - end);
  }
  /// Reads all of it, as write() has left it.
  bool holds(std::int64_t number) const {
    auto word = static_cast<std::uint64_t>(number);
    std::uint64_t differing = 0;
    const std::size_t end = size_ - size_ % sizeof word;
    for (std::size_t at = 0; at < end; at += sizeof word, ++word) {
      std::uint64_t found = 0;
      std::memcpy(&found, bytes_.data() + at, sizeof found);
      differing |= found ^ word;
    }
    return differing == 0 && std::memcmp(bytes_.data() + end, &word, size_ - end) == 0;
  }

 private:
  std::vector<char> bytes_;
  std::size_t size_;
};

/// Throws when a batch saw messages that were not the ones sent.
inline void require_all_right(std::int64_t wrong) {
  if (wrong > 0) throw std::runtime_error(std::to_string(wrong) + " messages of a batch differ from those sent");
}

}  // namespace assay
