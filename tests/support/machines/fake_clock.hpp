// SPDX-License-Identifier: Apache-2.0
// A clock that stands still until it is told otherwise.
#pragma once
#include <cmath>

#include "base/clock.hpp"

namespace assay::test {

/// Time as a test makes it pass.
class FakeClock final : public Clock {
 public:
  Instant now() const override { return {static_cast<std::int64_t>(std::llround(time_.count))}; }
  void advance(Nanoseconds time) { time_ += time; }

 private:
  Nanoseconds time_{};
};

}  // namespace assay::test
