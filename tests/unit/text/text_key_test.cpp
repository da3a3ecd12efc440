// SPDX-License-Identifier: Apache-2.0
// Keys of texts, against published values.
#include "text/text_key.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(TextKey, IsThePublishedHash) {
  EXPECT_EQ(text_key(""), (TextKey{0x6c62272e07bb0142U, 0x62b821756295c58dU}));
  EXPECT_EQ(text_key("a"), (TextKey{0xd228cb696f1a8cafU, 0x78912b704e4a8964U}));
  EXPECT_EQ(text_key("foobar"), (TextKey{0x343e1662793c64bfU, 0x6f0d3597ba446f18U}));
}

TEST(TextKey, ByteByByte) {
  EXPECT_NE(text_key("ab"), text_key("ba"));
  EXPECT_NE(text_key(std::string_view("a\0", 2)), text_key("a"));
  EXPECT_NE(text_key("\xff"), text_key("\x7f"));
}

}  // namespace
}  // namespace assay
