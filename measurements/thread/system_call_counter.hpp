// SPDX-License-Identifier: Apache-2.0
// Counts system calls by the kernel's own trace point.
#pragma once
#include <cstdint>

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

}  // namespace assay
