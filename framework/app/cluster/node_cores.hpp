// SPDX-License-Identifier: Apache-2.0
// What a node's campaign and the launches between nodes read of its cores.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/cluster/link_points.hpp"

namespace assay {

/// What the latest session among a node's own records learned of its cores, under the node's name; nothing where it
/// read none.
std::optional<CoresRecord> cores_of_campaign(const std::string& node, const std::vector<Record>& records);

/// The same of the batches of its member in launches. CPUs of different nodes have equal numbers, so that what a launch
/// says of all its ranks together is nobody's. `campaign`: what the node's own campaign knew.
std::optional<CoresRecord> cores_of_launches(const std::string& node, const std::vector<LinkLaunch>& launches,
                                             const std::optional<CoresRecord>& campaign);

}  // namespace assay
