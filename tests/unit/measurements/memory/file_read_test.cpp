// SPDX-License-Identifier: Apache-2.0
// Rereading a file: every byte of it, without a name that could stay behind.
#include "memory/file_read.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "support/environment/scratch.hpp"
#include "support/measurements/one_batch.hpp"
#include "support/measurements/point_setup.hpp"
#include "support/programs/own_process.hpp"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// More than two blocks, and not a whole number of them.
constexpr std::int64_t size = 2 * 65536 + 512;

test::Levels place_at(const std::string& how) { return {{"how", how}, {"size", size}}; }

TEST(FileRead, IsTheSizeByTheTime) {
  for (const std::string& how : FileRead::ways()) {
    SCOPED_TRACE(how);
    const auto done = test::run_named("memory/file_read", {}, place_at(how), Reps{20});
    EXPECT_NEAR(done.value("bandwidth") * done.value("time") / 1e9 / static_cast<double>(size), 1, 1e-9);
  }
}

TEST(FileRead, MapsItsPagesAnewOnlyWhereItIsOpenedAndMapped) {
  EXPECT_GE(test::run_named("memory/file_read", {}, place_at("open-mmap"), Reps{20}).value("faults"), 1);
  EXPECT_LT(test::run_named("memory/file_read", {}, place_at("mmap"), Reps{20}).value("faults"), 1);
}

Point point(const std::string& how, std::int64_t bytes) {
  Point point;
  point.set("how", how);
  point.set("size", bytes);
  return point;
}

TEST(FileRead, NoticesWordsThatAreNotThoseOfTheFile) {
  test::PointSetup setup(point("read", size), 1);
  FileRead measurement(setup);
  std::atomic<std::int64_t> beats{0};
  Member member(0, 1, Stopwatch(), beats);
  EXPECT_NO_THROW(measurement.run(member, Reps{2}));
  // The file is the descriptor opened last.
  const MemoryWord wrong = 1;
  int last = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
    if (std::error_code none; std::filesystem::read_symlink(entry, none).string().find("/assay-") != std::string::npos)
      last = std::stoi(entry.path().filename().string());
  ASSERT_EQ(::pwrite(last, &wrong, sizeof wrong, 65536), static_cast<ssize_t>(sizeof wrong));
  EXPECT_THROW(measurement.run(member, Reps{2}), std::logic_error);
}

TEST(FileRead, LeavesNoNameAndSaysWhereItCannotMakeOne) {
  const test::Scratch folder;
  const int status = test::in_own_process([&] {
    ::setenv("TMPDIR", folder.path().c_str(), 1);
    test::PointSetup setup(point("open-read", size), 1);
    const FileRead measurement(setup);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    ::setenv("TMPDIR", folder.file("none").c_str(), 1);
    EXPECT_THAT([&] { FileRead another(setup); }, ThrowsMessage<Unsupported>(HasSubstr("set TMPDIR")));
  });
  EXPECT_EQ(status, 0);
}

TEST(FileRead, TakesMultiplesOfAStepOnly) {
  test::PointSetup setup(point("read", 1000), 1);
  EXPECT_THAT([&] { FileRead measurement(setup); }, ThrowsMessage<Unsupported>(HasSubstr("multiples of 512")));
}

}  // namespace
}  // namespace assay
