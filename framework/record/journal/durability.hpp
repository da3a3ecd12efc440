// SPDX-License-Identifier: Apache-2.0
// When what is written to a journal is forced to the disk.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.hpp"

namespace assay {

/// How much a power loss may cost; the end of the program itself never costs a record.
struct Durability {
  enum class Mode : std::uint8_t {
    point,     ///< nothing that was reported as done, and at most a second of the rest
    interval,  ///< at most `interval`
    none       ///< whatever the system had not written by itself
  };
  Mode mode = Mode::point;
  Nanoseconds interval = seconds(1);
};
/// "point", "none", or "interval 5s"; and back, nothing for other texts.
std::string to_text(const Durability& durability);
std::optional<Durability> parse_durability(std::string_view text);

}  // namespace assay
