// SPDX-License-Identifier: Apache-2.0
// The last word of a failing member is a message like any other.
#include "run/protocol/last_word.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/rng.hpp"
#include "run/protocol/messages.hpp"

namespace assay {
namespace {

TEST(LastWordTest, IsAFailureWithoutARequest) {
  const LastWord word(3, "exploded");
  ASSERT_TRUE(word.line().ends_with('\n'));
  const NumberedReply reply = decode_reply(word.line().substr(0, word.line().size() - 1));
  EXPECT_EQ(reply.answers, last_word);
  const auto& failed = std::get<FailedMessage>(reply.reply);
  EXPECT_EQ(failed.outcome, Outcome::failed);
  EXPECT_EQ(failed.why, "member 3: exploded");
}

TEST(LastWordTest, TakesAnyText) {
  Rng rng(6);
  for (int i = 0; i < 300; ++i) {
    std::string why;
    for (auto length = rng.below(2000); length > 0; --length) why += static_cast<char>(rng.below(256));
    const LastWord word(2147483647, why);
    EXPECT_EQ(std::count(word.line().begin(), word.line().end(), '\n'), 1);
    const auto reply = decode_reply(word.line().substr(0, word.line().size() - 1)).reply;
    EXPECT_TRUE(std::get<FailedMessage>(reply).why.starts_with("member 2147483647: "));
  }
}

}  // namespace
}  // namespace assay
