// SPDX-License-Identifier: Apache-2.0
// What a process wrote, drained as it comes; who writes too much loses its beginning, never time.
#include <unistd.h>

#include <array>
#include <utility>

#include "platform/process/process.hpp"

namespace assay {
namespace {

constexpr std::size_t room_for_note = 64;
constexpr std::size_t most_kept = OutputTail::most - room_for_note;

}  // namespace

OutputTail::OutputTail(OutputTail&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), kept_(std::move(other.kept_)), left_out_(other.left_out_) {}

OutputTail::~OutputTail() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputTail::drain() {
  // Bounded: who writes faster than this reads must not keep the caller here.
  std::array<char, 65536> buffer;
  ssize_t count = 1;
  for (int i = 0; i < 16 && descriptor_ >= 0 && count > 0; ++i) {
    count = ::read(descriptor_, buffer.data(), buffer.size());
    if (count > 0) kept_.append(buffer.data(), static_cast<std::size_t>(count));
    if (kept_.size() <= most_kept) continue;
    left_out_ += kept_.size() - most_kept;
    kept_.erase(0, kept_.size() - most_kept);
  }
  if (count == 0) ::close(std::exchange(descriptor_, -1));
}

std::string OutputTail::text() const {
  if (left_out_ == 0) return kept_;
  return "[" + std::to_string(left_out_) + " bytes before this were left out]\n" + kept_;
}

}  // namespace assay
