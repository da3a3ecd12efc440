// SPDX-License-Identifier: Apache-2.0
// Quantities with different claimants, each with a known value.
#pragma once
#include "api/measurement.hpp"

namespace assay {

/// Member 0 claims `near`, member 1 claims `far`, each claims one event per repetition.
class ThreeClaims final : public Measurement {
 public:
  explicit ThreeClaims(Setup& setup) : near_(setup.level<double>("near")), far_(setup.level<double>("far")) {}
  Claims run(Member& member, Reps reps) override {
    const auto n = static_cast<double>(reps.count);
    Claims claims;
    claims.set(2, n);
    return member.rank() == 0 ? claims.set(0, n * near_) : claims.set(1, n * far_);
  }

 private:
  double near_;
  double far_;
};

}  // namespace assay
