// SPDX-License-Identifier: Apache-2.0
// Reading the kernel's counters cheaply, and what two readings say about the time between them.
#include "platform/machine/system_counters.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <sstream>

#include "text/words.hpp"

namespace assay {
namespace {

constexpr double ticks_per_second = 100;  // USER_HZ, which procfs counts in on every architecture of Linux

std::optional<std::int64_t> count_in(std::string_view text) {
  std::int64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  return parsed.ec == std::errc() ? std::optional(number) : std::nullopt;
}

/// The words of the line that begins with `word`; empty when there is none.
std::vector<std::string_view> line_of(std::string_view text, const std::string& word) {
  std::vector<std::string_view> words;
  std::size_t at = text.starts_with(word + " ") ? 0 : text.find("\n" + word + " ");
  if (at == std::string_view::npos) return words;
  at += text[at] == '\n';
  const std::string_view line = text.substr(at, text.find('\n', at) - at);
  for (std::size_t from = 0; from < line.size();) {
    const std::size_t begin = line.find_first_not_of(' ', from);
    if (begin == std::string_view::npos) break;
    from = std::min(line.find(' ', begin), line.size());
    words.push_back(line.substr(begin, from - begin));
  }
  return words;
}

/// The sum over the CPUs' lines of `columns`, counted from 1 behind the CPU's name.
std::optional<std::int64_t> sum_of(std::string_view text, const std::vector<int>& cpus,
                                   const std::vector<std::size_t>& columns) {
  std::int64_t sum = 0;
  for (const int cpu : cpus) {
    const auto words = line_of(text, "cpu" + std::to_string(cpu));
    for (const std::size_t column : columns) {
      const auto number = column < words.size() ? count_in(words[column]) : std::nullopt;
      if (!number) return std::nullopt;
      sum += *number;
    }
  }
  return sum;
}

std::int64_t clock_reading(clockid_t clock) noexcept {
  timespec now{};
  ::clock_gettime(clock, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

int opened(const std::string& path) { return path.empty() ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC); }

constexpr std::size_t most_text = std::size_t{1} << 16;

std::int64_t gain(const std::optional<std::int64_t>& before, const std::optional<std::int64_t>& after) {
  return before && after ? std::max<std::int64_t>(0, *after - *before) : 0;
}

std::optional<std::int64_t> throttled_periods(std::string_view text) {
  const auto words = line_of(text, "nr_throttled");
  return words.size() < 2 ? std::nullopt : count_in(words[1]);
}

}  // namespace

std::optional<std::int64_t> stolen_ticks(std::string_view stat, const std::vector<int>& cpus) {
  return sum_of(stat, cpus, {8});
}

std::optional<std::int64_t> busy_ticks(std::string_view stat, const std::vector<int>& cpus) {
  return sum_of(stat, cpus, {1, 2, 3, 6, 7, 8});
}

std::optional<double> runnable_per_cpu(std::string_view stat, const std::vector<int>& cpus) {
  const auto words = line_of(stat, "procs_running");
  const auto threads = words.size() < 2 ? std::nullopt : count_in(words[1]);
  std::size_t all = 0;
  for (std::size_t at = stat.find("\ncpu"); at != std::string_view::npos; at = stat.find("\ncpu", at + 1)) ++all;
  if (!threads || all == 0 || all > cpus.size()) return std::nullopt;
  return static_cast<double>(*threads) / static_cast<double>(all);
}

std::optional<std::int64_t> run_queue_wait(std::string_view schedstat, const std::vector<int>& cpus) {
  return sum_of(schedstat, cpus, {8});
}

std::map<int, std::int64_t> interrupts_by_cpu(std::string_view interrupts) {
  std::istringstream lines{std::string(interrupts)};
  std::string line;
  std::getline(lines, line);
  std::vector<int> cpus;
  std::istringstream heads(line);
  for (std::string head; heads >> head;)
    if (const auto cpu = head.starts_with("CPU") ? count_in(std::string_view(head).substr(3)) : std::nullopt)
      cpus.push_back(static_cast<int>(*cpu));
  std::map<int, std::int64_t> counts;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    for (const int cpu : cpus)
      if (words >> word) counts[cpu] += count_in(word).value_or(0);
  }
  return counts;
}

double share_of_ticks(std::int64_t ticks, double ns, std::size_t cpus) {
  if (!(ns > 0) || cpus == 0) return 0;
  return static_cast<double>(ticks) / ticks_per_second / (ns * 1e-9 * static_cast<double>(cpus));
}

Disturbances Interference::marks() const {
  Disturbances marks;
  marks.set(static_cast<std::size_t>(Disturbance::stolen), stolen > spoiling_steal);
  marks.set(static_cast<std::size_t>(Disturbance::throttled), throttled > 0 || heated > 0);
  marks.set(static_cast<std::size_t>(Disturbance::asleep), asleep > milliseconds(1));
  return marks;
}

Interference between(const SystemReading& before, const SystemReading& after, std::size_t cpus) {
  Interference found;
  const double ns = (after.at - before.at).count;
  found.cpus = cpus;
  found.time = Nanoseconds{ns};
  const std::int64_t ticks = gain(before.stolen, after.stolen);
  // Each CPU's counter may show at the first reading's end what was stolen before it.
  const auto sure = std::max<std::int64_t>(0, ticks - static_cast<std::int64_t>(cpus));
  found.stolen = share_of_ticks(sure, ns, cpus);
  found.told_stolen = share_of_ticks(ticks, ns, cpus);
  found.throttled = gain(before.throttled, after.throttled);
  found.heated = gain(before.heated, after.heated);
  if (ns > 0 && cpus > 0)
    found.waited = static_cast<double>(gain(before.waited, after.waited)) / (ns * static_cast<double>(cpus));
  found.asleep = std::max(Nanoseconds{}, after.asleep - before.asleep);
  return found;
}

SystemCounters::SystemCounters(std::vector<int> cpus, const CgroupView& cgroups, const std::string& root)
    : buffer_(std::make_unique_for_overwrite<char[]>(most_text)),
      all_(std::move(cpus)),
      stat_(opened(root + "/proc/stat")),
      schedstat_(opened(root + "/proc/schedstat")),
      group_(opened(throttle_file(cgroups))),
      clock_source_(opened(root + "/sys/devices/system/clocksource/clocksource0/current_clocksource")) {
  for (const int cpu : all_)
    if (const int file = opened(root + "/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                                "/thermal_throttle/core_throttle_count");
        file >= 0)
      heat_.emplace(cpu, file);
}

SystemCounters::~SystemCounters() {
  for (const int file : {stat_, schedstat_, group_, clock_source_})
    if (file >= 0) ::close(file);
  for (const auto& [cpu, file] : heat_) ::close(file);
}

/// From its beginning, at most 64 KiB; until the next call.
std::string_view SystemCounters::text_of(int descriptor) const {
  const auto got = descriptor < 0 ? -1 : ::pread(descriptor, buffer_.get(), most_text, 0);
  return {buffer_.get(), got < 0 ? 0 : static_cast<std::size_t>(got)};
}

SystemReading SystemCounters::read(const std::vector<int>& wanted) const {
  const std::vector<int>& cpus = wanted.empty() ? all_ : wanted;
  SystemReading reading;
  const std::int64_t monotonic = clock_reading(CLOCK_MONOTONIC);
  reading.at = Nanoseconds{static_cast<double>(monotonic)};
  reading.asleep = Nanoseconds{static_cast<double>(clock_reading(CLOCK_BOOTTIME) - monotonic)};
  const std::string_view stat = text_of(stat_);
  reading.stolen = stolen_ticks(stat, cpus);
  if (const auto runnable = runnable_per_cpu(stat, all_))
    reading.at_work = std::max(0.0, *runnable - 1 / static_cast<double>(all_.size()));
  if (group_ >= 0) reading.throttled = throttled_periods(text_of(group_));
  if (schedstat_ >= 0) reading.waited = run_queue_wait(text_of(schedstat_), cpus);
  for (const int cpu : cpus)
    if (const auto file = heat_.find(cpu); file != heat_.end())
      reading.heated = reading.heated.value_or(0) + count_in(text_of(file->second)).value_or(0);
  reading.clock_source = trimmed(text_of(clock_source_), "\n");
  return reading;
}

}  // namespace assay
