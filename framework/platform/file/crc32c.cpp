// SPDX-License-Identifier: Apache-2.0
// CRC-32C: by tables, eight bytes at a step, and by the instruction of x86-64 (SSE 4.2) or of 64-bit ARM.
#include "platform/file/crc32c.hpp"

#include <array>
#include <bit>
#include <cstring>

#if defined(__aarch64__)
#include <arm_acle.h>
#include <asm/hwcap.h>
#include <sys/auxv.h>
#elif defined(__x86_64__)
#include <cpuid.h>
#include <nmmintrin.h>
#endif

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

#if defined(__aarch64__) || defined(__x86_64__)
std::uint64_t word_at(std::string_view text) {
  std::uint64_t word = 0;
  std::memcpy(&word, text.data(), sizeof word);
  return word;
}
#endif

#if defined(__aarch64__)
bool has_instruction() {
  return (::getauxval(AT_HWCAP) & HWCAP_CRC32) != 0 && std::endian::native == std::endian::little;
}

[[gnu::target("+crc")]] std::uint32_t by_instruction(std::string_view text) {
  std::uint32_t crc = ~0U;
  for (; text.size() >= stride; text.remove_prefix(stride)) crc = __crc32cd(crc, word_at(text));
  for (const char letter : text) crc = __crc32cb(crc, static_cast<unsigned char>(letter));
  return ~crc;
}
#elif defined(__x86_64__)
// The compiler's own test of features would ask for all of them at the start of every process, a worker's as well, and
// in a virtual machine each such question goes to the host.
bool has_instruction() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_SSE4_2) != 0;
}

[[gnu::target("sse4.2")]] std::uint32_t by_instruction(std::string_view text) {
  std::uint64_t crc = 0xFFFFFFFFU;
  for (; text.size() >= stride; text.remove_prefix(stride)) crc = _mm_crc32_u64(crc, word_at(text));
  auto rest = static_cast<std::uint32_t>(crc);
  for (const char letter : text) rest = _mm_crc32_u8(rest, static_cast<unsigned char>(letter));
  return ~rest;
}
#else
bool has_instruction() { return false; }
std::uint32_t by_instruction(std::string_view text) { return crc32c_by_tables(text); }
#endif

}  // namespace

std::uint32_t crc32c(std::string_view text) {
  static const bool fast = has_instruction();
  return fast ? by_instruction(text) : crc32c_by_tables(text);
}

std::uint32_t crc32c_by_tables(std::string_view text) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (; text.size() >= stride; text.remove_prefix(stride)) crc = eight_bytes(crc, text);
  for (const char letter : text) crc = (crc >> 8U) ^ table[0][(crc ^ static_cast<unsigned char>(letter)) & 0xFFU];
  return ~crc;
}

}  // namespace assay
