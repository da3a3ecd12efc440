// SPDX-License-Identifier: Apache-2.0
// A thread that does nothing: its existence alone changes what locks, allocators and descriptors cost.
#pragma once
#include <atomic>
#include <cstdint>
#include <thread>

namespace assay {

/// Asleep in the kernel from start to destruction, deaf to signals.
class Bystander {
 public:
  /// Throws PlatformError.
  Bystander();
  Bystander(const Bystander&) = delete;
  Bystander& operator=(const Bystander&) = delete;
  ~Bystander();

 private:
  std::atomic<std::uint32_t> dismissed_{0};
  std::thread thread_;
};

}  // namespace assay
