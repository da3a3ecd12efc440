// SPDX-License-Identifier: Apache-2.0
// Files are created with what belongs in them and deleted, and nothing stays.
#include "file/create.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <set>
#include <string>

#include "support/environment/scratch.hpp"
#include "support/measurements/one_batch.hpp"
#include "support/measurements/point_setup.hpp"
#include "support/programs/own_process.hpp"

namespace assay {
namespace {

Point sized(std::int64_t bytes, const std::string& directory) {
  Point point;
  point.set("size", bytes);
  point.set("directory", directory);
  return point;
}

TEST(CreatedFiles, AreDeletedAndNothingStays) {
  const test::Scratch scratch;
  for (const std::int64_t size : {0, 1024, 10240}) {
    const auto one =
        test::run_named("file/create", {}, {{"size", size}, {"directory", scratch.path().string()}}, Reps{50});
    EXPECT_GT(one.value("create"), 0);
    EXPECT_GT(one.value("delete"), 0);
    EXPECT_GT(one.value("file-system"), 0);
    EXPECT_TRUE(std::filesystem::is_empty(scratch.path())) << size;
  }
}

TEST(CreatedFiles, OfEachBatchHaveAFolderOfTheirOwn) {
  const test::Scratch scratch;
  TemporaryFolder folder(scratch.path().string());
  folder.spread();
  std::set<std::string> names;
  for (int i = 0; i < 3; ++i) {
    const InnerFolder inner(folder);
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) names.insert(entry.path().filename());
    ::close(::openat(inner.descriptor(), "one", O_CREAT | O_WRONLY, 0666));
    EXPECT_EQ(names.size(), static_cast<std::size_t>(i + 1));
    EXPECT_EQ(::unlinkat(inner.descriptor(), "one", 0), 0);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  TemporaryFolder other(scratch.path().string());
  EXPECT_FALSE(names.contains(other.next_name())) << "a file system that chooses by the name would choose alike";
}

TEST(CreatedFiles, AreSpreadWhereTheFileSystemDoesSo) {
  const test::Scratch scratch;
  const TemporaryFolder folder(scratch.path().string());
  folder.spread();
  int flags = 0;
  if (::ioctl(folder.descriptor(), FS_IOC_GETFLAGS, &flags) == 0 && folder.file_system() == EXT4_SUPER_MAGIC) {
    EXPECT_TRUE((static_cast<unsigned>(flags) & FS_TOPDIR_FL) != 0);
  }
}

TEST(CreatedFiles, AFullSystemIsTold) {
  const test::Scratch scratch;
  EXPECT_EQ(test::in_own_process([&] {
              ::signal(SIGXFSZ, SIG_IGN);
              std::atomic<std::int64_t> beats{0};
              Member member(0, 1, Stopwatch(), beats);
              test::PointSetup setup(sized(1024, scratch.path().string()), 1);
              CreateFiles files(setup);
              files.run(member, Reps{3});
              EXPECT_TRUE(std::filesystem::is_empty(files.folder().path()));
              test::limit(RLIMIT_FSIZE, 100);
              try {
                files.run(member, Reps{3});
                ADD_FAILURE() << "files of 1024 bytes where 100 are permitted";
              } catch (const Unsupported& error) {
                EXPECT_THAT(error.what(), testing::HasSubstr("files of 1024 bytes cannot be created in"));
              }
            }),
            0);
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
}

TEST(CreatedFiles, FoldersAreWhereTheyAreAskedFor) {
  const test::Scratch scratch;
  EXPECT_EQ(test::in_own_process([&] {
              ::setenv("TMPDIR", scratch.path().c_str(), 1);
              test::PointSetup setup(sized(0, "temporary"), 1);
              const CreateFiles files(setup);
              EXPECT_EQ(std::filesystem::path(files.folder().path()).parent_path(), scratch.path());
            }),
            0);
  test::PointSetup nowhere(sized(0, "/nowhere/at/all"), 1);
  EXPECT_THROW(CreateFiles{nowhere}, Unsupported);
}

}  // namespace
}  // namespace assay
