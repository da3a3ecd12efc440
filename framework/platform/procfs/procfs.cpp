// SPDX-License-Identifier: Apache-2.0
// Reading and taking apart files of procfs.
#include "platform/procfs/procfs.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <locale>
#include <sstream>
#include <system_error>

#include "base/error.hpp"
#include "platform/file/append_file.hpp"

namespace assay {

std::vector<int> process_ids(const std::string& root) {
  namespace fs = std::filesystem;
  std::vector<int> ids;
  std::error_code error;
  for (fs::directory_iterator entry(root + "/proc", error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename();
    int id = 0;
    std::from_chars(name.data(), name.data() + name.size(), id);
    if (id > 0) ids.push_back(id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::string process_file(int pid, const std::string& name) {
  try {
    return read_file("/proc/" + std::to_string(pid) + "/" + name, std::size_t{1} << 20);
  } catch (const PlatformError&) {
    return {};
  }
}

std::optional<ProcessStat> parse_stat(std::string_view text) {
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(") ");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  ProcessStat stat;
  stat.name = std::string(text.substr(open + 1, close - open - 1));
  std::istringstream rest{std::string(text.substr(close + 2))};
  rest.imbue(std::locale::classic());
  std::int64_t user = 0;
  std::int64_t system = 0;
  std::string skipped;
  rest >> stat.state >> stat.parent >> stat.group;
  for (int field = 0; field < 8; ++field) rest >> skipped;  // from the session to the major faults of children
  rest >> user >> system;
  stat.cpu_ticks = user + system;
  return rest ? std::optional(stat) : std::nullopt;
}

std::optional<ProcessStat> process_stat(int pid) { return parse_stat(process_file(pid, "stat")); }

}  // namespace assay
