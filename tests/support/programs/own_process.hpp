// SPDX-License-Identifier: Apache-2.0
// A piece of a test in a process of its own, whose limits and signals it may change.
#pragma once
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <type_traits>

namespace assay::test {

/// Runs `life` in a forked process; its status, 0 where no expectation failed and, if it returns a truth, it was true.
template <class Life>
int in_own_process(const Life& life) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    bool held = true;
    if constexpr (std::is_void_v<std::invoke_result_t<Life>>)
      life();
    else
      held = life();
    ::_exit(held && !testing::Test::HasFailure() ? 0 : 1);
  }
  int status = -1;
  ::waitpid(pid, &status, 0);
  return status;
}

/// Sets both limits.
inline void limit(__rlimit_resource resource, rlim_t most) {
  const rlimit both{most, most};
  ASSERT_EQ(::setrlimit(resource, &both), 0);
}

}  // namespace assay::test
