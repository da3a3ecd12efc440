// SPDX-License-Identifier: Apache-2.0
// SHA-256 against the published examples.
#include "text/sha256.hpp"

#include <gtest/gtest.h>

namespace assay::test {
namespace {

std::string hex(std::string_view text) {
  static const char* digits = "0123456789abcdef";
  std::string all;
  for (const std::uint8_t byte : sha256(text)) {
    all += digits[byte >> 4U];
    all += digits[byte & 0xfU];
  }
  return all;
}

// FIPS 180-2, appendix B, and the examples of the NIST's Secure Hashing pages.
TEST(Sha256, AgreesWithThePublishedExamples) {
  EXPECT_EQ(hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Around the border of a block and of its padding; by another implementation (Python's hashlib).
TEST(Sha256, PadsEveryLengthRight) {
  const auto of = [](std::size_t size) { return hex(std::string(size, 'x')); };
  EXPECT_EQ(of(55), "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072");
  EXPECT_EQ(of(56), "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e");
  EXPECT_EQ(of(63), "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2");
  EXPECT_EQ(of(64), "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c");
  EXPECT_EQ(of(65), "9537c5fdf120482f7d58d25e9ed583f52c02b4e304ea814db1633ad565aed7e9");
  EXPECT_EQ(of(119), "000b48d4edf0fa7bee3c6236ecd2785baa5db4eeb8bb54341b029e0d9fa5fb0c");
}

TEST(Sha256, ADigestIsItsFirst128Bits) { EXPECT_EQ(digest_of("abc"), "ba7816bf8f01cfea414140de5dae2223"); }

}  // namespace
}  // namespace assay::test
