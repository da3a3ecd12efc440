// SPDX-License-Identifier: Apache-2.0
// Round trip of a condition variable whose mutex is held throughout: the form of de Supinski and May.
#pragma once
#include "api/measurement.hpp"
#include "channel/condvar.hpp"
#include "logp/client.hpp"

namespace assay {

/// Each member holds the mutex but while it waits, and alternates between signalling and waiting (Benchmarking Pthreads
/// Performance, 1999, section on condition variables). Only a round trip has this form: who signals last must release
/// the mutex without waiting, or its partner never returns, and that is known to the whole exchange alone. The counter
/// of turns is what the paper leaves out: no signal is lost to a member that does not wait yet, and no spurious return
/// counts.
class HeldCondvar final : public Measurement {
 public:
  explicit HeldCondvar(Setup& setup)
      : cancels_(setup.word("stop") == "cancel"),
        shared_(setup.share<GuardedCounter>(within_process(setup))),
        signals_(setup.share<ClientSignals>()) {
    if (setup.word("stop") == "poison" || setup.word("work") != "none")
      throw Unsupported("the form of 1999 does not permit poison or work between its signal and its wait");
    if (cancels_ && setup.vehicle() != "thread")
      throw Unsupported("stop = cancel needs vehicle = thread: a client thread is cancelled");
  }
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::either}; }

  Claims run(Member& member, Reps reps) override {
    if (member.rank() == 0) return initiate(member, reps);
    if (cancels_)
      respond_by_client(member);
    else
      respond(reps);
    return {};
  }

 private:
  struct alignas(line_size) Turn {
    std::uint32_t number = 0;  // the counter's value before this member's next step
  };
  void pass() {
    ++shared_.count;
    shared_.signal();
  }
  void exchange(std::uint32_t& turn) {
    pass();
    shared_.wait_beyond(++turn);
    ++turn;
  }
  // The turn is taken when the wait is over: a client that is cancelled in it leaves the number to its successor.
  void answer(std::uint32_t& turn) {
    shared_.wait_beyond(turn);
    pass();
    turn += 2;
  }
  // Released on the way out, by return or by cancellation, which finds the mutex held again.
  struct Hold {
    explicit Hold(GuardedCounter& counter) : held(counter) { held.lock(); }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    ~Hold() { held.unlock(); }
    GuardedCounter& held;
  };

  Claims initiate(Member& member, Reps reps) {
    std::uint32_t& turn = turns_[0].number;
    Claims claims;
    {
      const Hold hold(shared_);
      exchange(turn);
      claims = member.timed(reps, [&] { exchange(turn); });
    }
    if (cancels_) {
      signals_.timed.release();
      signals_.cancelled.acquire();
    }
    return claims;
  }
  void respond(Reps reps) {
    const Hold hold(shared_);
    for (std::int64_t i = 0; i <= reps.count; ++i) answer(turns_[1].number);
  }
  // As in the paper: the client is cancelled where it waits for the next signal, and the next batch begins when it has
  // acknowledged by its end.
  void respond_by_client(Member& member) {
    const auto live = [this] {
      const Hold hold(shared_);
      for (;;) answer(turns_[1].number);
    };
    Client<decltype(live), Cancellable::within_answers> client(live);
    signals_.timed.acquire();
    client.cancel();
    client.join();
    signals_.cancelled.release();
    member.adopt(client.voluntary_switches(), client.involuntary_switches());
  }

  bool cancels_;
  GuardedCounter& shared_;
  ClientSignals& signals_;
  std::array<Turn, 2> turns_{};
};

}  // namespace assay
