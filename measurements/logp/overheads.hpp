// SPDX-License-Identifier: Apache-2.0
// Send overhead to an idle receiver and receive overhead of ready messages, from one run.
#pragma once
#include <atomic>
#include <stdexcept>

#include <sched.h>

#include "channel/channel.hpp"

namespace assay {

/// Member 0 times `reps` sends while member 1 is alive but not receiving; then member 1 times `reps` receives of
/// messages that are all there. The hand-over between the two parts is a flag of its own, outside both timed regions.
template <Channel C>
class Overheads final : public Measurement {
  struct alignas(line_size) Gate {
    std::atomic<std::uint32_t> batches{0};
  };

 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t send = 0;
  static constexpr std::size_t receive = 1;

  explicit Overheads(Setup& setup) : channel_(setup), sent_(setup.share<Gate>()), received_(setup.share<Gate>()) {}
  void enter(Member& member) override { channel_.enter(member); }

  Claims run(Member& member, Reps reps) override {
    check_capacity(reps);
    if (member.rank() == 0) {
      const Nanoseconds time = member.timed(reps, [&] { channel_.send(member, Direction::there); });
      open(sent_);
      wait(received_);
      return Claims{}.set(send, time);
    }
    wait(sent_);
    channel_.settle(member, Direction::there);
    const Nanoseconds time = member.timed(reps, [&] { channel_.receive(member, Direction::there); });
    open(received_);
    return Claims{}.set(receive, time);
  }

 private:
  void check_capacity(Reps reps) const {
    if (reps.count > channel_.capacity())
      throw std::length_error("more messages than the channel holds without a receiver");
  }
  static void open(Gate& gate) { gate.batches.fetch_add(1, std::memory_order_release); }
  // Each member passes its gate once per batch: the count it waits for is its own.
  void wait(Gate& gate) {
    std::uint32_t& passed = &gate == &sent_ ? passed_sent_ : passed_received_;
    while (gate.batches.load(std::memory_order_acquire) == passed) ::sched_yield();
    ++passed;
  }

  C channel_;
  Gate& sent_;
  Gate& received_;
  alignas(line_size) std::uint32_t passed_sent_ = 0;      // used by member 1 only
  alignas(line_size) std::uint32_t passed_received_ = 0;  // used by member 0 only
};

}  // namespace assay
