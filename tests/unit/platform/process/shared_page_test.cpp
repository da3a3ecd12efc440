// SPDX-License-Identifier: Apache-2.0
// A page that two processes see, and names that are none.
#include "platform/process/shared_page.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
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
  for (const std::string name : {"", "x", "1", "-1 3", "1 2 3", "../../etc 1", "1 x"})
    EXPECT_THROW(SharedPage{name}, PlatformError) << name;
  const std::string self = std::to_string(::getpid());
  EXPECT_THROW(SharedPage(self + " 987"), PlatformError) << "no such descriptor";
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_THROW(SharedPage(self + ' ' + std::to_string(ends[1])), PlatformError) << "a pipe";
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace assay
