// SPDX-License-Identifier: Apache-2.0
// What a creation costs among many, and how many system calls it makes.
#pragma once
#include <cstdint>
#include <string>

#include "thread/mass_run.hpp"
#include "thread/system_call_counter.hpp"

namespace assay {

/// A repetition is one creation where `creations` is 0, and a run of so many where it is not.
class MassCreate final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t time = 0, switches = 1, whole_run = 2;

  explicit MassCreate(Setup& setup, CreateThread create = pthread_create)
      : run_(setup, create), creations_(setup.level<std::int64_t>("creations")) {
    if (creations_ < 0) throw Unsupported("'creations' is a number of threads, or 0: as many as repetitions");
  }

  void enter(Member&) override { run_.enter(); }
  Claims run(Member& member, Reps reps) override {
    if (creations_ == 0) {
      const Nanoseconds taken = run_.run(member, reps.count);
      return Claims(taken).set(switches, per_creation(run_.switches(), reps.count));
    }
    Nanoseconds taken;
    std::int64_t switched = 0;
    for (std::int64_t i = 0; i < reps.count; ++i) {
      taken += run_.run(member, creations_);
      switched += run_.switches();
    }
    return Claims(taken / static_cast<double>(creations_))
        .set(switches, per_creation(switched, reps.count * creations_))
        .set(whole_run, taken);
  }

 private:
  static double per_creation(std::int64_t number, std::int64_t creations) {
    return static_cast<double>(number) / static_cast<double>(creations);
  }

  MassRun run_;
  std::int64_t creations_;
};

/// A repetition is a run of `creations` under a counter of the system calls of all creators and the threads that they
/// create; those of the caller, which starts the creators, are not among them. Counting makes creating dearer: it has a
/// measurement of its own.
class LifeCalls final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t system_calls = 0, switches = 1;

  /// Throws Unsupported where system calls cannot be counted.
  explicit LifeCalls(Setup& setup) : run_(setup), creations_(setup.level<std::int64_t>("creations")) {
    if (creations_ < 1) throw Unsupported("'creations' is a number of threads from 1 on");
    const SystemCallCounter permitted(SystemCallCounter::Of::caller);
  }

  void enter(Member&) override { run_.enter(); }
  Claims run(Member& member, Reps reps) override {
    const SystemCallCounter all(SystemCallCounter::Of::caller_and_created);
    const SystemCallCounter own(SystemCallCounter::Of::caller);
    std::int64_t switched = 0;
    for (std::int64_t i = 0; i < reps.count; ++i) {
      run_.run(member, creations_);
      switched += run_.switches();
    }
    const auto created = static_cast<double>(creations_);
    return Claims{}
        .set(system_calls, static_cast<double>(all.read() - own.read()) / created)
        .set(switches, static_cast<double>(switched) / created);
  }

 private:
  MassRun run_;
  std::int64_t creations_;
};

}  // namespace assay
