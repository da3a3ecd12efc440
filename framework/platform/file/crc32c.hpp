// SPDX-License-Identifier: Apache-2.0
// The checksum of records: CRC-32C, by the processor's own instruction where it has one.
#pragma once
#include <cstdint>
#include <string_view>

namespace assay {

/// CRC-32C (Castagnoli; RFC 3720, appendix B.4) of a text.
std::uint32_t crc32c(std::string_view text);
/// The same without the processor's instruction, eight bytes at a step.
std::uint32_t crc32c_by_tables(std::string_view text);

}  // namespace assay
