// SPDX-License-Identifier: Apache-2.0
// Limits as the files of control groups have them, and the kernel's own counters of kills for want of memory.
#include "platform/machine/cgroup.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <sstream>
#include <vector>

#include "base/error.hpp"
#include "platform/file/append_file.hpp"

namespace assay {
namespace {

std::string text_of(const std::string& path) {
  try {
    return read_file(path, std::size_t{1} << 20);
  } catch (const PlatformError&) {
    return {};
  }
}

/// The first number of the text; nothing for "max" and for what stands for it in version 1 (-1, or near 2^63).
std::optional<std::int64_t> limit_in(std::string_view text) {
  std::int64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || number < 0 || number > std::int64_t{1} << 60) return std::nullopt;
  return number;
}

bool lists(std::string_view controllers, std::string_view wanted) {
  const std::string listed = "," + std::string(controllers) + ",";
  return listed.find("," + std::string(wanted) + ",") != std::string::npos;
}

/// `path` and the directories above it, the root "" last.
std::vector<std::string> upward(std::string path) {
  std::vector<std::string> paths;
  for (; !path.empty() && path != "/"; path.erase(path.rfind('/'))) paths.push_back(path);
  paths.emplace_back();
  return paths;
}

/// The group directories of a controller, own first; `name` is empty for version 2, which has one tree for all.
std::vector<std::string> directories(const CgroupView& view, std::string_view name) {
  std::istringstream lines(view.membership);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos || second + 1 >= line.size() || line[second + 1] != '/') continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (name.empty() ? !controllers.empty() : !lists(controllers, name)) continue;
    std::vector<std::string> paths = upward(line.substr(second + 1));
    for (std::string& path : paths) path.insert(0, view.mount + (name.empty() ? "" : "/") + std::string(name));
    return paths;
  }
  return {};
}

using LimitReader = std::function<std::optional<double>(const std::string& directory)>;

/// The smallest of what `limit` says about the directories.
std::optional<double> smallest(const std::vector<std::string>& groups, const LimitReader& limit) {
  std::optional<double> least;
  for (const std::string& group : groups)
    if (const auto here = limit(group)) least = std::min(here, least ? least : here);
  return least;
}

std::optional<double> in_order(const CgroupView& view, std::string_view controller, const LimitReader& unified,
                               const LimitReader& separate) {
  const auto found = smallest(directories(view, ""), unified);
  return found ? found : smallest(directories(view, controller), separate);
}

/// Quota over period; nothing without either.
std::optional<double> cpus(std::string_view quota, std::string_view period) {
  const auto numerator = limit_in(quota);
  const auto denominator = limit_in(period);
  if (!numerator || !denominator || *denominator == 0) return std::nullopt;
  return static_cast<double>(*numerator) / static_cast<double>(*denominator);
}

std::optional<double> unified_cpus(const std::string& group) {
  const std::string text = text_of(group + "/cpu.max");
  const std::size_t space = text.find(' ');
  return space == std::string::npos ? std::nullopt : cpus(text, std::string_view(text).substr(space + 1));
}

std::optional<double> separate_cpus(const std::string& group) {
  return cpus(text_of(group + "/cpu.cfs_quota_us"), text_of(group + "/cpu.cfs_period_us"));
}

/// A number in lines of "name number"; 0 when it is not there.
std::int64_t named(const std::string& text, const std::string& name) {
  const std::string lines = "\n" + text;
  const std::size_t found = lines.find("\n" + name + " ");
  if (found == std::string::npos) return 0;
  return limit_in(std::string_view(lines).substr(found + name.size() + 2)).value_or(0);
}

/// File pages that were not used lately are given back before a process is refused memory.
std::optional<double> room(std::string_view limit, std::string_view used, std::int64_t reclaimable) {
  const auto most = limit_in(limit);
  if (!most) return std::nullopt;
  const std::int64_t kept = std::max<std::int64_t>(0, limit_in(used).value_or(0) - reclaimable);
  return static_cast<double>(std::max<std::int64_t>(0, *most - kept));
}

std::optional<double> unified_room(const std::string& group) {
  return room(text_of(group + "/memory.max"), text_of(group + "/memory.current"),
              named(text_of(group + "/memory.stat"), "inactive_file"));
}

std::optional<double> separate_room(const std::string& group) {
  return room(text_of(group + "/memory.limit_in_bytes"), text_of(group + "/memory.usage_in_bytes"),
              named(text_of(group + "/memory.stat"), "total_inactive_file"));
}

std::optional<double> room_for_threads(const std::string& group) {
  return room(text_of(group + "/pids.max"), text_of(group + "/pids.current"), 0);
}

}  // namespace

CgroupView own_cgroups() { return {"/sys/fs/cgroup", text_of("/proc/self/cgroup")}; }

std::optional<double> cpu_quota(const CgroupView& view) { return in_order(view, "cpu", unified_cpus, separate_cpus); }

std::string throttle_file(const CgroupView& view) {
  std::string file;
  std::optional<double> least;
  const auto look = [&](const std::string& name, const LimitReader& limit) {
    for (const std::string& group : directories(view, name))
      if (const auto here = limit(group); here && (!least || *here < *least)) {
        least = here;
        file = group + "/cpu.stat";
      }
  };
  look("", unified_cpus);
  if (file.empty()) look("cpu", separate_cpus);
  return file;
}

std::optional<std::int64_t> memory_room(const CgroupView& view) {
  const auto bytes = in_order(view, "memory", unified_room, separate_room);
  if (!bytes) return std::nullopt;
  return static_cast<std::int64_t>(*bytes);
}

std::optional<std::int64_t> thread_room(const CgroupView& view) {
  const auto threads = in_order(view, "pids", room_for_threads, room_for_threads);
  if (!threads) return std::nullopt;
  return static_cast<std::int64_t>(*threads);
}

std::optional<std::int64_t> out_of_memory_kills(const CgroupView& view) {
  const auto in_file = [](const std::vector<std::string>& groups, const char* name) -> std::optional<std::int64_t> {
    const std::string text = groups.empty() ? std::string() : text_of(groups.front() + name);
    if (text.find("oom_kill ") == std::string::npos) return std::nullopt;
    return named(text, "oom_kill");
  };
  const auto unified = in_file(directories(view, ""), "/memory.events");
  return unified ? unified : in_file(directories(view, "memory"), "/memory.oom_control");
}

namespace {

std::optional<std::int64_t> machine_kills() {
  constexpr std::string_view label = "\noom_kill ";
  try {
    const std::string text = read_file("/proc/vmstat", std::size_t{1} << 20U);
    const std::size_t found = text.find(label);
    std::int64_t count = 0;
    if (found == std::string::npos) return std::nullopt;
    std::from_chars(text.data() + found + label.size(), text.data() + text.size(), count);
    return count;
  } catch (const PlatformError&) {
    return std::nullopt;
  }
}

bool moved(const std::optional<std::int64_t>& before, const std::optional<std::int64_t>& after) {
  return before && after && *after > *before;
}

}  // namespace

OutOfMemoryKills out_of_memory_kills() { return {out_of_memory_kills(own_cgroups()), machine_kills()}; }

std::string want_of_memory(const OutOfMemoryKills& before, const OutOfMemoryKills& after) {
  if (moved(before.in_group, after.in_group)) return "out of memory: the kernel ended it at its control group's limit";
  if (moved(before.on_machine, after.on_machine))
    return "perhaps out of memory: the kernel ended a process of this machine for that reason meanwhile";
  return {};
}

}  // namespace assay
