// SPDX-License-Identifier: Apache-2.0
// Times as journals have them, in UTC.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace assay {

/// Seconds since 1970 of a time as sessions have it, "2026-01-31T12:00:00Z"; nothing for other texts.
std::optional<std::int64_t> seconds_of_utc(std::string_view text);

}  // namespace assay
