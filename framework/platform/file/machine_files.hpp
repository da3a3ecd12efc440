// SPDX-License-Identifier: Apache-2.0
// Small texts of /proc and /sys: a whole file, a labelled line, one word of several.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// A file without white space at its end. Throws PlatformError.
std::string trimmed_file(const std::string& path);

/// The same, or `otherwise` where the file cannot be read.
std::string trimmed_file_or(const std::string& path, const std::string& otherwise);

/// The value of the first line "label : value" (tabs and spaces around the colon do not matter); empty when there is no
/// such line.
std::string labelled(std::string_view text, std::string_view label);

/// The word in brackets of "always [madvise] never"; the whole text when no word is.
std::string bracketed_word(const std::string& text);

/// The values of one file of every CPU's directory, as "performance" or "performance: 0-2; powersave: 3"; `file` is
/// below /sys/devices/system/cpu/cpuN. Throws PlatformError when no CPU has it.
std::string by_cpu(const std::vector<int>& cpus, const std::string& file);

}  // namespace assay
