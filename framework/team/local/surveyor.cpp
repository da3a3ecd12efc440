// SPDX-License-Identifier: Apache-2.0
// Rounds over pairs of CPUs, and the threads that read their cores by them.
#include "team/local/surveyor.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <exception>
#include <map>
#include <system_error>
#include <thread>

#include "api/keep.hpp"
#include "platform/clock/system_clock.hpp"
#include "platform/clock/yardstick.hpp"
#include "platform/thread/guard.hpp"
#include "team/local/mailbox.hpp"

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

namespace {

constexpr Nanoseconds starting = milliseconds(20);  // so that all threads are there when the first turn begins
constexpr Nanoseconds settling = microseconds(50);  // after sleep the first readings are affected by the wake-up
constexpr Nanoseconds apart = microseconds(25);     // readings that are kept
constexpr std::uint32_t approach = 20;              // round trips until both are there
constexpr std::uint32_t passes = 200;               // that are timed

/// Where one side leaves its word for the other, for one turn of theirs.
struct FlagLines {
  ReferenceLine there;
  ReferenceLine back;
};

/// One side of `trips` round trips; false where they were not all made by the deadline, which both sides keep.
bool pass_flags(FlagLines& lines, bool is_first, std::uint32_t trips, Instant deadline) {
  constexpr int polls = 64;  // between two looks at the clock: more than a round trip takes
  const MonotonicAlarm clock;
  const auto await = [&](const ReferenceLine& line, std::uint32_t turn) {
    for (;;) {
      for (int i = 0; i < polls; ++i) {
        if (line.turn.load(std::memory_order_acquire) >= turn) return true;
        relax();
      }
      if (clock.now() >= deadline) return false;
    }
  };
  ReferenceLine& own = is_first ? lines.there : lines.back;
  const ReferenceLine& other = is_first ? lines.back : lines.there;
  for (std::uint32_t trip = 0; trip < trips; ++trip) {
    const std::uint32_t turn = own.turn.load(std::memory_order_relaxed) + 1;
    if (!is_first && !await(other, turn)) return false;
    own.turn.store(turn, std::memory_order_release);
    if (is_first && !await(other, turn)) return false;
  }
  return true;
}

/// What all threads share; the flags of each turn are made before the first.
struct Survey {
  std::vector<SurveyTurn> turns;
  std::map<std::size_t, FlagLines> flags;  ///< by turn, where they are passed
  Instant begin{};
};

/// One thread's part.
class Surveyor {
 public:
  Surveyor(Survey& survey, int cpu) : survey_(survey), cpu_(cpu) {
    std::size_t mine = 0;
    for (const SurveyTurn& turn : survey.turns) mine += takes_part(turn) ? 1 : 0;
    turns_.reserve(mine);
  }

  /// Never throws: what it meets is the reason why this CPU was not asked.
  void work() noexcept {
    try {
      if (binding_of_self() != std::vector{cpu_}) bind_self({cpu_});
      for (std::size_t i = 0; i < survey_.turns.size(); ++i)
        if (takes_part(survey_.turns[i])) take(survey_.turns[i], i);
    } catch (const std::exception& error) {
      problem_ = error.what();
    }
  }

  void hand_over(SurveyYield& yield) && {
    if (!problem_.empty()) yield.refused.emplace_back(cpu_, problem_);
    for (CoreTurn& turn : turns_) yield.turns.push_back(std::move(turn));
    yield.trips.insert(yield.trips.end(), trips_.begin(), trips_.end());
  }

 private:
  bool takes_part(const SurveyTurn& turn) const { return turn.a == cpu_ || turn.b == cpu_; }
  Nanoseconds now() const { return clock_.now() - survey_.begin; }

  void take(const SurveyTurn& turn, std::size_t number) {
    if (const Nanoseconds at = now(); at < turn.from) {
      clock_.sleep_until(survey_.begin + turn.from);
      settled_ = now() + settling;
    }
    if (turn.passes_flags)
      pass(turn, survey_.flags.at(number));
    else
      read(turn, number);
  }

  void read(const SurveyTurn& turn, std::size_t number) {
    CoreTurn taken{cpu_, turn.a == cpu_ ? turn.b : turn.a, number, {}};
    taken.readings.reserve(static_cast<std::size_t>((turn.until - turn.from) / apart) + 1);
    Nanoseconds due = std::max(turn.from, settled_);
    for (Nanoseconds at = now(); at < turn.until; at = now()) {
      // Works all the time, so that a partner meets it at work; few of the readings need to be kept.
      const CoreReading core = read_core();
      if (at < due) continue;
      taken.readings.push_back({at, core});
      due = at + apart;
    }
    turns_.push_back(std::move(taken));
  }

  // The first of the two waits for the other, up to the turn's end.
  void pass(const SurveyTurn& turn, FlagLines& lines) {
    const bool is_first = turn.a == cpu_;
    const Instant deadline = survey_.begin + turn.until;
    if (!pass_flags(lines, is_first, approach, deadline)) return;
    const Instant from = clock_.now();
    if (pass_flags(lines, is_first, passes, deadline) && is_first)
      trips_.push_back({turn.a, turn.b, (clock_.now() - from) / passes});
  }

  Survey& survey_;
  int cpu_;
  MonotonicAlarm clock_;
  Nanoseconds settled_{};
  std::vector<CoreTurn> turns_;
  std::vector<FlagTrip> trips_;
  std::string problem_;
};

}  // namespace

SurveyYield survey_cores(const std::vector<int>& cpus, Nanoseconds time) {
  Survey survey;
  survey.turns = survey_timetable(cpus, time);
  for (std::size_t i = 0; i < survey.turns.size(); ++i)
    if (survey.turns[i].passes_flags) survey.flags.try_emplace(i);
  std::deque<Surveyor> surveyors;
  for (const int cpu : cpus) surveyors.emplace_back(survey, cpu);
  survey.begin = MonotonicAlarm().now() + starting;
  std::vector<std::thread> threads;
  SurveyYield yield;
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    try {
      threads.emplace_back(&Surveyor::work, &surveyors[i]);
    } catch (const std::system_error& error) {
      yield.refused.emplace_back(cpus[i], std::string("no thread for it: ") + error.what());
    }
  }
  for (std::thread& thread : threads) thread.join();
  for (Surveyor& surveyor : surveyors) std::move(surveyor).hand_over(yield);
  return yield;
}

}  // namespace assay
