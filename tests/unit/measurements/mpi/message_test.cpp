// SPDX-License-Identifier: Apache-2.0
// Messages that tell which one they are, at every size about the length of their number.
#include "mpi/message.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

// Of one byte only the lowest of the number is there: neighbours differ in it.
TEST(NumberedMessage, IsTheOneThatWasNumberedAndNoOther) {
  for (std::size_t size = 1; size <= 40; ++size) {
    Message message(size);
    for (const std::int64_t number : {std::int64_t{1}, std::int64_t{255}, std::int64_t{0x0102030405060708}}) {
      message.number(number);
      EXPECT_TRUE(message.is(number)) << size << " bytes, number " << number;
      EXPECT_FALSE(message.is(number + 1)) << size << " bytes, number " << number;
    }
  }
}

TEST(NumberedMessage, WithAnotherFirstOrLastByteIsNotTheSame) {
  for (std::size_t size = 1; size <= 40; ++size)
    for (const std::size_t at : {std::size_t{0}, size - 1}) {
      Message message(size);
      message.number(0x0102030405060708);
      message.data()[at] = static_cast<char>(message.data()[at] + 1);
      EXPECT_FALSE(message.is(0x0102030405060708)) << size << " bytes, byte " << at;
    }
}

TEST(NumberedMessage, OfNoBytesCarriesNothing) {
  Message message(0);
  message.number(7);
  EXPECT_TRUE(message.is(8));
}

}  // namespace
}  // namespace assay
