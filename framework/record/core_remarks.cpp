// SPDX-License-Identifier: Apache-2.0
// Shares of time and distances as clauses.
#include "record/core_remarks.hpp"

#include <algorithm>

#include "base/value.hpp"
#include "text/number_format.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

constexpr double noticeable_share = 0.02;  // of the time: less is no news

bool was_shared(const CoresRecord& record) { return record.alone < 1 - noticeable_share; }

}  // namespace

std::vector<std::string> core_remarks(const CoresRecord& record, bool is_known, const std::string& kind) {
  std::vector<std::string> remarks;
  const auto is_proved = [](const CoreLevel& level) { return level.because != AloneBecause::nothing; };
  if (!record.levels.empty() && std::ranges::none_of(record.levels, is_proved))
    remarks.push_back("no " + kind +
                      "core was proved to be alone: values are as found, with whatever else ran on the cores");
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
