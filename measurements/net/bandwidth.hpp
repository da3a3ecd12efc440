// SPDX-License-Identifier: Apache-2.0
// Bytes from one member to another as fast as they go: the bandwidth of pipes, local sockets and TCP.
#pragma once
#include <unistd.h>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "api/measurement.hpp"
#include "channel/descriptor.hpp"
#include "channel/loopback.hpp"
#include "limits/limits.hpp"
#include "net/pattern.hpp"

namespace assay {

/// Both ends are open in every member.
class ByteStream {
 public:
  /// `kind` is "pipe", "unix-stream", "unix-seqpacket" or "tcp"; the last one asks for buffers of a mebibyte, as
  /// lmbench does. Throws Unsupported without a loopback interface, std::system_error.
  explicit ByteStream(const std::string& kind);
  int from() const { return from_; }
  int to() const { return to_; }

 private:
  std::unique_ptr<DescriptorPair> pair_;
  Connection connection_;
  int from_ = -1;
  int to_ = -1;
};

/// Member 0 asks for an amount by a byte through a pipe, member 1 writes it in blocks, and member 0 reads up to a block
/// per call until all of it has arrived: one repetition (bw_pipe and bw_unix of lmbench 2). The stream is empty before
/// and after, so that everything is written and read while the clock runs, whatever the stream holds. An amount before
/// the clock starts and one after it has stopped are compared with what was written: a byte too many shows there.
class Bandwidth final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t rate = 0, time = 1, reads = 2;

  explicit Bandwidth(Setup& setup)
      : block_(setup.level<std::size_t>("block")),
        amount_(setup.level<std::size_t>("amount")),
        requests_(opened_for_requests()) {
    if (block_ == 0 || amount_ == 0) throw Unsupported("a stream of no bytes; give 'block' and 'amount' from 1 on");
    require_memory(4 * block_, 4 * block_, "blocks of " + std::to_string(block_) + " bytes", "bytes");
    stream_.emplace(setup.word("channel"));
  }

  void enter(Member& member) override {
    Side& own = side(member);
    own.pattern.emplace(block_);
    own.read.emplace(block_, unaligned);
    fill_with_pattern({own.pattern->data(), block_}, 1);
  }
  void leave(Member& member) override {
    side(member).pattern.reset();
    side(member).read.reset();
  }

  Claims run(Member& member, Reps reps) override {
    Side& own = side(member);
    if (member.rank() == 1) {
      for (std::int64_t i = 0; i < reps.count + 2; ++i) write_amount(own);
      return {};
    }
    read_amount<true>(own);
    own.reads = 0;
    const Nanoseconds taken = member.timed(reps, [&] { read_amount<false>(own); });
    const auto calls = static_cast<double>(own.reads);
    read_amount<true>(own);
    const double bytes = static_cast<double>(amount_) * static_cast<double>(reps.count);
    return Claims{}.set(rate, bytes * (seconds(1) / taken)).set(time, taken).set(reads, calls);
  }
  /// The reader's request for an amount.
  void ask() const {
    const char one = 0;
    uninterrupted("asking for bytes", [&] { return ::write(requests_[1], &one, 1); });
  }
  /// For tests: where a byte can be put into the stream.
  int writing_end() const { return stream_->from(); }

 private:
  static constexpr std::size_t unaligned = 128;  // as lmbench's reader

  static DescriptorPair opened_for_requests() {
    require_descriptors(5, "a stream and its requests", "points");
    return {"cannot open a pipe", [](int* ends) { return ::pipe2(ends, O_CLOEXEC); }};
  }
  struct alignas(line_size) Side {
    std::optional<Block> pattern;
    std::optional<Block> read;
    std::int64_t reads = 0;
  };
  Side& side(const Member& member) { return sides_[member.rank() == 0 ? 0 : 1]; }

  void write_amount(Side& own) const {
    char asked = 0;
    uninterrupted("waiting to be asked for bytes", [&] { return ::read(requests_[0], &asked, 1); });
    for (std::size_t done = 0; done < amount_;) {
      const std::size_t at = done % block_;
      const std::size_t most = std::min(block_ - at, amount_ - done);
      const auto n = uninterrupted_write([&] { return ::write(stream_->from(), own.pattern->data() + at, most); });
      done += static_cast<std::size_t>(n);
    }
  }
  template <bool compares>
  void read_amount(Side& own) const {
    ask();
    for (std::size_t done = 0; done < amount_;) {
      const auto n = uninterrupted("reading a stream", [&] {
        return ::read(stream_->to(), own.read->data(), std::min(block_, amount_ - done));
      });
      if (n == 0) throw std::logic_error("a stream ended before all its bytes had arrived");
      if constexpr (compares) compare(own, done, static_cast<std::size_t>(n));
      done += static_cast<std::size_t>(n);
      ++own.reads;
    }
  }
  void compare(Side& own, std::size_t from, std::size_t count) const {
    for (std::size_t done = 0; done < count;) {
      const std::size_t at = (from + done) % block_;
      const std::size_t most = std::min(block_ - at, count - done);
      if (std::memcmp(own.read->data() + done, own.pattern->data() + at, most) != 0)
        throw std::logic_error("a stream yields other bytes than were written, behind byte " +
                               std::to_string(from + done));
      done += most;
    }
  }
  template <class Call>
  ssize_t uninterrupted_write(Call call) const {
    for (;;) {
      const auto n = call();
      if (n >= 0) return n;
      if (errno == EMSGSIZE)
        throw Unsupported("a packet of " + std::to_string(block_) +
                          " bytes is too long for this kind of socket; use smaller blocks, or raise the limit (sysctl "
                          "net.core.wmem_default)");
      if (errno != EINTR) fail("writing a stream");
    }
  }

  std::size_t block_;
  std::size_t amount_;
  DescriptorPair requests_;
  std::optional<ByteStream> stream_;
  Side sides_[2];
};

}  // namespace assay
