// SPDX-License-Identifier: Apache-2.0
// A shard while rank 0 writes it: whether it grows, what is in flight, and when the next record is due.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "record/record.hpp"

namespace assay {

/// Reads what was appended since it last looked. A file that is not there yet has nothing.
class ShardFollower {
 public:
  explicit ShardFollower(std::string file) : file_(std::move(file)) {}

  /// True when whole records were added.
  bool look();
  bool began() const { return began_; }
  /// Rank 0 has written its last record.
  bool ended() const { return ended_; }
  /// In which the next record was promised; 0 where nothing was.
  Nanoseconds next() const { return next_; }
  const std::optional<BeginRecord>& in_flight() const { return in_flight_; }
  /// Points finished so far.
  int points() const { return points_; }

 private:
  void take(std::string_view line);
  void note(const Record& record);

  std::string file_;
  std::size_t read_ = 0;  ///< bytes
  std::string pending_;   ///< of a line that is not whole yet
  bool began_ = false;
  bool ended_ = false;
  int points_ = 0;
  Nanoseconds next_{};
  std::optional<BeginRecord> in_flight_;
};

}  // namespace assay
