// SPDX-License-Identifier: Apache-2.0
// Positions of pieces in the text that they are cut from.
#include "text/text_piece.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(TextPiece, KeepsItsPositionWhenCutAndTrimmed) {
  const TextPiece line{" key = value", 1};
  const auto equals = line.text.find('=');
  const TextPiece key = line.upto(equals).trimmed();
  EXPECT_EQ(key.text, "key");
  EXPECT_EQ(key.position, 2U);
  const TextPiece value = line.from(equals + 1).trimmed();
  EXPECT_EQ(value.text, "value");
  EXPECT_EQ(value.position, 8U);
}

TEST(TextPiece, OfBlanksIsEmptyAtItsBeginning) {
  const TextPiece blanks = TextPiece{" \t ", 4}.trimmed();
  EXPECT_EQ(blanks.text, "");
  EXPECT_EQ(blanks.position, 4U);
}

TEST(TextPiece, BehindTheEndIsEmpty) {
  const TextPiece behind = TextPiece{"ab"}.from(3);
  EXPECT_EQ(behind.text, "");
  EXPECT_EQ(behind.position, 3U);
}

}  // namespace
}  // namespace assay
