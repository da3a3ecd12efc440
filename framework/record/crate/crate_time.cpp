// SPDX-License-Identifier: Apache-2.0
// Dates in UTC, computed without the system's time zones.
#include "record/crate/crate_time.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <string_view>

namespace assay {
namespace {

constexpr std::string_view time_form = "0000-00-00T00:00:00Z";
constexpr double nanoseconds_per_second = 1e9;

// Digits stand where the form has them, and everything else is as in the form.
bool has_form(std::string_view text) {
  return text.size() == time_form.size() && std::equal(text.begin(), text.end(), time_form.begin(), [](char a, char b) {
           return b == '0' ? a >= '0' && a <= '9' : a == b;
         });
}

int digits_at(std::string_view text, std::size_t at, std::size_t digits) {
  int number = 0;
  std::from_chars(text.data() + at, text.data() + at + digits, number);
  return number;
}

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
  using std::chrono::days, std::chrono::hours, std::chrono::minutes, std::chrono::seconds;
  if (!has_form(utc)) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(digits_at(utc, 0, 4)),
                                         std::chrono::month(static_cast<unsigned>(digits_at(utc, 5, 2))),
                                         std::chrono::day(static_cast<unsigned>(digits_at(utc, 8, 2)))};
  if (!date.ok()) return std::nullopt;
  const auto then = std::chrono::sys_days(date) + hours(digits_at(utc, 11, 2)) + minutes(digits_at(utc, 14, 2)) +
                    seconds(digits_at(utc, 17, 2)) +
                    seconds(static_cast<long>(static_cast<double>(passed.count) / nanoseconds_per_second));
  const auto day = std::chrono::floor<days>(then);
  const std::chrono::year_month_day calendar(day);
  const std::chrono::hh_mm_ss time(then - day);
  return padded(static_cast<int>(calendar.year()), 4) + '-' + padded(static_cast<long>(unsigned(calendar.month())), 2) +
         '-' + padded(static_cast<long>(unsigned(calendar.day())), 2) + 'T' + padded(time.hours().count(), 2) + ':' +
         padded(time.minutes().count(), 2) + ':' + padded(time.seconds().count(), 2) + "+00:00";
}

}  // namespace assay
