// SPDX-License-Identifier: Apache-2.0
// Cancelling a thread.
#pragma once
#include <pthread.h>

#include <cstdint>
#include <string>

#include "api/measurement.hpp"
#include "thread/cancel_target.hpp"

namespace assay {

/// One repetition: a thread is created and goes to its place, outside the clock; then it is cancelled and joined. It
/// inherits the member's binding.
class Cancel final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t handler = 0, join = 1, call = 2;

  /// Throws Unsupported for a distance of less than 1 between tests.
  explicit Cancel(Setup& setup) : target_(place(setup.word("target")), setup.level<std::int64_t>("every")) {
    if (setup.level<std::int64_t>("every") < 1)
      throw Unsupported("a deferred target tests after every 1 operations or more; use every = 1 or more");
  }

  Claims run(Member& member, Reps reps) override {
    Totals totals;
    for (std::int64_t i = 0; i < reps.count; ++i) cancel_one(member.stopwatch(), totals);
    return Claims(totals.handler).set(join, totals.join).set(call, totals.call);
  }

 private:
  struct Totals {
    Nanoseconds handler{}, join{}, call{};
  };
  static CancelPlace place(const std::string& word) {
    if (word == "read") return CancelPlace::read;
    if (word == "condvar") return CancelPlace::condvar;
    return word == "spinner" ? CancelPlace::spinner : CancelPlace::deferred;
  }
  void cancel_one(const Stopwatch& watch, Totals& totals) {
    const pthread_t thread = target_.start(watch);
    const std::int64_t from = watch.start();
    pthread_cancel(thread);
    const std::int64_t called = watch.stop();
    target_.join(thread);
    const std::int64_t joined = watch.stop();
    totals.handler += watch.between(from, target_.handler_stamp());
    totals.join += watch.between(from, joined);
    totals.call += watch.between(from, called);
  }

  CancelTarget target_;
};

}  // namespace assay
