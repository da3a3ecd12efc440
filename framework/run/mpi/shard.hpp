// SPDX-License-Identifier: Apache-2.0
// What rank 0 of a launch leaves in a campaign's directory: a journal of its own, followed while it is written, taken
// over into the campaign's.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/journal/journal.hpp"
#include "record/record.hpp"
#include "run/session/launches.hpp"

namespace assay {

/// The directory in which a launch writes its shard, and the file with the order for rank 0: both inside the
/// campaign's.
std::string shard_directory(const std::string& campaign, int launch);
std::string order_path(const std::string& campaign, int launch);
/// Launches of which something is left in a campaign's directory, in ascending order.
std::vector<int> leftover_launches(const std::string& campaign);
/// Removes what a launch left, once its records are elsewhere.
void remove_shard(const std::string& campaign, int launch);

/// What rank 0 is given beside the journal.
struct WrittenOrder {
  LaunchOrder order;
  std::string configuration;                                ///< of the series to measure, resolved
  std::vector<std::pair<std::string, std::string>> builds;  ///< of the plugins that measurements are from, by series
  std::string node = {};                                    ///< on which the session is
};
/// Throws StorageError.
void write_order(const std::string& campaign, const WrittenOrder& order);
/// Throws PlatformError when there is none, JsonError.
WrittenOrder read_order(const std::string& campaign, int launch);

/// What a shard contains besides its records.
struct ShardEnd {
  bool began = false;
  std::string ended;  ///< as rank 0 has it; empty where it was lost
  int left = 0;
  std::optional<BeginRecord> in_flight;  ///< begun and not ended
};
/// Hands on the records of a launch's shard, signs of life left out; a torn tail is, too. Nothing where there is no
/// shard. Throws ResultError where it is still written five seconds later, or where it is damaged otherwise.
ShardEnd read_shard(const std::string& campaign, int launch, const std::function<void(const Record&)>& take);
/// The records of a launch as a campaign's journal is to have them, between one that it began and one that it ended;
/// `lost` says how it did where rank 0 does not. Throws as read_shard; StorageError.
ShardEnd import_shard(const std::string& campaign, int launch, int session, const std::string& lost, Sink& sink);

/// Takes over what launches left and was not taken over, and removes it. Records that an earlier attempt took over
/// are in the journal once. Returns what there is to report. Throws as read_shard, and as Journal does.
std::vector<std::string> recover_shards(const std::string& campaign, const Clock& clock, const JournalOptions& options,
                                        const std::function<Record(const Record&)>& kept_as);

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
