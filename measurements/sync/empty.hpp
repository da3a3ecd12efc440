// SPDX-License-Identifier: Apache-2.0
// An empty body: what the measuring itself costs.
#pragma once
#include "api/measurement.hpp"

namespace assay {

/// A body that does nothing but keep its loop.
class EmptyBody final : public Measurement {
 public:
  explicit EmptyBody(Setup&) {}
  Claims run(Member& member, Reps reps) override {
    return member.timed(reps, [] { clobber(); });
  }
};

}  // namespace assay
