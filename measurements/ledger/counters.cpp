// SPDX-License-Identifier: Apache-2.0
// Counters of /proc and of control groups.
#include "ledger/counters.hpp"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>

namespace assay {
namespace {

std::string contents_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return file ? text.str() : std::string();
}

std::vector<std::string_view> words_in(std::string_view line) {
  std::vector<std::string_view> words;
  constexpr std::string_view space = " \t";
  for (auto at = line.find_first_not_of(space); at < line.size(); at = line.find_first_not_of(space, at)) {
    const auto end = std::min(line.find_first_of(space, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return lines;
}

std::int64_t integer(std::string_view word) {
  std::int64_t number = 0;
  for (const char digit : word) {
    if (digit < '0' || digit > '9') return 0;
    number = number * 10 + (digit - '0');
  }
  return number;
}

bool is_number(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

/// The names in a folder that are numbers.
std::vector<std::string> numbers_in(const std::string& folder) {
  std::vector<std::string> names;
  const auto close = [](DIR* open) { ::closedir(open); };
  const std::unique_ptr<DIR, decltype(close)> open(::opendir(folder.c_str()), close);
  if (open == nullptr) return names;
  while (const dirent* entry = ::readdir(open.get()))
    if (is_number(entry->d_name)) names.emplace_back(entry->d_name);
  return names;
}

/// Where the file system of control groups that counts quotas is mounted, and the own group in it.
struct GroupPlace {
  std::string mount;
  std::string group;
};

std::vector<GroupPlace> group_places() {
  std::vector<GroupPlace> places;
  const std::string mounts = contents_of("/proc/self/mounts");
  const std::string groups = contents_of("/proc/self/cgroup");
  const auto has_word = [](std::string_view list, std::string_view word) {
    return ("," + std::string(list) + ",").find("," + std::string(word) + ",") != std::string::npos;
  };
  for (const std::string_view line : lines_in(mounts)) {
    const auto words = words_in(line);
    if (words.size() < 4 || !words[2].starts_with("cgroup")) continue;
    const bool is_unified = words[2] == "cgroup2";
    if (!is_unified && !has_word(words[3], "cpu")) continue;
    for (const std::string_view group : lines_in(groups)) {
      const auto first = group.find(':'), second = group.find(':', first + 1);
      if (second == std::string_view::npos) continue;
      const std::string_view controllers = group.substr(first + 1, second - first - 1);
      if (is_unified ? controllers.empty() : has_word(controllers, "cpu"))
        places.push_back({std::string(words[1]), std::string(group.substr(second + 1))});
    }
  }
  return places;
}

}  // namespace

std::map<std::string, std::int64_t> counts_in_column(std::string_view table, int cpu) {
  std::map<std::string, std::int64_t> counts;
  const auto lines = lines_in(table);
  if (lines.empty()) return counts;
  const auto heads = words_in(lines.front());
  const auto column = std::ranges::find(heads, "CPU" + std::to_string(cpu)) - heads.begin();
  if (static_cast<std::size_t>(column) == heads.size()) return counts;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto words = words_in(lines[i]);
    if (words.size() < heads.size() + 1) continue;
    const std::string_view count = words[static_cast<std::size_t>(column) + 1];
    if (!is_number(count)) continue;
    std::string name(words.front().substr(0, words.front().find(':')));
    // Of a device's row the last word is its name; the others describe its interrupt controller.
    const bool is_device = is_number(name);
    for (std::size_t word = is_device ? words.size() - 1 : heads.size() + 1; word < words.size(); ++word)
      if (word > heads.size()) name += " " + std::string(words[word]);
    counts[name] += integer(count);
  }
  return counts;
}

std::int64_t value_of_key(std::string_view text, std::string_view key) {
  for (const std::string_view line : lines_in(text)) {
    const auto words = words_in(line);
    if (words.size() == 2 && words[0] == key) return integer(words[1]);
  }
  return 0;
}

QuotaCount::QuotaCount() {
  for (const GroupPlace& place : group_places()) {
    std::string group = place.group == "/" ? "" : place.group;
    for (;;) {
      const std::string file = place.mount + group + "/cpu.stat";
      if (::access(file.c_str(), R_OK) == 0) files_.push_back(file);
      if (group.empty()) break;
      group.resize(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
    }
  }
}

double QuotaCount::read() const {
  double throttled = 0;
  for (const std::string& file : files_) {
    const std::string text = contents_of(file);
    throttled += 1000 * static_cast<double>(value_of_key(text, "throttled_usec"));
    throttled += static_cast<double>(value_of_key(text, "throttled_time"));
  }
  return throttled;
}

CpuCounters::Reading CpuCounters::read() const {
  Reading reading;
  reading.interrupts = counts_in_column(contents_of("/proc/interrupts"), cpu_);
  const std::string times = contents_of("/proc/thread-self/schedstat");
  if (const auto words = words_in(times); words.size() >= 2) reading.waited = static_cast<double>(integer(words[1]));
  reading.throttled = quota_.read();
  const std::string machine = contents_of("/proc/stat");
  constexpr std::size_t steal = 8;
  for (const std::string_view line : lines_in(machine))
    if (const auto words = words_in(line); words.size() > steal && words[0] == "cpu" + std::to_string(cpu_))
      reading.stolen = static_cast<double>(integer(words[steal])) * 1e9 / static_cast<double>(::sysconf(_SC_CLK_TCK));
  return reading;
}

/// By folder in /proc.
std::map<std::string, double> CpuCounters::times_of_threads() const {
  std::map<std::string, double> times;
  for (const std::string& process : numbers_in("/proc"))
    for (const std::string& thread : numbers_in("/proc/" + process + "/task")) {
      const std::string folder = "/proc/" + process + "/task/" + thread;
      const std::string text = contents_of(folder + "/schedstat");
      if (const auto words = words_in(text); !words.empty()) times[folder] = static_cast<double>(integer(words[0]));
    }
  return times;
}

void CpuCounters::start() {
  threads_before_ = times_of_threads();
  before_ = read();
}

CpuCounts CpuCounters::stop_quickly() const {
  const Reading after = read();
  CpuCounts counts;
  for (const auto& [name, count] : after.interrupts) {
    const auto found = before_.interrupts.find(name);
    const std::int64_t more = count - (found == before_.interrupts.end() ? 0 : found->second);
    if (more > 0) counts.interrupts[name] = more;
  }
  counts.waited = after.waited - before_.waited;
  counts.throttled = after.throttled - before_.throttled;
  counts.stolen = after.stolen - before_.stolen;
  return counts;
}

CpuCounts CpuCounters::stop() const {
  CpuCounts counts = stop_quickly();
  const std::string own = std::to_string(::gettid());
  for (const auto& [folder, time] : times_of_threads()) {
    const auto found = threads_before_.find(folder);
    const double ran = time - (found == threads_before_.end() ? 0 : found->second);
    if (ran <= 0 || folder.ends_with("/" + own)) continue;
    const std::string text = contents_of(folder + "/stat");
    const auto open = text.find('('), close = text.rfind(')');
    if (open == std::string::npos || close == std::string::npos || close < open) continue;
    const auto words = words_in(std::string_view(text).substr(close + 1));
    constexpr std::size_t flags = 6, processor = 36;
    constexpr std::int64_t kernel = 0x00200000;  // PF_KTHREAD
    if (words.size() <= processor || integer(words[processor]) != cpu_) continue;
    const bool is_kernel = (integer(words[flags]) & kernel) != 0;
    const std::string name = text.substr(open + 1, close - open - 1);
    counts.threads.push_back({name, is_kernel, ran});
  }
  return counts;
}

Ledger attribute_by_counts(double lost, const CpuCounts& counts) {
  Ledger ledger;
  const double absent = std::clamp(counts.waited, 0.0, lost);
  const double quota = std::clamp(counts.throttled, 0.0, absent);
  if (quota > 0) ledger.add(Cause::quota, "control group", quota);
  double ran = 0;
  for (const ThreadTime& thread : counts.threads) ran += thread.ran;
  const double by_threads = absent - quota;
  for (const ThreadTime& thread : counts.threads)
    ledger.add(thread.is_kernel ? Cause::kernel_thread : Cause::user_thread, thread.name,
               by_threads * thread.ran / ran);
  if (ran <= 0 && by_threads > 0) ledger.add(Cause::user_thread, "ended meanwhile", by_threads);
  const double rest = lost - absent;
  const double stolen = std::clamp(counts.stolen, 0.0, rest);
  double interrupts = 0;
  for (const auto& [name, count] : counts.interrupts) interrupts += static_cast<double>(count);
  const double elsewhere = interrupts > 0 ? stolen : rest;
  if (elsewhere > 0) ledger.add(Cause::elsewhere, "hypervisor or hardware", elsewhere);
  for (const auto& [name, count] : counts.interrupts)
    ledger.add(Cause::interrupt, name, (rest - elsewhere) * static_cast<double>(count) / interrupts, count);
  return ledger;
}

}  // namespace assay
