// SPDX-License-Identifier: Apache-2.0
// Words for when a journal is forced to the disk.
#include "record/journal/durability.hpp"

#include "base/typed.hpp"

namespace assay {

namespace {

constexpr std::string_view interval_word = "interval ";

}  // namespace

std::string to_text(const Durability& durability) {
  if (durability.mode == Durability::Mode::point) return "point";
  if (durability.mode == Durability::Mode::none) return "none";
  return std::string(interval_word) + duration_text(durability.interval);
}

std::optional<Durability> parse_durability(std::string_view text) {
  if (text == "point") return Durability{};
  if (text == "none") return Durability{Durability::Mode::none, {}};
  if (!text.starts_with(interval_word)) return std::nullopt;
  const auto interval = read_duration(text.substr(interval_word.size()));
  if (!interval.value || !(*interval.value > Nanoseconds{})) return std::nullopt;
  return Durability{Durability::Mode::interval, *interval.value};
}

}  // namespace assay
