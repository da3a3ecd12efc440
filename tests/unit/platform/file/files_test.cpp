// SPDX-License-Identifier: Apache-2.0
// Whole files and directories: limits, reasons, and nothing left behind.
#include <fcntl.h>
#include <gmock/gmock-matchers.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.hpp"
#include "platform/file/append_file.hpp"
#include "unit/platform/support.hpp"

namespace assay {
namespace {

using testing::HasSubstr;

int entries(const std::string& directory) {
  const std::filesystem::directory_iterator begin(directory);
  return static_cast<int>(std::distance(begin, std::filesystem::directory_iterator()));
}

/// The error number of what `action` throws as PlatformError; 0 when it does not.
template <class Action>
int platform_error(Action action) {
  try {
    action();
  } catch (const PlatformError& error) {
    return error.error_number();
  }
  return 0;
}

TEST(ReadFile, ReadsUpToTheLimit) {
  const test::Scratch scratch;
  write_file(scratch / "file", std::string("a\0b\n", 4));
  EXPECT_EQ(read_file(scratch / "file", 4), std::string("a\0b\n", 4));
  EXPECT_EQ(platform_error([&] { read_file(scratch / "file", 3); }), EFBIG);
}

TEST(ReadFile, NamesTheReason) {
  const test::Scratch scratch;
  EXPECT_EQ(platform_error([&] { read_file(scratch / "missing", 10); }), ENOENT);
  EXPECT_EQ(platform_error([&] { read_file(scratch / "", 10); }), EISDIR);
  try {
    read_file(scratch / "missing", 10);
  } catch (const PlatformError& error) {
    EXPECT_THAT(error.what(), HasSubstr("missing"));
    EXPECT_THAT(error.what(), HasSubstr("No such file"));
  }
}

TEST(ReadFile, EndlessFileIsTooLarge) {
  EXPECT_EQ(platform_error([] { read_file("/dev/zero", 1000); }), EFBIG);
}

TEST(ReadFile, ReadsFilesThatClaimToBeEmpty) { EXPECT_FALSE(read_file("/proc/self/status", 1 << 20).empty()); }

TEST(WriteFile, ReplacesWholeFiles) {
  const test::Scratch scratch;
  write_file(scratch / "file", "a long first content");
  write_file(scratch / "file", "short");
  EXPECT_EQ(read_file(scratch / "file", 100), "short");
  EXPECT_EQ(entries(scratch / ""), 1);
}

TEST(WriteFile, FailureLeavesTheOldFileAndNothingElse) {
  const test::Scratch scratch;
  write_file(scratch / "file", "old");
  EXPECT_EQ(test::exit_of_child([&] {
              ::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{100, 100};
              ::setrlimit(RLIMIT_FSIZE, &limit);
              try {
                write_file(scratch / "file", std::string(1000, 'x'));
              } catch (const StorageError& error) {
                return error.error_number() == EFBIG ? 0 : 1;
              }
              return 2;
            }),
            0);
  EXPECT_EQ(read_file(scratch / "file", 100), "old");
  EXPECT_EQ(entries(scratch / ""), 1);
}

TEST(WriteFile, MissingDirectoryIsAStorageError) {
  const test::Scratch scratch;
  EXPECT_THROW(write_file(scratch / "no/file", "text"), StorageError);
  ASSERT_EQ(::mkdir((scratch / "directory").c_str(), 0700), 0);
  EXPECT_THROW(write_file(scratch / "directory", "text"), StorageError);
  EXPECT_EQ(entries(scratch / ""), 1);
}

TEST(WriteFile, WritesToDevicesWithoutReplacingThem) {
  write_file("/dev/null", "text");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_EQ(platform_error([] { write_file("/dev/full", "text"); }), ENOSPC);
}

TEST(WriteFile, GoesOnInAnOpenFileWithoutReplacingTheSystemsLink) {
  const test::Scratch scratch;
  write_file(scratch / "file", "old ");
  const int open = ::open((scratch / "file").c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_GE(open, 0);
  write_file("/proc/self/fd/" + std::to_string(open), "new");
  ::close(open);
  EXPECT_EQ(read_file(scratch / "file", 100), "old new");
}

TEST(PrivateDirectory, IsNewAndPrivate) {
  const test::Scratch scratch;
  create_private_directory(scratch / "results");
  struct stat status {};
  ASSERT_EQ(::stat((scratch / "results").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700U);
  EXPECT_THROW(create_private_directory(scratch / "results"), ResultError);
  EXPECT_NO_THROW(create_private_directory(scratch / "results/below/"));
}

TEST(PrivateDirectory, MissingParentIsAStorageError) {
  const test::Scratch scratch;
  EXPECT_THROW(create_private_directory(scratch / "no/results"), StorageError);
  write_file(scratch / "file", "");
  EXPECT_THROW(create_private_directory(scratch / "file"), ResultError);
}

TEST(ParentDirectory, OfEveryFormOfPath) {
  EXPECT_EQ(parent_directory("a"), ".");
  EXPECT_EQ(parent_directory("a/"), ".");
  EXPECT_EQ(parent_directory("a/b"), "a");
  EXPECT_EQ(parent_directory("a/b//"), "a");
  EXPECT_EQ(parent_directory("/a"), "/");
  EXPECT_EQ(parent_directory("/a/b/c"), "/a/b");
  EXPECT_EQ(parent_directory("/"), "/");
  EXPECT_EQ(parent_directory(""), "/");
}

TEST(SyncDirectory, PassesOverWhatCannotBeSynced) {
  EXPECT_NO_THROW(sync_directory("/no/such/directory"));
  EXPECT_NO_THROW(sync_directory("/proc"));
}

}  // namespace
}  // namespace assay
