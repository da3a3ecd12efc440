// SPDX-License-Identifier: Apache-2.0
// A file that only grows: one writer, whole records, failures that stay known.
#include "platform/file/append_file.hpp"

#include <gmock/gmock-matchers.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.hpp"
#include "unit/platform/support.hpp"

namespace assay {
namespace {

using testing::HasSubstr;

class AppendFileTest : public testing::Test {
 protected:
  std::string content() const { return read_file(path_, 1 << 20); }
  test::Scratch scratch_;
  std::string path_ = scratch_ / "journal";
};

/// Lets files grow to `bytes` and no further; writing past them fails instead of killing.
void limit_files(rlim_t bytes) {
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

/// The error number of what `action` throws as StorageError; 0 when it does not.
template <class Action>
int storage_error(Action action) {
  try {
    action();
  } catch (const StorageError& error) {
    return error.error_number();
  }
  return 0;
}

void close_all_files() {
  for (int descriptor = 3; descriptor < 256; ++descriptor) ::close(descriptor);
}

TEST_F(AppendFileTest, GrowsByWholeRecords) {
  AppendFile file = AppendFile::create(path_);
  EXPECT_EQ(file.size(), 0);
  file.append("one\n");
  file.append("");
  file.append("two\n");
  file.sync();
  EXPECT_EQ(file.size(), 8);
  EXPECT_EQ(content(), "one\ntwo\n");
}

TEST_F(AppendFileTest, IsPrivate) {
  AppendFile::create(path_);
  struct stat status {};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
}

TEST_F(AppendFileTest, CreateRefusesWhatExists) {
  write_file(path_, "precious");
  EXPECT_THROW(AppendFile::create(path_), ResultError);
  EXPECT_EQ(content(), "precious");
}

TEST_F(AppendFileTest, CreateFollowsNoLink) {
  ASSERT_EQ(::symlink((scratch_ / "elsewhere").c_str(), path_.c_str()), 0);
  EXPECT_THROW(AppendFile::create(path_), ResultError);
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "elsewhere"));
}

TEST_F(AppendFileTest, FailureNamesThePathAndTheReason) {
  try {
    AppendFile::create(scratch_ / "no/such/directory");
    FAIL() << "created";
  } catch (const StorageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no/such/directory"));
    EXPECT_THAT(error.what(), HasSubstr("No such file"));
    EXPECT_EQ(error.error_number(), ENOENT);
  }
}

TEST_F(AppendFileTest, SecondWriterIsRefused) {
  const AppendFile first = AppendFile::create(path_);
  EXPECT_THROW(AppendFile::reopen(path_, 0), ResultError);
  EXPECT_EQ(test::exit_of_child([&] {
              try {
                AppendFile::reopen(path_, 0);
              } catch (const ResultError&) {
                return 0;
              }
              return 1;
            }),
            0);
}

TEST_F(AppendFileTest, LockGoesWithTheWriter) {
  AppendFile::create(path_).append("one\n");
  EXPECT_NO_THROW(AppendFile::reopen(path_, 4));
}

TEST_F(AppendFileTest, ReopenCutsWhatFollowsTheGoodPart) {
  write_file(path_, "one\ntwo\nthr");
  AppendFile file = AppendFile::reopen(path_, 8, 3);
  EXPECT_EQ(file.size(), 8);
  file.append("three\n");
  EXPECT_EQ(content(), "one\ntwo\nthree\n");
}

TEST_F(AppendFileTest, ReopenRefusesWhatHasGrownSinceItWasRead) {
  write_file(path_, "one\ntwo\n");
  EXPECT_THROW(AppendFile::reopen(path_, 4), ResultError);
  EXPECT_THROW(AppendFile::reopen(path_, 4, 3), ResultError);
  EXPECT_EQ(content(), "one\ntwo\n");
}

TEST_F(AppendFileTest, RefusedReopenCutsNothing) {
  AppendFile first = AppendFile::create(path_);
  first.append("one\n");
  EXPECT_THROW(AppendFile::reopen(path_, 0), ResultError);
  EXPECT_EQ(content(), "one\n");
}

TEST_F(AppendFileTest, ReopenRefusesWhatIsNotThere) {
  EXPECT_EQ(storage_error([&] { AppendFile::reopen(path_, 0); }), ENOENT);
  write_file(path_, "one\n");
  EXPECT_THROW(AppendFile::reopen(path_, 5), StorageError);
  EXPECT_THROW(AppendFile::reopen(path_, -1), StorageError);
  EXPECT_EQ(content(), "one\n");
}

TEST_F(AppendFileTest, ReopenRefusesPipesAndLinks) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_THROW(AppendFile::reopen(path_, 0), StorageError);
  write_file(scratch_ / "target", "text");
  ASSERT_EQ(::symlink("target", (scratch_ / "link").c_str()), 0);
  EXPECT_EQ(storage_error([&] { AppendFile::reopen(scratch_ / "link", 0); }), ELOOP);
}

TEST_F(AppendFileTest, FullDiskLeavesWholeRecords) {
  EXPECT_EQ(test::exit_of_child([&] {
              limit_files(10);
              AppendFile file = AppendFile::create(path_);
              file.append("12345\n");
              if (storage_error([&] { file.append("67890\n"); }) != EFBIG) return 1;
              return file.size() == 6 ? 0 : 2;
            }),
            0);
  EXPECT_EQ(content(), "12345\n");
}

TEST_F(AppendFileTest, WritingGoesOnWhenThereIsRoomAgain) {
  EXPECT_EQ(test::exit_of_child([&] {
              limit_files(10);
              AppendFile file = AppendFile::create(path_);
              file.append("12345\n");
              if (storage_error([&] { file.append("a long record\n"); }) != EFBIG) return 1;
              file.append("ab\n");
              file.sync();
              return 0;
            }),
            0);
  EXPECT_EQ(content(), "12345\nab\n");
}

TEST_F(AppendFileTest, FailedSyncIsFinal) {
  EXPECT_EQ(test::exit_of_child([&] {
              AppendFile file = AppendFile::create(path_);
              file.append("one\n");
              close_all_files();
              if (storage_error([&] { file.sync(); }) != EBADF) return 1;
              if (storage_error([&] { file.sync(); }) != EIO) return 2;
              return storage_error([&] { file.append("two\n"); }) == EIO ? 0 : 3;
            }),
            0);
}

TEST_F(AppendFileTest, FailedCutIsFinal) {
  EXPECT_EQ(test::exit_of_child([&] {
              AppendFile file = AppendFile::create(path_);
              close_all_files();
              if (storage_error([&] { file.append("one\n"); }) != EBADF) return 1;
              return storage_error([&] { file.append("two\n"); }) == EIO ? 0 : 2;
            }),
            0);
}

TEST_F(AppendFileTest, MovedFileKeepsItsLockAndSize) {
  AppendFile first = AppendFile::create(path_);
  first.append("one\n");
  AppendFile second(std::move(first));
  EXPECT_THROW(AppendFile::reopen(path_, 0), ResultError);
  second.append("two\n");
  EXPECT_EQ(second.size(), 8);
  EXPECT_EQ(content(), "one\ntwo\n");
}

}  // namespace
}  // namespace assay
