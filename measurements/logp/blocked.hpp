// SPDX-License-Identifier: Apache-2.0
// Send overhead to a receiver that provably sleeps, with the one-way time and what receiving costs its processor.
#pragma once
#include <atomic>
#include <optional>
#include <utility>

#include "channel/channel.hpp"
#include "logp/meaning.hpp"
#include "logp/polling.hpp"
#include "logp/proof.hpp"
#include "logp/stamps.hpp"

namespace assay {

/// For each send, member 0 waits until member 1 is proved to sleep in its receive, lets `settle` pass, and takes two
/// stamps around the send alone; member 1 takes one after its receive. A send without proof within the patience is
/// made, so that the receiver goes on, and does not count. Where sends and receives alternate, member 1 answers,
/// untimed.
template <Channel C>
class Blocked final : public Measurement {
  struct alignas(line_size) Arrival {
    std::atomic<std::int64_t> stamp{0};
    std::atomic<std::uint32_t> messages{0};
  };
  struct Sleeper {
    ThreadName name;
    std::atomic<bool> known{false};
  };

 public:
  static constexpr Meaning meaning() { return SleepingChannel<C> ? meaningful : receiver_polls; }
  /// A proof costs microseconds, so that a batch stays short in sends.
  static Traits over(Traits channel) {
    channel.reps.most = Reps{256};
    return channel;
  }

  /// Indexes of the declared quantities.
  enum Index : std::size_t { send, one_way, lag, receive_cpu, switches, proved };

  explicit Blocked(Setup& setup)
      : channel_(setup),
        arrival_(setup.share<Arrival>()),
        sleeper_(setup.share<Sleeper>()),
        polling_(setup),
        settle_{setup.level<double>("settle")},
        kind_(proof_kind(setup.word("proof"))) {
    if (may_obstruct<C>(setup) && !setup.wakes_without_preemption())
      throw Unsupported(
          "a send that wakes the receiver on its own CPU contains the receiver's run, unless the scheduling policy "
          "does "
          "not preempt the sender: bind the members to different CPUs, or use policy = fifo",
          "N3");
  }

  void enter(Member& member) override {
    if (member.rank() == 1) {
      sleeper_.name = ThreadName::of_self();
      sleeper_.known.store(true, std::memory_order_release);
    } else {
      polling_.until([this] { return sleeper_.known.load(std::memory_order_acquire); });
      proof_.emplace(kind_, sleeper_.name);
    }
    channel_.enter(member);
  }
  void leave(Member& member) override { channel_.leave(member); }

  Claims run(Member& member, Reps reps) override {
    begin_batch(channel_, member);
    return member.rank() == 0 ? send_all(member, reps) : receive_all(member, reps);
  }

 private:
  static constexpr bool alternates = C::delivery == Delivery::handed;
  static constexpr Nanoseconds patience = milliseconds(20);

  /// Stamps of the sends that count.
  struct Sends {
    StampSum before;
    StampSum after;
    StampSum arrived;
    std::int64_t count = 0;
    std::int64_t proved = 0;
  };

  Claims send_all(Member& member, Reps reps) {
    Sends sends;
    Sends ignored;
    send_one(member, ignored);
    for (std::int64_t i = 0; i < reps.count; ++i) send_one(member, sends);
    Claims claims;
    claims.set(proved, static_cast<double>(sends.proved) / static_cast<double>(reps.count));
    if (sends.count == 0) return claims;
    const Stopwatch& watch = member.stopwatch();
    // The totals are those of `reps` sends that all counted.
    const double scale = static_cast<double>(reps.count) / static_cast<double>(sends.count);
    return claims.set(send, between(watch, sends.before, sends.after, sends.count) * scale)
        .set(one_way, between(watch, sends.before, sends.arrived, sends.count) * scale)
        .set(lag, between(watch, sends.after, sends.arrived, 0) * scale);
  }

  void send_one(Member& member, Sends& sends) {
    const bool sleeps = await_sleep();
    if (settle_ > Nanoseconds{}) occupy(channel_, member, settle_);
    const auto [before, after] = stamped_send(member);
    const std::int64_t arrived = await_arrival(member);
    sends.proved += sleeps;
    if (!sleeps && kind_ != ProofKind::none) return;
    sends.before.add(before);
    sends.after.add(after);
    sends.arrived.add(arrived);
    ++sends.count;
  }

  // What is timed stands in a function of its own, in which everything is inlined.
  [[gnu::flatten]] std::pair<std::int64_t, std::int64_t> stamped_send(Member& member) {
    const std::int64_t before = member.stopwatch().start();
    channel_.send(member, Direction::there);
    return {before, member.stopwatch().stop()};
  }

  bool await_sleep() {
    if (kind_ == ProofKind::none) return false;
    const Stopwatch clock;
    const std::int64_t since = clock.start();
    for (int looks = 0; clock.between(since, clock.stop()) < patience; ++looks) {
      if (proof_->holds(place())) return true;
      polling_.pause(looks);
    }
    return false;
  }
  SleepingPlace place() const {
    if constexpr (SleepingChannel<C>) return channel_.sleeping_place(Direction::there);
    return {};
  }

  // Returns the receiver's stamp, when it is on its way into the next receive.
  std::int64_t await_arrival(Member& member) {
    if constexpr (alternates) channel_.receive(member, Direction::back);
    ++sent_;
    polling_.until([this] { return arrival_.messages.load(std::memory_order_acquire) == sent_; });
    return arrival_.stamp.load(std::memory_order_relaxed);
  }

  Claims receive_all(Member& member, Reps reps) {
    receive_one(member);
    const OwnSwitches own_switches;
    const OwnCpuTime cpu;
    for (std::int64_t i = 0; i < reps.count; ++i) receive_one(member);
    Claims claims;
    if constexpr (!alternates) claims.set(receive_cpu, cpu.taken());
    return claims.set(switches, own_switches.count());
  }

  [[gnu::flatten]] void receive_one(Member& member) {
    channel_.receive(member, Direction::there);
    arrival_.stamp.store(member.stopwatch().stop(), std::memory_order_relaxed);
    arrival_.messages.fetch_add(1, std::memory_order_release);
    if constexpr (alternates) channel_.send(member, Direction::back);
  }

  C channel_;
  Arrival& arrival_;
  Sleeper& sleeper_;
  Polling polling_;
  Nanoseconds settle_;
  ProofKind kind_;
  // Used by member 0 only.
  alignas(line_size) std::optional<SleepProof> proof_;
  std::uint32_t sent_ = 0;
};

}  // namespace assay
