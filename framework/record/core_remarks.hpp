// SPDX-License-Identifier: Apache-2.0
// What a session's cores were like, in words.
#pragma once
#include <string>
#include <vector>

#include "record/record.hpp"

namespace assay {

/// What a reader of the values has to know, each a clause; none where there is nothing to report. `is_known`: the state
/// of some batches is; `kind` stands before "cores": "" or "simulated ".
std::vector<std::string> core_remarks(const CoresRecord& record, bool is_known, const std::string& kind);
/// The same of a session's own cores, and beside it how often they were alone, and what waiting for that took.
std::vector<std::string> core_account(const CoresRecord& record);

}  // namespace assay
