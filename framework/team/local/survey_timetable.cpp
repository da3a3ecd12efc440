// SPDX-License-Identifier: Apache-2.0
// Rounds over pairs of CPUs.
#include "team/local/survey_timetable.hpp"

#include <algorithm>
#include <array>

namespace assay {
namespace {

// No divisor of a tick of the kernel's, so that none falls into the same turn of every pair.
constexpr Nanoseconds turn_length = microseconds(530);

enum class Who { a, b, both, flags };
// Each change of who works is one step, so that each turn of both has one of each alone beside it.
constexpr std::array visit{Who::a, Who::both, Who::b, Who::both, Who::a, Who::both, Who::b, Who::flags};

class Writer {
 public:
  explicit Writer(Nanoseconds end) : end_(end) {}
  bool has_room(std::size_t turns) const { return at_ + static_cast<double>(turns) * turn_length <= end_; }
  void add(int a, int b, bool passes_flags) {
    turns_.push_back({at_, at_ + turn_length, a, b, passes_flags});
    at_ += turn_length;
  }
  void add_pair(int a, int b) {
    for (const Who who : visit) {
      const bool is_of_both = who == Who::both || who == Who::flags;
      add(who == Who::b ? b : a, is_of_both ? b : -1, who == Who::flags);
    }
  }
  std::vector<SurveyTurn> take() { return std::move(turns_); }

 private:
  Nanoseconds end_;
  Nanoseconds at_{};
  std::vector<SurveyTurn> turns_;
};

}  // namespace

std::vector<int> surveyed_cpus(const std::vector<int>& cpus) {
  std::vector<int> chosen;
  if (cpus.size() <= most_surveyed) {
    chosen = cpus;
  } else {
    constexpr std::size_t couples = most_surveyed / 2;
    const std::size_t all = cpus.size() / 2;
    for (std::size_t i = 0; i < couples; ++i) {
      const std::size_t couple = i * all / couples;
      chosen.insert(chosen.end(), {cpus[2 * couple], cpus[2 * couple + 1]});
    }
  }
  std::ranges::sort(chosen);
  return chosen;
}

std::vector<SurveyTurn> survey_timetable(const std::vector<int>& cpus, Nanoseconds time) {
  Writer turns(time);
  if (cpus.size() == 1)
    while (turns.has_room(1)) turns.add(cpus.front(), -1, false);
  while (cpus.size() > 1)
    for (std::size_t i = 0; i < cpus.size(); ++i)
      for (std::size_t j = i + 1; j < cpus.size(); ++j) {
        if (!turns.has_room(visit.size())) return turns.take();
        turns.add_pair(cpus[i], cpus[j]);
      }
  return turns.take();
}

}  // namespace assay
