// SPDX-License-Identifier: Apache-2.0
// Texts of the kernel: control groups, labelled lines, words in brackets, lists of CPUs.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "fuzz/fuzz.hpp"
#include "fuzz/journals.hpp"
#include "platform/file/machine_files.hpp"
#include "platform/machine/cgroup.hpp"
#include "text/words.hpp"

namespace assay::fuzz {
namespace {

constexpr std::array files{"cpu.max",
                           "memory.max",
                           "memory.current",
                           "memory.stat",
                           "pids.max",
                           "pids.current",
                           "cpu/cpu.cfs_quota_us",
                           "cpu/cpu.cfs_period_us",
                           "pids/pids.max",
                           "memory/memory.limit_in_bytes",
                           "memory/memory.usage_in_bytes"};

/// The first text is the membership, each further one a file, in the order above.
void check_groups(Input input) {
  static const test::Scratch folder;
  CgroupView view{folder.path().string(), std::string(input.until('\0'))};
  // Groups above the mount are no business of this test.
  if (view.membership.find("..") != std::string::npos) return;
  for (const char* name : files) write(folder, name, input.until('\0'));
  if (const auto quota = cpu_quota(view)) promise(std::isfinite(*quota) && *quota >= 0, "a quota is a number of CPUs");
  if (const auto room = memory_room(view)) promise(*room >= 0, "room is not negative");
  if (const auto room = thread_room(view)) promise(*room >= 0, "room is not negative");
}

void check_lines(const std::string& text) {
  for (const char* label : {"Threads", "", "a"}) {
    const std::string value = labelled(text, label);
    promise(text.find(value) != std::string::npos && value.find('\n') == std::string::npos,
            "a value is part of a line");
  }
  promise(text.find(bracketed_word(text)) != std::string::npos, "a word is part of the text");
}

/// Any set of CPUs, back from its ranges.
void check_ranges(std::string_view bytes) {
  std::set<int> cpus;
  for (const char byte : bytes) cpus.insert(static_cast<unsigned char>(byte));
  const std::string text = cpu_ranges({cpus.begin(), cpus.end()});
  std::set<int> back;
  for (std::size_t at = 0; text != "none" && at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string range = text.substr(at, end - at);
    const std::size_t dash = range.find('-');
    for (int cpu = std::stoi(range); cpu <= std::stoi(range.substr(dash == range.npos ? 0 : dash + 1)); ++cpu)
      back.insert(cpu);
    at = end + 1;
  }
  promise(back == cpus, "ranges stand for the same CPUs: " + text);
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  assay::fuzz::check_groups({data, size});
  assay::fuzz::check_lines(std::string(assay::fuzz::text_of(data, size)));
  assay::fuzz::check_ranges(assay::fuzz::text_of(data, size));
  return 0;
}
