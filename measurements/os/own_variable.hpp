// SPDX-License-Identifier: Apache-2.0
// What a variable of each thread's own costs, beside one shared by all.
#pragma once
#include <pthread.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "api/measurement.hpp"
#include "os/per_cpu_counter.hpp"

namespace assay {

/// Additions of 1 to a variable in memory. A variable that is `thread_local` in a program is found by an offset from a
/// register; in a shared library, which this program is not, the loader may have to be asked each time.
class OwnVariable final : public Measurement {
 public:
  /// Throws Unsupported where the system has no key left, and no restartable sequences.
  explicit OwnVariable(Setup& setup) : how_(setup.word("how")) {
    if (how_ == "rseq") per_cpu_ = make_per_cpu_counter();
    if (::pthread_key_create(&key_, nullptr) != 0)
      throw Unsupported("the system has no key for data of threads left (PTHREAD_KEYS_MAX)");
  }
  ~OwnVariable() override { ::pthread_key_delete(key_); }

  Claims run(Member& member, Reps reps) override {
    if (how_ == "thread-local") return checked(member, reps, [] { return &own(); });
    if (how_ == "key") {
      std::int64_t variable = 0;
      ::pthread_setspecific(key_, &variable);
      return checked(member, reps, [this] { return static_cast<std::int64_t*>(::pthread_getspecific(key_)); });
    }
    if (how_ == "rseq") return per_cpu(member, reps);
    if (how_ == "atomic") return atomic(member, reps);
    return checked(member, reps, [] { return &common(); });
  }

 private:
  static std::int64_t& own() {
    static thread_local std::int64_t variable = 0;
    return variable;
  }
  static std::int64_t& common() {
    static std::int64_t variable = 0;
    return variable;
  }
  template <class Find>
  static Claims checked(const Member& member, Reps reps, Find find) {
    const std::int64_t before = *find();
    const Nanoseconds taken = member.timed(reps, [&] {
      ++*find();
      clobber();
    });
    require(*find() - before, reps);
    return taken;
  }
  static Claims atomic(const Member& member, Reps reps) {
    const std::int64_t before = common();
    const Nanoseconds taken =
        member.timed(reps, [variable = &common()] { __atomic_fetch_add(variable, 1, __ATOMIC_RELAXED); });
    require(common() - before, reps);
    return taken;
  }
  Claims per_cpu(const Member& member, Reps reps) {
    const std::int64_t before = per_cpu_->sum();
    const Nanoseconds taken = per_cpu_->add(member, reps);
    require(per_cpu_->sum() - before, reps);
    return taken;
  }
  static void require(std::int64_t added, Reps reps) {
    if (added != reps.count) throw std::logic_error("a variable was not added to as often as it should");
  }

  std::string how_;
  pthread_key_t key_{};
  std::unique_ptr<PerCpuCounter> per_cpu_;
};

}  // namespace assay
