// SPDX-License-Identifier: Apache-2.0
// Mean and pace.
#include "run/session/time_left.hpp"

#include <algorithm>

namespace assay {

Nanoseconds TimeLeft::estimate(Nanoseconds elapsed, std::size_t open, Nanoseconds on_open, std::size_t waiting) const {
  if (points_ == 0 || !(spent_ > Nanoseconds{})) return {};
  const Nanoseconds mean = spent_ / points_;
  const Nanoseconds of_open =
      std::max(mean * static_cast<double>(open) - on_open, open > 0 ? on_open / 2 : Nanoseconds{});
  const Nanoseconds remaining = of_open + mean * static_cast<double>(waiting);
  return elapsed * (remaining / (spent_ + on_open));
}

}  // namespace assay
