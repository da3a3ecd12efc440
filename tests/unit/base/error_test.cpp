// SPDX-License-Identifier: Apache-2.0
// Messages have one form, and exit codes follow from who can mend the cause.
#include "base/error.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace assay {
namespace {

Problem problem(Where where, std::string what, std::string why = "", std::string remedy = "") {
  return {std::move(where), std::move(what), std::move(why), std::move(remedy), false};
}

Problem environmental(std::string what) { return {{}, std::move(what), "", "", true}; }

TEST(ProblemText, HasAllParts) {
  EXPECT_EQ(to_text(problem({"a.ini", 3, 7}, "unknown key 'reqs'", "no such setting", "write 'reps'")),
            "a.ini:3:7: error: unknown key 'reqs'; no such setting; write 'reps'");
}

TEST(ProblemText, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(to_text(problem({"a.ini", 3, 0}, "what", "", "remedy")), "a.ini:3: error: what; remedy");
  EXPECT_EQ(to_text(problem({"a.ini", 0, 0}, "what", "why")), "a.ini: error: what; why");
  EXPECT_EQ(to_text(problem({}, "what")), "error: what");
  EXPECT_EQ(to_text(problem({"", 3, 7}, "what")), "3:7: error: what");
}

TEST(ProblemText, IgnoresAColumnWithoutALine) {
  EXPECT_EQ(to_text(problem({"a.ini", 0, 7}, "what")), "a.ini: error: what");
}

TEST(ConfigErrorTest, SaysEveryProblemOnItsLine) {
  const ConfigError error({problem({"a.ini", 1, 2}, "first"), problem({"a.ini", 3, 4}, "second")});
  EXPECT_STREQ(error.what(), "a.ini:1:2: error: first\na.ini:3:4: error: second");
  ASSERT_EQ(error.problems().size(), 2U);
  EXPECT_EQ(error.problems()[1].what, "second");
}

TEST(ConfigErrorTest, ExitsWithThreeOnlyWhenEveryProblemIsTheEnvironments) {
  EXPECT_EQ(ConfigError(problem({}, "spelling")).exit_code(), 2);
  EXPECT_EQ(ConfigError(environmental("no four cores")).exit_code(), 3);
  EXPECT_EQ(ConfigError({environmental("no four cores"), environmental("no huge pages")}).exit_code(), 3);
  EXPECT_EQ(ConfigError({environmental("no four cores"), problem({}, "spelling")}).exit_code(), 2);
  EXPECT_EQ(ConfigError(std::vector<Problem>{}).exit_code(), 2);
}

TEST(PlatformErrorTest, AppendsTheSystemsReason) {
  const PlatformError error("open 'x'", ENOENT);
  EXPECT_STREQ(error.what(), "open 'x': No such file or directory");
  EXPECT_EQ(error.error_number(), ENOENT);
}

TEST(PlatformErrorTest, HasNoReasonForZero) {
  EXPECT_STREQ(PlatformError("short read of 'x'", 0).what(), "short read of 'x'");
}

TEST(PlatformErrorTest, KeepsWhatItsTextIsMadeOf) {
  const PlatformError error("open 'x'", ENOENT, "name another file");
  EXPECT_EQ(error.attempt(), "open 'x'");
  EXPECT_EQ(error.error_number(), ENOENT);
  EXPECT_TRUE(std::string(error.what()).starts_with("open 'x': ")) << error.what();
  EXPECT_TRUE(std::string(error.what()).ends_with("; name another file")) << error.what();
}

TEST(StorageErrorTest, IsAPlatformError) {
  try {
    throw StorageError("write 'journal.jsonl'", ENOSPC);
  } catch (const PlatformError& error) {
    EXPECT_EQ(error.error_number(), ENOSPC);
  }
}

}  // namespace
}  // namespace assay
