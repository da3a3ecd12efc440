// SPDX-License-Identifier: Apache-2.0
// What the tests of the platform layer share: a forked child to spoil.
#pragma once
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>

#include "support/environment/scratch.hpp"

namespace assay::test {

/// Runs `body` in a forked child, whose limits, signals and bindings it may change; the child's wait status. `body`
/// returns the exit status, 99 stands for an exception.
inline int in_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    int status = 99;
    try {
      status = body();
    } catch (...) {
    }
    ::_exit(status);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

/// Files under a root of their own, in the place of the kernel's.
class FakeRoot : public testing::Test {
 protected:
  void put(const std::string& name, const std::string& text) {
    const std::filesystem::path path = root() + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::string root() const { return scratch_.path().string(); }
  Scratch scratch_;
};

/// The kernel's id of the calling thread.
inline int thread_id() { return static_cast<int>(::syscall(SYS_gettid)); }

/// Returns once the thread of the process sleeps in the kernel.
inline void await_sleep(int process, int thread) {
  const std::string path = "/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) + "/stat";
  for (char state = 'R'; state != 'S'; ::sched_yield()) {
    std::ifstream file(path);
    std::string text;
    std::getline(file, text);
    if (text.empty()) return;
    state = text.at(text.rfind(')') + 2);
  }
}

/// The exit status of the child; -1 when it was killed.
inline int exit_of_child(const std::function<int()>& body) {
  const int status = in_child(body);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace assay::test
