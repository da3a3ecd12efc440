// SPDX-License-Identifier: Apache-2.0
// Round trip over a channel: the initiator sends and receives, the responder receives and sends.
#pragma once
#include <atomic>
#include <exception>

#include "channel/channel.hpp"
#include "logp/client.hpp"
#include "logp/meaning.hpp"
#include "work/work.hpp"

namespace assay {

/// How the responder is stopped.
enum class Stop : unsigned char {
  lease,   ///< it knows the number of exchanges beforehand: no test in its loop
  poison,  ///< it looks at a flag in each exchange, and the initiator sends one more message
  cancel   ///< it is a thread that is cancelled, as in 1999
};

/// A channel whose messages are handed over can be tied to the thread that entered it, as a mutex is to its owner.
/// One that is not says so: `static constexpr bool any_thread = true`.
template <class C>
constexpr bool any_thread_may_answer() {
  if constexpr (requires { C::any_thread; }) return C::any_thread;
  return C::delivery != Delivery::handed;
}

/// One repetition is one round trip, timed by member 0. One exchange before the clock starts takes the responder out of
/// the start-up of the batch. Where both members poll, each on a CPU of its own, a batch is repeated at several places
/// of the channel and claims their mean: places differ by up to a third, often into a near and a far half, and a median
/// of single places would lie in the one or in the other. Between a receive and the next send each side does its work,
/// if there is any; what the work takes by itself member 0 measures in the same batch, hot. Two works taken off, what
/// remains is the round trip with the caches that the works left.
template <Channel C>
class RoundTrip final : public Measurement {
  struct alignas(line_size) Poison {
    std::atomic<bool> taken{false};
  };

 public:
  static constexpr Meaning meaning() { return meaningful; }
  static Traits over(Traits channel) { return channel; }

  /// Indexes of the declared quantities.
  enum Index : std::size_t { round_trip, residual, alone };

  explicit RoundTrip(Setup& setup)
      : channel_(setup),
        work_(setup),
        stop_(stop_of(setup)),
        places_(stop_ == Stop::lease && polls_apart(setup) ? places_of_a_batch : 1),
        poison_(stop_ == Stop::poison ? &setup.share<Poison>() : nullptr),
        signals_(stop_ == Stop::cancel ? &setup.share<ClientSignals>() : nullptr) {}
  void enter(Member& member) override {
    work_.enter(member);
    channel_.enter(member);
  }
  void leave(Member& member) override { channel_.leave(member); }

  Claims run(Member& member, Reps reps) override {
    return work_.on(member, [&](auto work) {
      return member.rank() == 0 ? initiate(member, reps, work) : respond(member, reps, work);
    });
  }

 private:
  static constexpr int places_of_a_batch = 8;

  /// Members that share a CPU take turns by time slices, beside which a place is nothing.
  static bool polls_apart(const Setup& setup) {
    return WanderingChannel<C> && C::traits().waiting == Waiting::spins && setup.cpu_sharing() != CpuSharing::certain;
  }
  static Stop stop_of(const Setup& setup) {
    const std::string word = setup.word("stop");
    if (word != "cancel") return word == "poison" ? Stop::poison : Stop::lease;
    if (setup.vehicle() != "thread")
      throw Unsupported("stop = cancel needs vehicle = thread: a client thread is cancelled");
    if (C::traits().waiting == Waiting::spins)
      throw Unsupported("stop = cancel is not for a channel that spins: its client shares a CPU with the member");
    if (!any_thread_may_answer<C>())
      throw Unsupported(
          "stop = cancel is not for this channel: its locks are owned by a thread, which the client "
          "is not");
    return Stop::cancel;
  }

  // What is timed and what answers stand in functions of their own, in which everything is inlined.
  template <class Doing>
  [[gnu::flatten]] Nanoseconds exchange(Member& member, Reps reps, Doing work) {
    return member.timed(reps, [&] {
      channel_.send(member, Direction::there);
      channel_.receive(member, Direction::back);
      work();
    });
  }
  template <class Doing>
  [[gnu::flatten]] void answer(Member& member, Reps reps, Doing work) {
    for (std::int64_t i = 0; i < reps.count; ++i) {
      channel_.receive(member, Direction::there);
      work();
      channel_.send(member, Direction::back);
    }
  }

  template <class Doing>
  Claims initiate(Member& member, Reps reps, Doing work) {
    Nanoseconds time{};
    for (int place = 0; place < places_; ++place) {
      begin_batch(channel_, member);
      exchange(member, Reps{1}, work);
      time += exchange(member, reps, work);
    }
    time = time / places_;
    if (stop_ != Stop::lease) {
      announce_end();
      exchange(member, Reps{1}, work);  // gets the responder to where it stops
    }
    Claims claims = time;
    if constexpr (Doing::exists) {
      const Nanoseconds hot = member.timed(reps, work);
      claims.set(residual, time - hot * 2).set(alone, hot);
    }
    return claims;
  }
  void announce_end() {
    if (stop_ == Stop::poison) {
      poison_->taken.store(true, std::memory_order_release);
    } else {
      signals_->timed.release();
      signals_->cancelled.acquire();
    }
  }

  template <class Doing>
  Claims respond(Member& member, Reps reps, Doing work) {
    for (int place = 0; place < places_; ++place) {
      begin_batch(channel_, member);
      answer_at_place(member, reps, work);
    }
    return {};
  }
  template <class Doing>
  void answer_at_place(Member& member, Reps reps, Doing work) {
    switch (stop_) {
      case Stop::lease:
        answer(member, Reps{reps.count + 1}, work);
        break;
      case Stop::poison:
        answer_until_poisoned(member, work);
        break;
      case Stop::cancel:
        answer_by_client(member, reps, work);
    }
  }
  template <class Doing>
  [[gnu::flatten]] void answer_until_poisoned(Member& member, Doing work) {
    for (bool is_last = false; !is_last;) {
      channel_.receive(member, Direction::there);
      is_last = poison_->taken.load(std::memory_order_acquire);
      work();
      channel_.send(member, Direction::back);
    }
    poison_->taken.store(false, std::memory_order_release);  // until its next batch it alone looks there
  }
  template <class Doing>
  void answer_by_client(Member& member, Reps reps, Doing work) {
    Client client([&] {
      try {
        answer(member, Reps{1}, work);
      } catch (const std::exception&) {
        signals_->timed.release();  // no other member would wake this one
        throw;
      }
    });
    signals_->timed.acquire();
    client.cancel();
    signals_->cancelled.release();
    client.join();
    // Cancelled on its way to the next receive, it left the last message to this member.
    if (client.answers() < reps.count + 2) answer(member, Reps{1}, work);
    member.adopt(client.voluntary_switches(), client.involuntary_switches());
  }

  C channel_;
  Work work_;
  Stop stop_;
  int places_;              // at how many a batch is repeated
  Poison* poison_;          // what one way to stop needs, only there
  ClientSignals* signals_;  // the same
};

}  // namespace assay
