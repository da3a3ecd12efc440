// SPDX-License-Identifier: Apache-2.0
// What a hop of the token costs without a switch: one member that passes it to itself.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>

#include "api/measurement.hpp"
#include "limits/room.hpp"
#include "os/token.hpp"

namespace assay {

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
      if (!hops_.take(pipe.take())) throw std::logic_error("another token came out of the pipe than was put in");
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
