// SPDX-License-Identifier: Apache-2.0
// A barrier between ranks in ceil(log2 p) steps, over any wire.
#pragma once
#include <cstdint>

#include "team/wire/wire.hpp"

namespace assay {

/// The dissemination barrier (Hensgen, Finkel and Manber, International Journal of Parallel Programming 17, 1988): in
/// step k each rank notifies the one 2^k further and receives from the one 2^k before, so that after the last step it
/// has heard of all, whether or not their number is a power of two.
class DisseminationBarrier {
 public:
  explicit DisseminationBarrier(Wire& wire) : wire_(wire) {}
  /// Returns when all ranks have called it as often. Throws WireError when another rank is in a different call or step:
  /// then ranks have not done the same.
  void wait();

 private:
  void hear(int from, std::uint32_t step);

  Wire& wire_;
  std::uint32_t calls_ = 0;
};

}  // namespace assay
