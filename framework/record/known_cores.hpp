// SPDX-License-Identifier: Apache-2.0
// What was known of a session's cores, put together again from records; what the members of a batch read of them; and
// both in words.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/batch.hpp"
#include "record/record.hpp"
#include "stats/core/core_levels.hpp"

namespace assay {

/// Remembers what holds for nodes, by the last record of each.
class KnownNodes {
 public:
  void add(const CoresRecord& record);
  /// Levels that nothing is known of yet but the nodes.
  CoreLevels no_levels() const;
  /// What was known of the cores when the point was finished.
  CoreLevels levels_of(const PointRecord& point) const;
  /// Of the chain on a node; 0: not known.
  int cycles_per_step(const std::string& node) const;

 private:
  std::map<std::string, NodeCores> nodes_;
};

/// The readings on both sides of a member's part of a batch.
struct MemberReadings {
  NodeCpu cpu_before;
  CoreReading before;
  NodeCpu cpu_after;
  CoreReading after;
  bool is_rested = false;    ///< both are the visit's own: what the member read while the others rested
  CoreReading at_rest = {};  ///< that one, where there is one for each member
};

/// By rank. Members at work on one core appear shared to each other, which says nothing about the machine: of several
/// on a node, what each read while the others rested (`apart`, by rank) represents every batch of the visit.
std::vector<MemberReadings> readings_of(const Batch& batch, const std::vector<CoreReading>& apart,
                                        std::span<const std::string> nodes);

/// What both readings say together: mixed where they differ, unknown where one of them is.
Sharing sharing_of(const MemberReadings& member, const CoreLevels& levels);

/// Cores that others shared for less of the time are as good as alone.
inline constexpr double hardly_shared = 0.1;
/// What share of the time others were on the cores of a result as found, which is a mixture by that; nothing where it
/// is not known what these yield alone, or the result is of one state.
std::optional<double> shared_time(const PointRecord& point, const Result& result);

/// "as found, others on the cores for 91 % of the time"; empty where they hardly were, or that is not known.
std::string found_text(const PointRecord& point, const Result& result);

/// What a reader of the values has to know, each a clause; none where there is nothing to report. `is_known`: the state
/// of some batches is; `kind` stands before "cores": "" or "simulated ".
std::vector<std::string> core_remarks(const CoresRecord& record, bool is_known, const std::string& kind);
/// The same of a session's own cores, and beside it how often they were alone, and what waiting for that took.
std::vector<std::string> core_account(const CoresRecord& record);

}  // namespace assay
