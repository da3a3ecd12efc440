// SPDX-License-Identifier: Apache-2.0
// Whether the limits leave room: asked before a measurement starts something large, so that nothing is half done.
#pragma once
#include <cstddef>
#include <string>

namespace assay {

/// Throw Unsupported when there is no room for `needed` more: who needs how many, the limit with its number and what
/// is in use, and what to do. `who` is a plural ("20 users in 10 rooms"); `smaller` names what to choose fewer of.
void require_descriptors(std::size_t needed, const std::string& who, const std::string& smaller);
void require_threads(std::size_t needed, const std::string& who, const std::string& smaller);
/// `touched` of the `needed` bytes of address space are used at once.
void require_memory(std::size_t needed, std::size_t touched, const std::string& who, const std::string& smaller);

}  // namespace assay
