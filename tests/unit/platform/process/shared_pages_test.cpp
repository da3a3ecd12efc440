// SPDX-License-Identifier: Apache-2.0
// Pages that two processes see, and names that are none.
#include "platform/process/shared_pages.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.hpp"

namespace assay {
namespace {

TEST(SharedPages, AnotherProcessSeesWhatIsWritten) {
  const SharedPages own;
  auto* const word = static_cast<std::atomic<int>*>(own.data());
  EXPECT_EQ(word->load(), 0);
  const std::string name = own.name();
  const pid_t child = ::fork();
  if (child == 0) {
    const SharedPages mapped(name);
    static_cast<std::atomic<int>*>(mapped.data())->store(42);
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(word->load(), 42);
}

TEST(SharedPages, WhatIsNoNameOrNoPagesIsRefused) {
  for (const std::string name : {"", "x", "1", "-1 3 5", "1 2 3 4", "../../etc 1 1", "1 x 1", "1 2 -"})
    EXPECT_THROW(SharedPages{name}, PlatformError) << name;
  const std::string self = std::to_string(::getpid());
  EXPECT_THROW(SharedPages(self + " 987 1"), PlatformError) << "no such descriptor";
}

// The number of a process may be another one's in the container of the rank that is told it.
TEST(SharedPages, AnotherFileOfThatNameIsNotTouched) {
  const std::string path = testing::TempDir() + "/a-file-of-a-page";
  const std::string content(SharedPages::size + sizeof(std::uint64_t), 'x');
  std::ofstream(path) << content;
  const int descriptor = ::open(path.c_str(), O_RDWR);
  ASSERT_GE(descriptor, 0);
  const std::string self = std::to_string(::getpid());
  EXPECT_THROW(SharedPages(self + ' ' + std::to_string(descriptor) + " 1"), PlatformError);
  ::close(descriptor);
  std::ifstream file(path);
  std::string kept;
  std::getline(file, kept);
  EXPECT_EQ(kept, content);
  std::filesystem::remove(path);

  const SharedPages own;
  std::string other = own.name();
  other.back() = other.back() == '1' ? '2' : '1';
  EXPECT_THROW(SharedPages{other}, PlatformError) << "a page with another mark";
}

}  // namespace
}  // namespace assay
