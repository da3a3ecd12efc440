// SPDX-License-Identifier: Apache-2.0
// Processes of a launch that measure one at a time.
#pragma once
#include <filesystem>
#include <functional>
#include <string>

#include "base/clock.hpp"

namespace assay {

/// A token that the ranks of a launch hand each other, by files in a directory that all of them see. Who holds it
/// measures. It goes round many times, so that a state of the machine that they share affects all of them.
class MeasurementToken {
 public:
  /// How a rank waits: with which clock, and how it lets time pass between two looks.
  struct Waiting {
    const Clock& clock;
    std::function<void(Nanoseconds)> pause;
    Nanoseconds stint = milliseconds(250);         ///< held so long at least, once another process waits for it
    Nanoseconds between_looks = milliseconds(20);  ///< at the directory, which may be another machine's
  };

  /// Rank 0 of `ranks` holds it first. The directory has to exist, without files of an earlier launch.
  MeasurementToken(std::string directory, int rank, int ranks, Waiting waiting);

  /// Waits until this rank holds the token, or `gives_up` says that it need not. Throws PlatformError.
  void await(const std::function<bool()>& gives_up);
  /// Hands the token on when the stint is over, and waits until it has come round. Returns how long that took. Throws
  /// StorageError, PlatformError.
  Nanoseconds take_turns(const std::function<bool()>& gives_up);
  /// Needs it no more, whether this rank holds it or not. Throws StorageError.
  void retire();

 private:
  int holder() const;
  /// The first rank from this one on, round and round, that still needs the token; -1 when none does.
  int active_from(int rank) const;
  std::filesystem::path file(const std::string& name) const { return std::filesystem::path(directory_) / name; }

  std::string directory_;
  int rank_;
  int ranks_;
  Waiting waiting_;
  Instant held_since_;
};

}  // namespace assay
