// SPDX-License-Identifier: Apache-2.0
// What a variable of each thread's own costs, beside one shared by all.
#pragma once
#include <pthread.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "api/measurement.hpp"

namespace assay {

/// Additions of 1 to a variable in memory. A variable that is `thread_local` in a program is found by an offset from a
/// register; in a shared library, which this program is not, the loader may have to be asked each time.
class OwnVariable final : public Measurement {
 public:
  /// Throws Unsupported where the system has no key left.
  explicit OwnVariable(Setup& setup) : how_(setup.word("how")) {
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
    if (*find() - before != reps.count) throw std::logic_error("a variable was not added to as often as it should");
    return taken;
  }

  std::string how_;
  pthread_key_t key_{};
};

}  // namespace assay
