// SPDX-License-Identifier: Apache-2.0
// The reference channel between two ranks of a node, over pages that both map.
#pragma once
#include <optional>
#include <string>

#include "api/measurement.hpp"
#include "platform/process/shared_pages.hpp"
#include "team/local/reference_channel.hpp"

namespace assay {

/// The lines in pages: of their maker, or of another process.
class SharedLines {
 public:
  /// Makes pages. Throws PlatformError.
  SharedLines() = default;
  /// Maps the one of that name. Throws PlatformError.
  explicit SharedLines(const std::string& name) : pages_(name) {}

  /// By which another process maps it.
  std::string name() const { return pages_.name(); }
  /// Before each exchange, while none is under way.
  void reset();
  /// The initiator's side: time_round_trips once the other side is there. Nothing where it did not come within two
  /// seconds, or stayed away for so long.
  std::optional<Nanoseconds> lead(int round_trips, const Stopwatch& watch);
  /// The other side.
  void follow(int round_trips);

 private:
  ReferenceLines& lines();

  SharedPages pages_{};
};

}  // namespace assay
