// SPDX-License-Identifier: Apache-2.0
// Notifying an atomic without a waiter, while a member waits for another one.
#pragma once
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "logp/polling.hpp"
#include "logp/proof.hpp"

namespace assay {

/// Member 0 notifies its own atomic, which has no waiter; member 1 sleeps in a wait for another one meanwhile, or in
/// none. libstdc++ keeps the waiters of all atomics in 16 buckets, chosen by bits 2 to 5 of the address: all atomics
/// aligned to 64 bytes share one, and a waiter of any of them makes every notification a system call.
class NotifyBucket final : public Measurement {
  struct alignas(line_size) Atomics {
    std::atomic<std::uint32_t> own{0};
    alignas(line_size) std::atomic<std::uint32_t> same_bucket{0};
    std::atomic<std::uint32_t> other_bucket{0};
  };

 public:
  explicit NotifyBucket(Setup& setup)
      : atomics_(setup.share<Atomics>()),
        foreign_(foreign(setup.word("foreign"), atomics_)),
        sleeper_(setup.share<ThreadName>()),
        ready_(setup),
        done_(setup),
        polling_(setup) {}

  void enter(Member& member) override {
    if (member.rank() == 1) {
      sleeper_ = ThreadName::of_self();
      ready_.open();
    } else {
      ready_.pass();
      proof_.emplace(ProofKind::state, sleeper_);
    }
  }

  Claims run(Member& member, Reps reps) override {
    if (member.rank() == 1) {
      ready_.open();
      if (foreign_ != nullptr) foreign_->wait(waits_++);
      done_.pass();
      return {};
    }
    ready_.pass();
    if (foreign_ != nullptr) polling_.until([this] { return proof_->holds({}); });
    const Nanoseconds time = member.timed(reps, [this] { atomics_.own.notify_one(); });
    if (foreign_ != nullptr) {
      foreign_->fetch_add(1, std::memory_order_release);
      foreign_->notify_one();
    }
    done_.open();
    return time;
  }

 private:
  static std::atomic<std::uint32_t>* foreign(const std::string& word, Atomics& atomics) {
    if (word == "same-bucket") return &atomics.same_bucket;
    return word == "other-bucket" ? &atomics.other_bucket : nullptr;
  }

  Atomics& atomics_;
  std::atomic<std::uint32_t>* foreign_;
  ThreadName& sleeper_;
  Gate ready_;
  Gate done_;
  Polling polling_;
  alignas(line_size) std::optional<SleepProof> proof_;  // of member 0
  alignas(line_size) std::uint32_t waits_ = 0;          // of member 1
};

}  // namespace assay
