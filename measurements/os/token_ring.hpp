// SPDX-License-Identifier: Apache-2.0
// A token that goes round a ring of members through pipes, and what its holders do with it: what a context switch
// costs, and coming back to cold memory.
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/keep.hpp"
#include "api/measurement.hpp"
#include "channel/descriptor.hpp"
#include "limits/limits.hpp"
#include "thread/threads.hpp"

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

/// The ring of lat_ctx (lmbench), of threads or of processes: each member reads the token from the pipe of the one
/// before it, sums its working set and writes the token into its own pipe. The first one writes, reads, then sums. A
/// repetition is a trip; what is claimed is its time divided by its hops. Each batch begins with a trip outside the
/// clock, after which all others sleep in their reads.
class TokenRing final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t time = 0, switches = 1;

  /// Throws Unsupported when descriptors or memory do not suffice.
  explicit TokenRing(Setup& setup) : bytes_(setup.level<std::size_t>("size")), members_(setup.members()) {
    const auto count = static_cast<std::size_t>(members_);
    const std::string who = std::to_string(count) + " members with " + std::to_string(bytes_) + " bytes each";
    const std::size_t all = bytes_ < unlimited / count ? bytes_ * count : unlimited;
    require_descriptors(2 * count, who, "members");
    require_memory(all, all, who, "members or bytes");
    for (int rank = 0; rank < members_; ++rank) {
      pipes_.emplace_back();
      holders_.emplace_back(rank, members_);
    }
  }

  void enter(Member& member) override { holder(member).memory.emplace(bytes_); }
  void leave(Member& member) override { holder(member).memory.reset(); }

  Claims run(Member& member, Reps reps) override {
    Holder& own = holder(member);
    TokenPipe& out = pipes_[static_cast<std::size_t>(member.rank())];
    TokenPipe& in = pipes_[static_cast<std::size_t>((member.rank() + members_ - 1) % members_)];
    if (member.rank() == 0) return lead(member, reps, own, in, out);
    pass(own, in, out);
    const std::int64_t before = switches_of_caller();
    for (std::int64_t i = 0; i < reps.count; ++i) pass(own, in, out);
    return Claims{}.set(switches, per_hop(switches_of_caller() - before));
  }
  /// For tests: the member misses a hop, so that the token's next number is a wrong one.
  void lose_count(int rank) {
    HopCount& hops = holders_[static_cast<std::size_t>(rank)].hops;
    hops.take(hops.due());
  }

 private:
  struct alignas(line_size) Holder {
    Holder(int rank, int holders) : hops(rank, holders) {}
    HopCount hops;
    std::optional<WorkingSet> memory;  // its owner's alone
  };

  Holder& holder(const Member& member) { return holders_[static_cast<std::size_t>(member.rank())]; }
  double per_hop(std::int64_t switched) const { return static_cast<double>(switched) / members_; }

  Claims lead(const Member& member, Reps reps, Holder& own, TokenPipe& in, TokenPipe& out) {
    const auto trip = [&] {
      out.put(own.hops.begin());
      receive(own, in, out);
      own.memory->sum();
    };
    trip();
    const std::int64_t before = switches_of_caller();
    const Nanoseconds taken = member.timed(reps, trip);
    return Claims(taken / members_).set(switches, per_hop(switches_of_caller() - before));
  }
  static void pass(Holder& own, TokenPipe& in, TokenPipe& out) {
    const Token token = receive(own, in, out);
    own.memory->sum();
    out.put(HopCount::next(token));
  }
  static Token receive(Holder& own, TokenPipe& in, TokenPipe& out) {
    const Token token = in.take();
    if (!own.hops.take(token)) refuse(token, own.hops, out);
    return token;
  }
  [[gnu::cold]] [[noreturn]] static void refuse(Token token, const HopCount& hops, TokenPipe& out) {
    out.put(HopCount::poison);
    throw std::logic_error(token == HopCount::poison ? "another member of the ring has found a wrong token"
                                                     : "the token has hop " + std::to_string(token) + " where hop " +
                                                           std::to_string(hops.due()) + " is expected");
  }

  std::size_t bytes_;
  int members_;
  std::deque<TokenPipe> pipes_;  // by who writes
  std::deque<Holder> holders_;   // by rank
};

/// The overhead that lat_ctx (lmbench) subtracts from its ring: a repetition is a token written into a pipe, read back
/// from it and checked, and one sum of the working set, which is warm. The pipes are taken in turns.
class TokenRingOverhead final : public Measurement {
 public:
  /// Throws Unsupported for no pipe, and when descriptors or memory do not suffice.
  explicit TokenRingOverhead(Setup& setup) : bytes_(setup.level<std::size_t>("size")) {
    const auto pipes = setup.level<std::size_t>("pipes");
    if (pipes < 1) throw Unsupported("the token needs a pipe; use pipes = 1 or more");
    require_descriptors(pipes < unlimited / 2 ? 2 * pipes : unlimited, std::to_string(pipes) + " pipes", "pipes");
    require_memory(bytes_, bytes_, "working sets of " + std::to_string(bytes_) + " bytes", "bytes");
    for (std::size_t i = 0; i < pipes; ++i) pipes_.emplace_back();
  }

  void enter(Member&) override { memory_.emplace(bytes_); }
  void leave(Member&) override { memory_.reset(); }

  Claims run(Member& member, Reps reps) override {
    return member.timed(reps, [this] {
      TokenPipe& pipe = pipes_[turn_];
      if (++turn_ == pipes_.size()) turn_ = 0;
      pipe.put(hops_.begin());
      if (!hops_.take(pipe.take())) throw std::logic_error("the token read from the pipe differs from the one written");
      memory_->sum();
    });
  }

 private:
  std::size_t bytes_;
  std::deque<TokenPipe> pipes_;
  std::size_t turn_ = 0;
  HopCount hops_{0, 1};
  std::optional<WorkingSet> memory_;
};

}  // namespace assay
