// SPDX-License-Identifier: Apache-2.0
// A message queue whose process died before it removed the name.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <mqueue.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "platform/process/process.hpp"

namespace assay {
namespace {

bool create(const std::string& name) {
  const int queue = ::mq_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600, nullptr);
  if (queue >= 0) ::mq_close(queue);
  return queue >= 0;
}

TEST(Leftovers, OfAKilledWorkerAreRemovedAndOnlyThose) {
  ChildProcess worker({"/bin/sleep", {"100"}, {}});
  const std::string own = "/assay-" + std::to_string(worker.pid()) + "-";
  const std::string other = "/assay-test-" + std::to_string(::getpid());
  if (!create(own + "0") || !create(own + "1") || !create(other)) {
    for (const auto& name : {own + "0", own + "1", other}) ::mq_unlink(name.c_str());
    GTEST_SKIP() << "no message queues can be had here: error " << errno;
  }
  worker.kill_group();
  EXPECT_NE(::mq_unlink((own + "0").c_str()), 0);
  EXPECT_NE(::mq_unlink((own + "1").c_str()), 0);
  EXPECT_EQ(::mq_unlink(other.c_str()), 0);
}

}  // namespace
}  // namespace assay
