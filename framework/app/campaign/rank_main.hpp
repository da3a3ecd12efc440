// SPDX-License-Identifier: Apache-2.0
// Measuring as rank 0 of a launch that was started from outside.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/config/config.hpp"
#include "run/host.hpp"

namespace assay {

/// What rank 0 has of its launch.
struct RankSide {
  std::vector<LaunchedRank> ranks;
  std::vector<NodeCores> nodes;  ///< that they are on
  /// Makes the host of visits, which calls `alive` before it does anything with how long that may take at most. `home`:
  /// the node of who started the launch.
  std::function<std::unique_ptr<Host>(const CampaignPlan& plan, std::function<void(Nanoseconds)> alive,
                                      const std::string& home)>
      host;
};
/// Rank 0's part in launch number `launch` of the campaign in a directory: reads its order and what was measured
/// before, goes on with it, and writes its shard. Throws as Journal and stored_plan do.
void measure_in_launch(const std::string& directory, int launch, const Catalogue& catalogue, const RankSide& side);

}  // namespace assay
