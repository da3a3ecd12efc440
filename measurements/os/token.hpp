// SPDX-License-Identifier: Apache-2.0
// The token of a ring and what its holders do with it: pass it on, count it, sum over memory of their own.
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "api/keep.hpp"
#include "api/measurement.hpp"
#include "channel/descriptor.hpp"

namespace assay {

/// Four bytes: the number of the hop that it is about to make, modulo 2^31.
using Token = std::uint32_t;

/// What one holder expects of the token: to come again after as many hops as there are holders, never sooner, later or
/// twice. The first holder begins each trip, and ends it when the token is back.
class HopCount {
 public:
  /// Passed round instead of a number once a member has found a wrong one, so that none waits forever.
  static constexpr Token poison = 0xffffffffU;

  HopCount(int rank, int holders)
      : due_(static_cast<Token>((rank + holders - 1) % holders)), holders_(static_cast<Token>(holders)) {}
  /// The number with which the first holder begins the next trip.
  Token begin() const { return (due_ + 1 - holders_) & mask; }
  /// True when it is the number that is due; the one a trip later is due from then on.
  bool take(Token token) {
    if (token != due_) return false;
    due_ = (due_ + holders_) & mask;
    return true;
  }
  Token due() const { return due_; }
  /// The number of the hop after this one.
  static Token next(Token token) { return (token + 1) & mask; }

 private:
  static constexpr Token mask = 0x7fffffffU;
  Token due_;
  Token holders_;
};

/// The private working set of one holder: allocated and written by it alone, summed word by word.
class WorkingSet {
  // Four sums that do not wait for each other: the memory is the limit, and not the additions.
  struct Line {
    std::array<std::uint64_t, 4> words;
  };

 public:
  /// Zeroed bytes, rounded up to a multiple of 32. Throws Unsupported when they cannot be had.
  explicit WorkingSet(std::size_t bytes) : lines_(bytes / sizeof(Line) + (bytes % sizeof(Line) != 0 ? 1 : 0)) {
    if (lines_ == 0) return;
    void* memory = ::mmap(nullptr, length(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      throw Unsupported("a working set of " + std::to_string(bytes) +
                        " bytes are not available (ulimit -v, campaign.worker-memory); choose a smaller size");
    memory_ = static_cast<Line*>(memory);
    for (std::size_t i = 0; i < lines_; ++i) memory_[i] = {};  // the pages are this thread's from now on
    clobber();
  }
  WorkingSet(const WorkingSet&) = delete;
  WorkingSet& operator=(const WorkingSet&) = delete;
  ~WorkingSet() {
    if (memory_ != nullptr) ::munmap(memory_, length());
  }

  std::size_t length() const { return lines_ * sizeof(Line); }
  std::uint64_t* words() { return memory_->words.data(); }
  /// One pass over all words, as though others might have changed them; the compiler can remove neither pass nor sum.
  std::uint64_t sum() const {
    clobber();
    std::array<std::uint64_t, 4> sums{};
    for (std::size_t i = 0; i < lines_; ++i)
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += memory_[i].words[k];
    const std::uint64_t total = sums[0] + sums[1] + sums[2] + sums[3];
    keep(total);
    return total;
  }

 private:
  std::size_t lines_;
  Line* memory_ = nullptr;
};

/// A pipe that the token goes through, in one piece.
class TokenPipe {
 public:
  /// Throws std::system_error.
  TokenPipe() : ends_("cannot open a pipe", [](int* ends) { return ::pipe2(ends, O_CLOEXEC); }) {}
  void put(Token token) {
    const auto written = uninterrupted("writing a token", [&] { return ::write(ends_[1], &token, sizeof token); });
    if (written != sizeof token) throw std::logic_error("a token was written in part");
  }
  Token take() {
    Token token = 0;
    const auto got = uninterrupted("reading a token", [&] { return ::read(ends_[0], &token, sizeof token); });
    if (got != sizeof token) throw std::logic_error("a token was read in part");
    return token;
  }

 private:
  DescriptorPair ends_;
};

}  // namespace assay
