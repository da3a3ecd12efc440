// SPDX-License-Identifier: Apache-2.0
// Small texts of /proc and /sys: a whole file, a labelled line, one word of several.
#include "platform/file/machine_files.hpp"

#include <map>
#include <sstream>

#include "base/error.hpp"
#include "platform/file/append_file.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

constexpr std::string_view blanks = " \t\n";
constexpr std::size_t largest = std::size_t{1} << 26;

}  // namespace

std::string trimmed_file(const std::string& path) { return std::string(trimmed(read_file(path, largest), blanks)); }

std::string trimmed_file_or(const std::string& path, const std::string& otherwise) {
  try {
    return trimmed_file(path);
  } catch (const PlatformError&) {
    return otherwise;
  }
}

std::string labelled(std::string_view text, std::string_view label) {
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos && trimmed(std::string_view(line).substr(0, colon), blanks) == label)
      return std::string(trimmed(std::string_view(line).substr(colon + 1), blanks));
  }
  return {};
}

std::string bracketed_word(const std::string& text) {
  const std::size_t open = text.find('[');
  const std::size_t close = text.find(']', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) return text;
  return text.substr(open + 1, close - open - 1);
}

std::string by_cpu(const std::vector<int>& cpus, const std::string& file) {
  std::map<std::string, std::vector<int>> holders;
  for (const int cpu : cpus)
    holders[trimmed_file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/" + file)].push_back(cpu);
  if (holders.size() == 1) return holders.begin()->first;
  std::string text;
  for (const auto& [value, list] : holders) text += (text.empty() ? "" : "; ") + value + ": " + cpu_ranges(list);
  return text;
}

}  // namespace assay
