// SPDX-License-Identifier: Apache-2.0
// The operations whose bandwidth is measured, each with its memory and what proves that it was done.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "memory/pages.hpp"
#include "memory/words.hpp"

namespace assay {

// A kernel is built by the member that uses it, which is the first to touch its memory. It has
//   arrays       how many ranges of `size` bytes it needs
//   counted      bytes that a pass counts as moved, by its size
//   upset()      before a batch, untimed: makes contents wrong that the batch has to put right
//   pass()       the operation, once
//   check(reps)  after a batch of so many passes, untimed; throws std::logic_error where contents are not as they
//                should be. Of a large range the first batch is looked at whole, later ones where they were upset: who
//                reads all of it each time is interrupted more often than who is measured

/// Throws std::logic_error.
[[noreturn]] inline void wrong_contents(const char* what, std::size_t index) {
  throw std::logic_error("after a batch " + std::string(what) + " was wrong at index " + std::to_string(index));
}

/// A few indexes of `count`, all multiples of `stride`, the first and the last among them.
template <class Body>
void at_few(std::size_t count, std::size_t stride, Body body) {
  constexpr std::size_t few = 16;
  const std::size_t places = count / stride;
  for (std::size_t i = 0; i < few; ++i) body((places - 1) * i / (few - 1) * stride);
}

/// Which indexes a check looks at.
class Inspection {
 public:
  /// All of a small range, and of any the first time; else those that are upset.
  template <class Body>
  void look(std::size_t count, std::size_t stride, Body body) {
    constexpr std::size_t small = std::size_t{1} << 18U;
    if (std::exchange(is_first_, false) || count <= small) {
      for (std::size_t i = 0; i < count; ++i) body(i);
    } else {
      at_few(count, stride, body);
    }
  }

 private:
  bool is_first_ = true;
};

/// Source and target; `shift` bytes from the target's page to its begin. `stride` is that of the words copied.
class CopiedWords {
 public:
  static constexpr int arrays = 2;
  static constexpr double counted = 1;

  CopiedWords(std::size_t bytes, std::size_t shift, std::size_t stride)
      : count_(bytes / sizeof(MemoryWord)),
        stride_(stride),
        source_(bytes, PageKind::system),
        memory_(bytes + shift, PageKind::system),
        target_(reinterpret_cast<MemoryWord*>(memory_.begin() + shift)) {
    words::fill_pattern(source(), count_);
    for (std::size_t i = 0; i < count_; ++i) target_[i] = 0;
  }
  void upset() {
    at_few(count_, stride_, [this](std::size_t i) { target_[i] = ~words::pattern(i); });
  }
  void check(std::int64_t) {
    inspection_.look(count_, stride_, [this](std::size_t i) {
      if (target_[i] != (i % stride_ == 0 ? words::pattern(i) : 0)) wrong_contents("the copy", i);
    });
  }

 protected:
  MemoryWord* source() const { return source_.as<MemoryWord>(); }
  MemoryWord* target() const { return target_; }
  std::size_t count() const { return count_; }

 private:
  std::size_t count_;
  std::size_t stride_;
  Pages source_;
  Pages memory_;
  MemoryWord* target_;
  Inspection inspection_;
};

/// The library's copy. The shift is that of lmbench's other alignment.
template <std::size_t shift>
class LibraryCopy final : public CopiedWords {
 public:
  explicit LibraryCopy(std::size_t bytes) : CopiedWords(bytes, shift, 1) {}
  void pass() { std::memcpy(target(), source(), count() * sizeof(MemoryWord)); }
};
inline constexpr std::size_t other_alignment = 2048 - 128;

template <std::size_t stride>
class HandCopy final : public CopiedWords {
 public:
  explicit HandCopy(std::size_t bytes) : CopiedWords(bytes, 0, stride) {}
  void pass() { words::copy<stride>(target(), source(), count()); }
};

/// One range of words.
class OneRange {
 public:
  static constexpr int arrays = 1;
  static constexpr double counted = 1;

  explicit OneRange(std::size_t bytes) : count_(bytes / sizeof(MemoryWord)), memory_(bytes, PageKind::system) {}

 protected:
  MemoryWord* begin() const { return memory_.as<MemoryWord>(); }
  std::size_t count() const { return count_; }
  /// Throws std::logic_error unless one word of `stride` is `value` and all others are 0.
  void require(MemoryWord value, std::size_t stride) {
    inspection_.look(count_, stride, [&](std::size_t i) {
      if (begin()[i] != (i % stride == 0 ? value : 0)) wrong_contents("the memory", i);
    });
  }
  static void require_sum(MemoryWord found, MemoryWord right) {
    if (found != right)
      throw std::logic_error("the sum of the words read is " + std::to_string(found) + " instead of " +
                             std::to_string(right));
  }

 private:
  std::size_t count_;
  Pages memory_;
  Inspection inspection_;
};

template <std::size_t stride>
class WordRead final : public OneRange {
 public:
  explicit WordRead(std::size_t bytes) : OneRange(bytes) { words::fill_pattern(begin(), count()); }
  void upset() { sum_ = 0; }
  void pass() { sum_ += words::sum<stride>(begin(), count()); }
  void check(std::int64_t reps) const {
    require_sum(sum_, static_cast<MemoryWord>(reps) * words::pattern_sum(count(), stride));
  }

 private:
  MemoryWord sum_ = 0;
};

template <std::size_t stride>
class WordWrite final : public OneRange {
 public:
  explicit WordWrite(std::size_t bytes) : OneRange(bytes) { words::fill<1>(begin(), count(), 0); }
  void upset() { ++value_; }
  void pass() { words::fill<stride>(begin(), count(), value_); }
  void check(std::int64_t) { require(value_, stride); }

 private:
  MemoryWord value_ = 0;
};

template <std::size_t stride>
class WordExchange final : public OneRange {
 public:
  explicit WordExchange(std::size_t bytes) : OneRange(bytes) { words::fill<1>(begin(), count(), 0); }
  void upset() {
    before_ = value_++;
    sum_ = 0;
  }
  void pass() { sum_ += words::exchange<stride>(begin(), count(), value_); }
  void check(std::int64_t reps) {
    require(value_, stride);
    const auto read = static_cast<MemoryWord>(count() / stride);
    require_sum(sum_, read * (before_ + static_cast<MemoryWord>(reps - 1) * value_));
  }

 private:
  MemoryWord before_ = 0;
  MemoryWord value_ = 0;
  MemoryWord sum_ = 0;
};

/// The library's zeroing.
class LibraryZero final : public OneRange {
 public:
  explicit LibraryZero(std::size_t bytes) : OneRange(bytes) {}
  void upset() {
    at_few(count(), 1, [this](std::size_t i) { begin()[i] = words::pattern(i); });
  }
  void pass() { std::memset(begin(), 0, count() * sizeof(MemoryWord)); }
  void check(std::int64_t) { require(0, 1); }
};

}  // namespace assay
