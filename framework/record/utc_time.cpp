// SPDX-License-Identifier: Apache-2.0
// Dates computed without the system's time zones.
#include "record/utc_time.hpp"

#include <array>
#include <chrono>
#include <cstddef>

namespace assay {

std::optional<std::int64_t> seconds_of_utc(std::string_view text) {
  constexpr std::string_view form = "dddd-dd-ddTdd:dd:ddZ";
  if (text.size() != form.size()) return std::nullopt;
  std::array<int, 6> numbers{};
  std::size_t number = 0;
  for (std::size_t at = 0; at < form.size(); ++at) {
    const bool is_digit = text[at] >= '0' && text[at] <= '9';
    if (form[at] == 'd' ? !is_digit : text[at] != form[at]) return std::nullopt;
    if (form[at] == 'd')
      numbers.at(number) = 10 * numbers.at(number) + (text[at] - '0');
    else
      ++number;
  }
  using namespace std::chrono;
  const year_month_day day{year{numbers[0]}, month{static_cast<unsigned>(numbers[1])},
                           std::chrono::day{static_cast<unsigned>(numbers[2])}};
  if (!day.ok()) return std::nullopt;
  const auto time = sys_days{day} + hours{numbers[3]} + minutes{numbers[4]} + std::chrono::seconds{numbers[5]};
  return duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

}  // namespace assay
