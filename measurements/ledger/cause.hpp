// SPDX-License-Identifier: Apache-2.0
// What takes a CPU from the thread that runs on it, and what it took.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace assay {

/// Who had the CPU instead.
enum class Cause : unsigned char {
  interrupt,
  softirq,
  kernel_thread,
  user_thread,
  quota,     ///< of a control group: the thread could have gone on, and was not allowed to
  elsewhere  ///< nothing that the kernel knows of: a hypervisor, or hardware
};
inline constexpr std::size_t cause_count = 6;

/// "interrupt", "softirq", "kernel thread", "user thread", "quota", "elsewhere".
inline const char* word_of(Cause cause) {
  constexpr std::array<const char*, cause_count> words{"interrupt",   "softirq", "kernel thread",
                                                       "user thread", "quota",   "elsewhere"};
  return words[static_cast<std::size_t>(cause)];
}

/// Lost time by cause and name, in ns.
class Ledger {
 public:
  struct Entry {
    std::int64_t count = 0;
    double lost = 0;
  };
  using Key = std::pair<Cause, std::string>;

  void add(Cause cause, const std::string& name, double lost, std::int64_t count = 1) {
    Entry& entry = entries_[{cause, name}];
    entry.lost += lost;
    entry.count += count;
  }
  const std::map<Key, Entry>& entries() const { return entries_; }
  double lost(Cause cause) const {
    double sum = 0;
    for (const auto& [key, entry] : entries_) sum += key.first == cause ? entry.lost : 0;
    return sum;
  }
  double lost() const {
    double sum = 0;
    for (const auto& [key, entry] : entries_) sum += entry.lost;
    return sum;
  }

 private:
  std::map<Key, Entry> entries_;
};

}  // namespace assay
