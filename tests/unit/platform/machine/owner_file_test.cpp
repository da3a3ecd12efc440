// SPDX-License-Identifier: Apache-2.0
// One writer: who is refused, who is taken over from, and what is left behind.
#include "platform/machine/owner_file.hpp"

#include <gmock/gmock-matchers.h>
#include <unistd.h>

#include "base/error.hpp"
#include "unit/platform/support.hpp"

namespace assay {
namespace {

using testing::HasSubstr;

class OwnerFileTest : public testing::Test {
 protected:
  std::string refusal(FileLock lock, bool steal = false) const {
    try {
      OwnerFile(directory_, lock, steal);
    } catch (const ResultError& error) {
      return error.what();
    }
    return "accepted";
  }
  std::string notice(FileLock lock, bool steal = false) const { return OwnerFile(directory_, lock, steal).notice(); }
  void leave(const Owner& owner) const { write_file(path_, to_text(owner)); }
  bool is_left() const { return std::filesystem::exists(path_); }

  test::Scratch scratch_;
  std::string directory_ = scratch_.path().string();
  std::string path_ = scratch_ / owner_name;
};

// A process of this kernel that has ended.
Owner ended_process() {
  Owner owner = this_process();
  owner.pid = test::exit_of_child([] { return 0; }) == 0 ? 0x3FFFFF : 0;
  return owner;
}

using OwnerFaults = OwnerFileTest;

TEST_F(OwnerFileTest, NamesThisProcessAndGoesWithIt) {
  {
    const OwnerFile file(directory_, FileLock::held, false);
    const auto owner = parse_owner(read_file(path_, 4096));
    ASSERT_TRUE(owner);
    EXPECT_EQ(owner->pid, ::getpid());
    EXPECT_EQ(owner->host, this_process().host);
    EXPECT_EQ(owner->start, this_process().start);
    EXPECT_EQ(file.notice(), "");
  }
  EXPECT_FALSE(is_left());
}

TEST_F(OwnerFaults, F06_a_locked_directory_is_refused_by_the_name_of_its_owner) {
  const OwnerFile first(directory_, FileLock::held, false);
  for (const bool steal : {false, true}) {
    EXPECT_THAT(refusal(FileLock::busy, steal), HasSubstr("process " + std::to_string(::getpid()) + " on host"));
    EXPECT_THAT(refusal(FileLock::busy, steal), HasSubstr(this_process().since.substr(0, 10)));
  }
  EXPECT_TRUE(is_left());
}

TEST_F(OwnerFaults, F06_without_locks_a_living_owner_is_refused) {
  const OwnerFile first(directory_, FileLock::unsupported, false);
  EXPECT_THAT(refusal(FileLock::unsupported), HasSubstr("is being written by process"));
  EXPECT_THAT(refusal(FileLock::unsupported, true), HasSubstr("is being written by process"));
}

TEST_F(OwnerFaults, F06_a_dead_owner_of_this_host_is_taken_over_with_a_notice) {
  for (const FileLock lock : {FileLock::held, FileLock::unsupported}) {
    leave(ended_process());
    EXPECT_THAT(notice(lock), HasSubstr("did not end in order"));
    EXPECT_FALSE(is_left());
  }
}

TEST_F(OwnerFaults, F06_another_process_with_the_number_of_the_owner_is_not_the_owner) {
  Owner owner = this_process();
  owner.start = "1";
  leave(owner);
  EXPECT_THAT(notice(FileLock::unsupported), HasSubstr("did not end in order"));
}

TEST_F(OwnerFaults, F06_an_owner_of_another_boot_is_taken_over) {
  Owner owner = this_process();
  owner.boot = "another";
  leave(owner);
  EXPECT_THAT(notice(FileLock::unsupported), HasSubstr("did not end in order"));
}

TEST_F(OwnerFaults, F06_an_owner_that_cannot_be_asked_is_refused_unless_stolen_from) {
  Owner elsewhere = this_process();
  elsewhere.host = "elsewhere\x1b[2J";
  leave(elsewhere);
  for (const FileLock lock : {FileLock::held, FileLock::unsupported}) {
    EXPECT_THAT(refusal(lock), HasSubstr("--steal-lock"));
    EXPECT_THAT(refusal(lock), HasSubstr("elsewhere\\x1b"));
    EXPECT_TRUE(is_left());
  }
  EXPECT_THAT(notice(FileLock::unsupported, true), HasSubstr("--steal-lock"));
  Owner container = this_process();
  container.space = "pid:[1]";
  leave(container);
  EXPECT_THAT(refusal(FileLock::unsupported), HasSubstr("--steal-lock"));
  EXPECT_THAT(notice(FileLock::held), HasSubstr("did not end in order"));
}

TEST_F(OwnerFaults, F06_an_owner_file_that_cannot_be_read_proves_nothing_without_a_lock) {
  write_file(path_, "junk");
  EXPECT_THAT(refusal(FileLock::unsupported), HasSubstr("--steal-lock"));
  EXPECT_THAT(notice(FileLock::held), HasSubstr("left no name"));
  ASSERT_EQ(::symlink("/etc/passwd", path_.c_str()), 0);
  EXPECT_THAT(refusal(FileLock::unsupported), HasSubstr("--steal-lock"));
}

TEST_F(OwnerFileTest, TheFileOfAnotherOwnerIsLeftAlone) {
  {
    const OwnerFile file(directory_, FileLock::held, false);
    Owner other = this_process();
    other.host = "other";
    leave(other);
  }
  EXPECT_TRUE(is_left());
}

TEST_F(OwnerFileTest, AForkedCopyLeavesTheFileAlone) {
  const OwnerFile file(directory_, FileLock::held, false);
  EXPECT_EQ(test::exit_of_child([&] {
              file.~OwnerFile();
              return 0;
            }),
            0);
  EXPECT_TRUE(is_left());
}

TEST(OwnerText, ReadsBackOrNotAtAll) {
  const Owner owner = this_process();
  EXPECT_EQ(parse_owner(to_text(owner)), owner);
  for (const char* text : {"", "pid: x\nhost: a\nboot: b\nstart: 1\n", "pid: 0\nhost: a\nboot: b\nstart: 1\n",
                           "pid: 99999999999\nhost: a\nboot: b\nstart: 1\n", "pid: 5\nboot: b\nstart: 1\n"})
    EXPECT_FALSE(parse_owner(text)) << text;
}

}  // namespace
}  // namespace assay
