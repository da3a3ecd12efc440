// SPDX-License-Identifier: Apache-2.0
// Which of a member's readings are about the machine.
#include "record/batch_cores.hpp"

namespace assay {

std::vector<MemberReadings> readings_of(const Batch& batch, const std::vector<CoreReading>& apart,
                                        std::span<const std::string> nodes) {
  const auto is_single = single_on_node(nodes, batch.members.size());
  std::vector<MemberReadings> all;
  for (std::size_t rank = 0; rank < batch.members.size(); ++rank) {
    const MemberReport& report = batch.members[rank];
    const NodeCpu before = cpu_of(nodes, rank, report.cpu_before);
    const NodeCpu after = cpu_of(nodes, rank, report.cpu_after);
    if (batch.members.size() == apart.size() && !is_single[rank])
      all.push_back({before, apart[rank], before, apart[rank], true});
    else
      all.push_back({before, report.core_before, after, report.core_after, false});
  }
  return all;
}

Sharing sharing_of(const MemberReadings& member, const CoreLevels& levels) {
  const Sharing before = levels.judge(member.cpu_before, member.before);
  const Sharing after = levels.judge(member.cpu_after, member.after);
  if (before == Sharing::unknown || after == Sharing::unknown) return Sharing::unknown;
  return before == after ? before : Sharing::mixed;
}

}  // namespace assay
