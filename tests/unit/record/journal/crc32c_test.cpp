// SPDX-License-Identifier: Apache-2.0
// CRC-32C against published vectors and against the definition, bit by bit.
#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "record/journal/journal.hpp"

namespace assay {
namespace {

std::uint32_t by_definition(std::string_view text) {
  std::uint32_t crc = ~0U;
  for (const char letter : text) {
    crc ^= static_cast<unsigned char>(letter);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1U ^ ((crc & 1U) != 0 ? 0x82F63B78U : 0U);
  }
  return ~crc;
}

TEST(Crc32c, PublishedVectors) {
  EXPECT_EQ(crc32c(""), 0U);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
  std::string ascending;
  for (char i = 0; i < 32; ++i) ascending += i;
  EXPECT_EQ(crc32c(ascending), 0x46DD794EU);
}

TEST(Crc32c, AgreesWithItsDefinitionAtEveryLength) {
  Rng rng(1);
  std::string text;
  for (int length = 0; length < 200; ++length) {
    ASSERT_EQ(crc32c(text), by_definition(text)) << length;
    ASSERT_EQ(crc32c_by_tables(text), by_definition(text)) << length;
    text += static_cast<char>(rng.below(256));
  }
}

TEST(Crc32c, TextHasEightDigits) {
  EXPECT_EQ(crc_text(0), "00000000");
  EXPECT_EQ(crc_text(0xE306928AU), "e306928a");
}

}  // namespace
}  // namespace assay
