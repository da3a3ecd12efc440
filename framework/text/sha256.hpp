// SPDX-License-Identifier: Apache-2.0
// The digest by which points, campaigns and plugins are distinguished.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

/// SHA-256 of a text (FIPS 180-4, section 6.2).
std::array<std::uint8_t, 32> sha256(std::string_view text);

/// The first 128 bits of a text's SHA-256: 32 lower-case hexadecimal digits.
std::string digest_of(std::string_view text);

}  // namespace assay
