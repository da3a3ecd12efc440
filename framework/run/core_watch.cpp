// SPDX-License-Identifier: Apache-2.0
// Readings of visits, summed up.
#include "run/core_watch.hpp"

#include <algorithm>

#include "base/value.hpp"
#include "base/words.hpp"
#include "stats/core_state.hpp"
#include "stats/phrase.hpp"

namespace assay {
namespace {

constexpr double memory = 0.02;            // weight of the latest reading
constexpr double rare_distance = 0.05;     // of the visits
constexpr double noticeable_share = 0.02;  // of the time: less is no news

int cpu_at(const std::vector<int>& cpus, std::size_t rank) { return rank < cpus.size() ? cpus[rank] : -1; }

}  // namespace

CoreWatch::CoreWatch(int cycles_per_step, bool one_thread, const std::optional<CoresRecord>& earlier)
    : levels_(cycles_per_step, one_thread), simulated_(cycles_per_step) {
  if (!earlier) return;
  for (const CoreLevel& level : earlier->levels) levels_.confirm(level);
}

void CoreWatch::learn(const VisitYield& yield, const std::vector<int>& cpus, bool simulated) {
  CoreLevels& levels = simulated ? simulated_ : levels_;
  for (std::size_t rank = 0; rank < yield.apart.size(); ++rank) levels.add(cpu_at(cpus, rank), yield.apart[rank]);
  for (const Batch& batch : yield.batches) {
    // Members in other processes are not asked one after the other: they hardly ever share a core.
    if (batch.members.size() == 1 || yield.apart.empty())
      for (const MemberReport& report : batch.members) {
        levels.add(report.cpu_before, report.core_before);
        levels.add(report.cpu_after, report.core_after);
      }
    tally(batch, yield.apart, simulated);
  }
}

void CoreWatch::note(bool alone) { alone_lately_ += memory * ((alone ? 1.0 : 0.0) - alone_lately_); }

// Members at work on one core look shared to each other, which is no news of the machine: then what was read while the
// others rested speaks for the visit.
CoreWatch::Told CoreWatch::told_by(const Batch& batch, const std::vector<CoreReading>& apart,
                                   const CoreLevels& levels) {
  Told told;
  const auto count = [&](int cpu, const CoreReading& reading) {
    const Sharing sharing = levels.judge(cpu, reading);
    if (sharing == Sharing::unknown) return;
    ++told.readings;
    told.alone += sharing == Sharing::alone ? 1 : 0;
    told.shared += sharing == Sharing::shared ? 1 : 0;
  };
  const bool by_apart = batch.members.size() > 1 && batch.members.size() == apart.size();
  for (std::size_t rank = 0; rank < batch.members.size(); ++rank) {
    const MemberReport& report = batch.members[rank];
    count(report.cpu_before, by_apart ? apart[rank] : report.core_before);
    if (!by_apart) count(report.cpu_after, report.core_after);
  }
  return told;
}

void CoreWatch::tally(const Batch& batch, const std::vector<CoreReading>& apart, bool simulated) {
  const Told told = told_by(batch, apart, levels(simulated));
  if (told.readings == 0) return;
  const double length = slowest_wall(batch).count;
  told_ += length;
  alone_ += told.alone == told.readings ? length : 0;
  shared_ += told.shared == told.readings ? length : 0;
  if (batch.members.size() == 1 || !apart.empty()) note(told.alone == told.readings);
}

bool CoreWatch::is_worth(const std::vector<CoreReading>& apart, const std::vector<int>& cpus, WantedState wanted,
                         bool simulated) {
  CoreLevels& levels = simulated ? simulated_ : levels_;
  bool is_wanted = true;
  for (std::size_t rank = 0; rank < apart.size(); ++rank) {
    levels.add(cpu_at(cpus, rank), apart[rank]);
    const Sharing sharing = levels.judge(cpu_at(cpus, rank), apart[rank]);
    if (sharing == Sharing::unknown) continue;
    note(sharing == Sharing::alone);
    is_wanted = is_wanted && (sharing == Sharing::shared) == (wanted == WantedState::shared);
  }
  return is_wanted;
}

std::vector<double> CoreWatch::common_distances() const {
  std::vector<double> levels = distance_levels(distances_);
  // One visit that was interrupted is no distance of the machine.
  std::erase_if(levels, [&](double level) {
    const auto visits = std::ranges::count_if(distances_, [&](double d) { return nearest_level(levels, d) == level; });
    return static_cast<double>(visits) < rare_distance * static_cast<double>(distances_.size());
  });
  return levels;
}

CoresRecord CoreWatch::record(int session, Nanoseconds elapsed) const {
  CoresRecord record{session, levels_.cycles_per_step(), levels_.levels(), 0, 0, common_distances(), 0};
  if (told_ > 0) {
    record.alone = alone_ / told_;
    record.shared = shared_ / told_;
  }
  if (elapsed > Nanoseconds{}) record.waited = std::min(1.0, waited_ / elapsed);
  return record;
}

std::vector<std::string> CoreWatch::remarks() const {
  std::vector<std::string> texts;
  const auto levels = levels_.levels();
  const auto is_proved = [](const CoreLevel& level) { return level.because != AloneBecause::nothing; };
  if (!levels.empty() && std::ranges::none_of(levels, is_proved))
    texts.emplace_back(
        "no core was seen to be alone for sure: values are as found, whatever worked beside them (G-CORE)");
  if (told_ > 0 && alone_ < (1 - noticeable_share) * told_) {
    std::string text = "the cores were shared by others " + percent(1 - alone_ / told_) +
                       " of the time; values are for a core alone unless they say otherwise";
    const auto distances = common_distances();
    if (distances.size() > 1) {
      std::vector<std::string> words;
      for (const double distance : distances) words.push_back(to_text(distance));
      text += "; " + std::to_string(distances.size()) + " distances, " + joined(words, ", ") + " ns";
    }
    texts.push_back(text + " (G-CORE)");
  }
  return texts;
}

}  // namespace assay
