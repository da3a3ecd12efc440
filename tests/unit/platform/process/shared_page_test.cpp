// SPDX-License-Identifier: Apache-2.0
// A page that two processes see, and names that are none.
#include "platform/process/shared_page.hpp"

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

TEST(SharedPage, AnotherProcessSeesWhatIsWritten) {
  const SharedPage own;
  auto* const word = static_cast<std::atomic<int>*>(own.data());
  EXPECT_EQ(word->load(), 0);
  const std::string name = own.name();
  const pid_t child = ::fork();
  if (child == 0) {
    const SharedPage mapped(name);
    static_cast<std::atomic<int>*>(mapped.data())->store(42);
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(word->load(), 42);
}

TEST(SharedPage, WhatIsNoNameOrNoPageIsRefused) {
  for (const std::string name : {"", "x", "1", "-1 3 5", "1 2 3 4", "../../etc 1 1", "1 x 1", "1 2 -"})
    EXPECT_THROW(SharedPage{name}, PlatformError) << name;
  const std::string self = std::to_string(::getpid());
  EXPECT_THROW(SharedPage(self + " 987 1"), PlatformError) << "no such descriptor";
}

// The number of a process may be another one's in the container of the rank that is told it.
TEST(SharedPage, AnotherFileOfThatNameIsNotTouched) {
  const std::string path = testing::TempDir() + "/a-file-of-a-page";
  const std::string content(4096, 'x');
  std::ofstream(path) << content;
  const int descriptor = ::open(path.c_str(), O_RDWR);
  ASSERT_GE(descriptor, 0);
  const std::string self = std::to_string(::getpid());
  EXPECT_THROW(SharedPage(self + ' ' + std::to_string(descriptor) + " 1"), PlatformError);
  ::close(descriptor);
  std::ifstream file(path);
  std::string kept;
  std::getline(file, kept);
  EXPECT_EQ(kept, content);
  std::filesystem::remove(path);

  const SharedPage own;
  std::string other = own.name();
  other.back() = other.back() == '1' ? '2' : '1';
  EXPECT_THROW(SharedPage{other}, PlatformError) << "a page with another mark";
}

}  // namespace
}  // namespace assay
