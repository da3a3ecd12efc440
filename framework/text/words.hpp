// SPDX-License-Identifier: Apache-2.0
// Lists of texts or CPUs as one text, and texts without the blanks around them.
#pragma once
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// The texts with a separator between them; those behind the first `most` are counted only: "a; b; and 3 more".
std::string joined(const std::vector<std::string>& texts, std::string_view separator = ", ",
                   std::size_t most = std::numeric_limits<std::size_t>::max());

/// The text without spaces and tabs, or other bytes named, at both ends.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t");

/// Whether it consists of decimal digits, at least one.
bool is_whole_number(std::string_view text);

/// CPU indexes as ranges, "0-3,8": `cpus` ascending. "none" when there are none.
std::string cpu_ranges(const std::vector<int>& cpus);

}  // namespace assay
