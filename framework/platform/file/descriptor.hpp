// SPDX-License-Identifier: Apache-2.0
// A file descriptor that is closed by its owner, and only by it.
#pragma once
#include <unistd.h>

#include <utility>

namespace assay {

/// Owns a descriptor; -1 is none.
class Descriptor {
 public:
  explicit Descriptor(int value = -1) noexcept : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Descriptor() { close(); }

  int value() const noexcept { return value_; }
  /// Gives the descriptor away.
  int release() noexcept { return std::exchange(value_, -1); }
  /// Closes it now. Errors of close are not failures of what was written: writers sync first.
  void close() noexcept {
    if (value_ >= 0) ::close(release());
  }

 private:
  int value_;
};

}  // namespace assay
