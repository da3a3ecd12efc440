// SPDX-License-Identifier: Apache-2.0
// Creating and joining a thread.
#pragma once
#include <pthread.h>

#include <cstddef>
#include <string>
#include <system_error>

#include "api/measurement.hpp"

namespace assay {

/// One pthread_create of a function that returns at once, and the pthread_join. The thread inherits the member's
/// binding.
class CreateJoin final : public Measurement {
 public:
  explicit CreateJoin(Setup& setup) {
    pthread_attr_init(&attributes_);
    const auto stack = setup.level<std::size_t>("stack");
    if (stack != 0 && pthread_attr_setstacksize(&attributes_, stack) != 0) {
      pthread_attr_destroy(&attributes_);
      throw Unsupported("the thread library refuses a stack of " + std::to_string(stack) + " bytes");
    }
  }
  ~CreateJoin() override { pthread_attr_destroy(&attributes_); }

  Claims run(Member& member, Reps reps) override {
    return member.timed(reps, [this] {
      pthread_t thread;
      if (const int error = pthread_create(&thread, &attributes_, nothing, nullptr); error != 0)
        throw std::system_error(error, std::generic_category(), "pthread_create");
      pthread_join(thread, nullptr);
    });
  }

 private:
  static void* nothing(void*) { return nullptr; }
  pthread_attr_t attributes_;
};

}  // namespace assay
