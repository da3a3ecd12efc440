// SPDX-License-Identifier: Apache-2.0
// What is whole in a damaged journal, and what is not.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "record/journal/journal.hpp"

namespace assay {

/// A place of a journal from which nothing can be kept.
struct Loss {
  std::int64_t offset = 0;  ///< bytes
  std::int64_t line = 0;    ///< from 1
  std::int64_t bytes = 0;
  std::string why;
};
/// "line 3, byte 120: 44 bytes: why".
std::string to_text(const Loss& loss);

/// Hands on every record of a journal that is whole, in the order of the file, each sequence number once, and returns
/// what was left out. Throws PlatformError.
std::vector<Loss> salvage_journal(const std::string& path, const Take& take);

}  // namespace assay
