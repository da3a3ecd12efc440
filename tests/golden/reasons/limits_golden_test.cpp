// SPDX-License-Identifier: Apache-2.0
// What is said of threads that wait, and of limits that refuse further ones, byte by byte.
#include <cerrno>
#include <system_error>

#include "limits/limits.hpp"
#include "platform/procfs/thread_states.hpp"
#include "support/environment/golden.hpp"

namespace assay::test {
namespace {

ThreadState thread_seen(const std::string& state, const std::string& call, std::int64_t ticks = 0) {
  return {1, 1, "name", state, ticks, "somewhere", call};
}

TEST(LimitsGolden, ThreadsInWords) {
  std::string told;
  for (const std::vector<ThreadState>& threads :
       {std::vector<ThreadState>{},
        {thread_seen("Z", "")},
        {thread_seen("S", "futex")},
        {thread_seen("S", "")},
        {thread_seen("S", "futex"), thread_seen("S", "futex")},
        {thread_seen("R", ""), thread_seen("R", ""), thread_seen("S", "read", 3)},
        {thread_seen("R", ""), thread_seen("S", "read"), thread_seen("S", "read")},
        {thread_seen("T", "")},
        {thread_seen("D", "fsync")}})
    told += describe_threads(threads) + "\n";
  EXPECT_TRUE(matches_golden(told, "reasons/limits_threads.txt"));
}

TEST(LimitsGolden, RefusedThreads) {
  const Refusal refusal{.error = EPERM, .alive = 37, .stack = std::size_t{8} << 20U, .creator = 2};
  Refusal again = refusal;
  again.error = EAGAIN;
  constexpr std::size_t gib = std::size_t{1} << 30U;
  std::string told = refusal_text(refusal, {}) + "\n";
  told += refusal_text(again, {.user = {40, 40}}) + "\n";
  told += refusal_text(again, {.user = {40, 40}, .group = {30, 30}}) + "\n";
  told += refusal_text(again, {.address = {gib, gib - 1}}) + "\n";
  told += refusal_text(again, {.user = {40, 12}, .group = {30, 29}}) + "\n";
  for (const int error : {EPERM, EAGAIN}) {  // in the system's own words
    const std::string words = std::generic_category().message(error);
    for (auto at = told.find(words); at != told.npos; at = told.find(words)) told.replace(at, words.size(), "SYSTEM");
  }
  EXPECT_TRUE(matches_golden(told, "reasons/limits_refusals.txt"));
}

}  // namespace
}  // namespace assay::test
