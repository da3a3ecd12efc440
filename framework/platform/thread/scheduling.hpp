// SPDX-License-Identifier: Apache-2.0
// The calling thread's scheduling policy, by name.
#pragma once
#include <string>
#include <vector>

namespace assay {

/// The word that leaves a thread's policy as it is.
inline constexpr const char* inherited_policy = "inherited";

/// "inherited", "other", "batch", "idle", "fifo", "rr".
const std::vector<std::string>& policy_words();
/// Gives the calling thread a policy; the real-time ones with their lowest priority, so that all members have one. A
/// thread or process it creates starts with it. Returns false when the system does not permit it. Throws PlatformError
/// for other reasons, std::invalid_argument for an unknown word.
bool take_policy(const std::string& word);
/// The calling thread's policy as a word; "inherited" for one that has none here.
std::string policy_of_self();

}  // namespace assay
