// SPDX-License-Identifier: Apache-2.0
// Why a node deviates, as far as the results of its own campaign say it beside those of the others.
#pragma once
#include <string>
#include <vector>

#include "record/cluster/cluster_tables.hpp"

namespace assay::cluster {

/// What took the CPUs of a slow node in a table of noise (quantities `detours` and `switches`, os/noise-selfish):
/// "other threads took its CPU 40 times a second, the others' 2 times", where it has twice as many detours as they at
/// least and half of them are switches; else interrupts or a hypervisor. Where it has no more of them, that they are
/// longer. Empty where the table has no such quantities, or the two others that it takes are missing.
std::string cause_in_noise(const Table& table, const UnitRow& unit);

/// The disturbances that a node has and the others have not, of a slow or lacking one: "batches that a quota or heat
/// throttled: 12, the others' 0"; five of them at least, and four times as many as the others' median.
std::vector<std::string> causes_in_disturbances(const Table& table, const UnitRow& unit);

/// Where a node is slow, if that is at some levels only, while it is well at all others: "copy only at placement=8-15",
/// as for the memory of one socket. Tables of one series differ in the levels that they have in common. Empty where it
/// is slow everywhere, or undecided somewhere.
std::string cause_in_levels(const std::vector<Table>& tables, const std::string& series, const std::string& node);

/// Why it lacks results in a table: the reason of its point, in one line.
std::string cause_of_lack(const UnitRow& unit);

}  // namespace assay::cluster
