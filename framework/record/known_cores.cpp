// SPDX-License-Identifier: Apache-2.0
// Levels from what was recorded of them, which of a member's readings are about the machine, and shares of time and
// distances as clauses.
#include "record/known_cores.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/simulated_core.hpp"
#include "base/value.hpp"
#include "text/number_format.hpp"
#include "text/words.hpp"

namespace assay {

void KnownNodes::add(const CoresRecord& record) {
  // Launches and the session around them have records of their own.
  if (record.cycles_per_step > 0) nodes_[{}] = {{}, record.cycles_per_step, false};
  for (const NodeCores& node : record.nodes)
    if (node.cycles_per_step > 0) nodes_[node.node] = node;
}

CoreLevels KnownNodes::no_levels() const {
  CoreLevels levels;
  for (const auto& [name, node] : nodes_) levels.know(node);
  return levels;
}

CoreLevels KnownNodes::levels_of(const PointRecord& point) const {
  CoreLevels levels = point.simulated ? CoreLevels(simulated_cycles_per_step) : no_levels();
  for (const CoreLevel& level : point.cores) levels.confirm(level);
  for (const NodeClocks& clocks : point.clocks) levels.confirm(clocks);
  for (const PairDistances& pair : point.pairs) levels.confirm(pair);
  return levels;
}

int KnownNodes::cycles_per_step(const std::string& node) const {
  const auto found = nodes_.find(node);
  return found == nodes_.end() ? 0 : found->second.cycles_per_step;
}

std::vector<MemberReadings> readings_of(const Batch& batch, const std::vector<CoreReading>& apart,
                                        std::span<const std::string> nodes) {
  const auto is_single = single_on_node(nodes, batch.members.size());
  std::vector<MemberReadings> all;
  for (std::size_t rank = 0; rank < batch.members.size(); ++rank) {
    const MemberReport& report = batch.members[rank];
    const NodeCpu before = cpu_of(nodes, rank, report.cpu_before);
    const NodeCpu after = cpu_of(nodes, rank, report.cpu_after);
    const bool has_rested = batch.members.size() == apart.size();
    const CoreReading at_rest = has_rested ? apart[rank] : CoreReading{};
    if (has_rested && !is_single[rank])
      all.push_back({before, at_rest, before, at_rest, true, at_rest});
    else
      all.push_back({before, report.core_before, after, report.core_after, false, at_rest});
  }
  return all;
}

Sharing sharing_of(const MemberReadings& member, const CoreLevels& levels) {
  const Sharing before = levels.judge(member.cpu_before, member.before);
  const Sharing after = levels.judge(member.cpu_after, member.after);
  if (before == Sharing::unknown || after == Sharing::unknown) return Sharing::unknown;
  const bool is_usual = before != Sharing::alone || levels.has_usual_call(member.cpu_before, member.at_rest);
  return before == after && is_usual ? before : Sharing::mixed;
}

namespace {

constexpr double noticeable_share = 0.02;  // of the time: less is no news

bool was_shared(const CoresRecord& record) { return record.alone < 1 - noticeable_share; }

// "2.71 GHz", or what it is of the usual one where the cycles of a step are not known.
std::string clock_text(const CoresRecord& record, const NodeClocks& clocks, double step) {
  const auto node = std::ranges::find(record.nodes, clocks.node, &NodeCores::node);
  const int cycles = node != record.nodes.end() ? node->cycles_per_step : record.cycles_per_step;
  if (cycles > 0) return to_text(std::round(100 * cycles / step) / 100) + " GHz";
  return to_text(std::round(100 * (clocks.usual.count / step)) / 100) + " of the usual";
}

// Where cores were at several clocks, which of them values are of.
std::vector<std::string> clock_remarks(const CoresRecord& record, const std::string& kind) {
  std::vector<std::string> remarks;
  for (const NodeClocks& clocks : record.clocks) {
    if (clocks.levels.size() < 2) continue;
    std::size_t all = 0;
    std::size_t usual = 0;
    for (const ClockLevel& level : clocks.levels) {
      all += level.readings;
      usual += level.middle == clocks.usual.count ? level.readings : 0;
    }
    const auto text_of = [&](double step) { return clock_text(record, clocks, step); };
    const auto part = [all](std::size_t readings) {
      return percent(static_cast<double>(readings) / static_cast<double>(all));
    };
    // The usual one is that of the first points to be finished.
    const ClockLevel& fullest = *std::ranges::max_element(clocks.levels, {}, &ClockLevel::readings);
    const std::string most = fullest.middle == clocks.usual.count
                                 ? ""
                                 : ", and " + part(fullest.readings) + " at " + text_of(fullest.middle);
    remarks.push_back((clocks.node.empty() ? "" : clocks.node + ": ") + "the clock of the " + kind +
                      "cores changed between " + text_of(clocks.levels.back().middle) + " and " +
                      text_of(clocks.levels.front().middle) + "; values of cores alone are for " +
                      text_of(clocks.usual.count) + ", which it was at " + part(usual) + " of the time" + most +
                      ", unless stated otherwise; times that follow the clock were converted to it");
  }
  return remarks;
}

}  // namespace

std::optional<double> shared_time(const PointRecord& point, const Result& result) {
  std::int64_t readings = 0;
  std::int64_t alone = 0;
  for (const CoreLevel& core : point.cores) {
    if (core.because == AloneBecause::nothing) return std::nullopt;
    readings += core.readings;
    alone += core.readings_alone;
  }
  if (result.state.sharing != Sharing::unknown || readings == 0) return std::nullopt;
  return 1 - static_cast<double>(alone) / static_cast<double>(readings);
}

std::string found_text(const PointRecord& point, const Result& result) {
  const double shared = shared_time(point, result).value_or(0);
  return shared > hardly_shared ? "as found, others on the cores for " + percent(shared) + " of the time" : "";
}

std::vector<std::string> core_remarks(const CoresRecord& record, bool is_known, const std::string& kind) {
  std::vector<std::string> remarks;
  const auto is_proved = [](const CoreLevel& level) { return level.because != AloneBecause::nothing; };
  if (!record.levels.empty() && std::ranges::none_of(record.levels, is_proved))
    remarks.push_back("no " + kind +
                      "core was proved to be alone: values are as found, with whatever else ran on the cores");
  std::ranges::move(clock_remarks(record, kind), std::back_inserter(remarks));
  if (!is_known || !was_shared(record)) return remarks;
  std::string text = "the " + kind + "cores were shared with other work " + percent(1 - record.alone) +
                     " of the time; values are for a core alone unless stated otherwise";
  if (record.distances.size() > 1) {
    std::vector<std::string> words;
    for (const double distance : record.distances) words.push_back(to_text(distance));
    text += "; " + std::to_string(record.distances.size()) + " distances, " + joined(words, ", ") + " ns";
  }
  remarks.push_back(std::move(text));
  return remarks;
}

std::vector<std::string> core_account(const CoresRecord& record) {
  const bool is_known = record.alone + record.shared > 0;
  std::vector<std::string> words = core_remarks(record, is_known, {});
  if (is_known && !was_shared(record))
    words.push_back("the cores were alone " + percent(record.alone) + " of the time");
  if (record.waited >= noticeable_share)
    words.push_back(percent(record.waited) +
                    " of the session was spent in probes of the cores and in waiting after them");
  return words;
}

}  // namespace assay
