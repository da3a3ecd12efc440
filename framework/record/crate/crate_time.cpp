// SPDX-License-Identifier: Apache-2.0
// Ends of sessions from their begins.
#include "record/crate/crate_time.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "record/utc_time.hpp"

namespace assay {
namespace {

constexpr double nanoseconds_per_second = 1e9;

std::string padded(long number, std::size_t digits) {
  const std::string text = std::to_string(number);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

}  // namespace

std::vector<CrateSession> crate_sessions(const std::vector<Record>& records) {
  std::vector<CrateSession> sessions;
  for (const Record& record : records) {
    if (const auto* session = std::get_if<SessionRecord>(&record)) sessions.push_back({session, nullptr, {}});
    if (sessions.empty()) continue;
    CrateSession& last = sessions.back();
    if (const auto* visit = std::get_if<VisitRecord>(&record))
      last.took.count = std::max(last.took.count, visit->at.count + visit->took.count);
    if (const auto* end = std::get_if<EndRecord>(&record)) {
      last.end = end;
      last.took = end->took;
    }
  }
  return sessions;
}

std::optional<std::string> time_after(const std::string& utc, Nanoseconds passed) {
  using std::chrono::days, std::chrono::seconds, std::chrono::sys_seconds;
  const auto begun = seconds_of_utc(utc);
  if (!begun) return std::nullopt;
  const sys_seconds then(
      seconds(*begun + static_cast<std::int64_t>(static_cast<double>(passed.count) / nanoseconds_per_second)));
  const auto day = std::chrono::floor<days>(then);
  const std::chrono::year_month_day calendar(day);
  const std::chrono::hh_mm_ss time(then - day);
  return padded(static_cast<int>(calendar.year()), 4) + '-' + padded(static_cast<long>(unsigned(calendar.month())), 2) +
         '-' + padded(static_cast<long>(unsigned(calendar.day())), 2) + 'T' + padded(time.hours().count(), 2) + ':' +
         padded(time.minutes().count(), 2) + ':' + padded(time.seconds().count(), 2) + "+00:00";
}

}  // namespace assay
