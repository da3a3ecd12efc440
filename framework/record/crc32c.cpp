// SPDX-License-Identifier: Apache-2.0
// CRC-32C (Castagnoli; RFC 3720, appendix B.4), eight bytes at a step.
#include <array>

#include "record/journal.hpp"

namespace assay {

namespace {

constexpr std::uint32_t reflected_polynomial = 0x82F63B78U;
constexpr std::size_t stride = 8;
using Table = std::array<std::array<std::uint32_t, 256>, stride>;

constexpr std::uint32_t one_byte(std::uint32_t value) {
  for (int bit = 0; bit < 8; ++bit) value = (value >> 1U) ^ ((value & 1U) != 0 ? reflected_polynomial : 0U);
  return value;
}

// Row k: the effect of a byte that is followed by k more.
constexpr Table make_table() {
  Table table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) table[0][byte] = one_byte(byte);
  for (std::size_t row = 1; row < stride; ++row)
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = table[row - 1][byte];
      table[row][byte] = (before >> 8U) ^ table[0][before & 0xFFU];
    }
  return table;
}

constexpr Table table = make_table();

std::uint32_t byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

std::uint32_t eight_bytes(std::uint32_t crc, std::string_view text) {
  std::uint32_t result = 0;
  for (std::size_t i = 0; i < stride; ++i) {
    const std::uint32_t mixed = i < 4 ? byte_at(text, i) ^ (crc >> (8 * i) & 0xFFU) : byte_at(text, i);
    result ^= table[stride - 1 - i][mixed];
  }
  return result;
}

}  // namespace

std::uint32_t crc32c(std::string_view text) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (; text.size() >= stride; text.remove_prefix(stride)) crc = eight_bytes(crc, text);
  for (const char letter : text) crc = (crc >> 8U) ^ table[0][(crc ^ static_cast<unsigned char>(letter)) & 0xFFU];
  return ~crc;
}

std::string crc_text(std::uint32_t crc) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (unsigned shift = 32; shift > 0; shift -= 4) text += digits[crc >> (shift - 4) & 15U];
  return text;
}

}  // namespace assay
