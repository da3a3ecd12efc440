// SPDX-License-Identifier: Apache-2.0
// What a creation costs among many, and how many system calls it makes.
#pragma once
#include <sys/resource.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "thread/creators.hpp"

namespace assay {

/// Counts from its construction on. While it exists every thread that the caller or one of its threads creates is made
/// with a counter, too, which costs time.
class SystemCallCounter {
 public:
  /// Whose system calls.
  enum class Of : unsigned char { caller, caller_and_created };

  /// Throws Unsupported with what the kernel lacks or does not permit.
  explicit SystemCallCounter(Of whose);
  ~SystemCallCounter();
  SystemCallCounter(const SystemCallCounter&) = delete;
  SystemCallCounter& operator=(const SystemCallCounter&) = delete;

  /// System calls so far; those of threads that have ended included. The one that reads is among them.
  std::int64_t read() const;

 private:
  int descriptor_;
};

/// `toplevel` threads that are started and joined by the caller each create their share of the threads, `children` at
/// a time. The algorithm of the benchmark that came with NPTL (Drepper, 2002), `--toplevel`.
class MassRun {
 public:
  /// Reads the levels of the factors of thread/mass_create. Throws Unsupported for those that make no sense.
  explicit MassRun(const Setup& setup, CreateThread create = pthread_create)
      : toplevel_(level_in(setup, "toplevel", 1, 1000)), slots_(toplevel_ * level_in(setup, "children", 1, 10'000)) {
    plan_.attributes.stack(setup.level<std::size_t>("stack"))
        .guard(static_cast<std::size_t>(level_in(setup, "guard", 0, std::int64_t{1} << 30)))
        .state(setup.word("detachstate"));
    plan_.is_joinable = setup.word("detachstate") == "joinable";
    plan_.life = {level_in(setup, "work-rounds", 0, 1'000'000), level_in(setup, "work", 0, 100),
                  level_in(setup, "loop", 0, 1'000'000'000), setup.seed()};
    plan_.create = create;
    for (std::int64_t i = 0; i < toplevel_; ++i)
      creators_.push_back(
          std::make_unique<Creator>(plan_, refusal_, static_cast<std::size_t>(i) + 1, slots_ / toplevel_));
  }

  /// Looks at what is there before any run.
  void enter() { others_ = threads_alive(); }
  /// Creates so many threads, and returns the time from before the creators are created until all are joined. No thread
  /// of it is left, whatever happens. Throws Unsupported that names the limit where the system refuses a thread, and
  /// std::logic_error when there were not exactly as many.
  Nanoseconds run(const Member& member, std::int64_t creations) {
    const std::vector<CreatorShare> shares = shares_of({creations, slots_}, toplevel_);
    tasks_.clear();
    for (std::size_t i = 0; i < shares.size(); ++i) tasks_.push_back({creators_[i].get(), shares[i], {}});
    const std::int64_t before = switches_of_process();
    const Nanoseconds taken = member.timed(Reps{1}, [this] { perform(); });
    await_threads(others_);
    switches_ = switches_of_process() - before;
    refusal_.raise();
    std::int64_t created = 0;
    for (const auto& creator : creators_) created += creator->created();
    if (created != creations)
      throw std::logic_error(std::to_string(created) + " threads were created, not " + std::to_string(creations));
    return taken;
  }
  /// Context switches of all threads of the last run.
  std::int64_t switches() const { return switches_; }
  /// The most threads that a creator had at a time in the last run.
  std::int64_t most_alive() const {
    std::int64_t most = 0;
    for (const auto& creator : creators_) most = std::max(most, creator->most_alive());
    return most;
  }

 private:
  struct Task {
    Creator* creator;
    CreatorShare share;
    pthread_t thread;
  };

  static std::int64_t level_in(const Setup& setup, const std::string& factor, std::int64_t least, std::int64_t most) {
    const auto level = setup.level<std::int64_t>(factor);
    if (level < least || level > most)
      throw Unsupported("'" + factor + "' is " + std::to_string(least) + " to " + std::to_string(most) + ", not " +
                        std::to_string(level));
    return level;
  }
  static std::int64_t switches_of_process() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nvcsw + usage.ru_nivcsw;
  }
  static void* create_share(void* task) {
    auto& own = *static_cast<Task*>(task);
    own.creator->create_all(own.share);
    return nullptr;
  }

  void perform() {
    std::size_t started = 0;
    for (; started < tasks_.size() && !refusal_.has_come(); ++started) {
      Task& task = tasks_[started];
      const int error = plan_.create(&task.thread, default_attributes_.get(), create_share, &task);
      if (error == 0) continue;
      refusal_.tell(error, default_attributes_, 0);
      break;
    }
    for (std::size_t i = 0; i < started; ++i) pthread_join(tasks_[i].thread, nullptr);
  }

  std::int64_t toplevel_;
  std::int64_t slots_;  // of all creators
  CreatorPlan plan_;
  ThreadAttributes default_attributes_;
  FirstRefusal refusal_;
  std::vector<std::unique_ptr<Creator>> creators_;
  std::vector<Task> tasks_;
  std::size_t others_ = 0;
  std::int64_t switches_ = 0;
};

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
/// create; those of the caller, which starts the creators, are not among them. Counting makes creating more expensive:
/// it has a measurement of its own.
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
