// SPDX-License-Identifier: Apache-2.0
// All descriptors are found ready, or there is no number; limits are raised, put back, or named.
#include "os/ready.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "support/measurements/one_batch.hpp"
#include "support/measurements/point_setup.hpp"
#include "support/programs/own_process.hpp"

namespace assay {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Point asking(const char* how, const char* kind, std::int64_t count) {
  Point point;
  point.set("how", std::string(how));
  point.set("kind", std::string(kind));
  point.set("count", count);
  point.set("directory", std::string("temporary"));
  return point;
}

std::string refusal_of(const Point& point) {
  test::PointSetup setup(point, 1);
  try {
    AskReady measurement(setup);
  } catch (const Unsupported& error) {
    return error.what();
  }
  return "";
}

TEST(ReadyDescriptors, AreAllFoundByEveryCall) {
  for (const char* how : {"select", "poll", "epoll"})
    for (const char* kind : {"file", "tcp"})
      for (const std::int64_t count : {1, 10, 500}) {
        if (std::string(how) == "epoll" && std::string(kind) == "file") continue;
        const auto one = test::run_named(
            "os/ready", {}, {{"how", std::string(how)}, {"kind", std::string(kind)}, {"count", count}}, Reps{20});
        EXPECT_GT(one.value("time"), 0) << how << kind << count;
      }
}

TEST(ReadyDescriptors, FewerThanAllIsNoNumber) {
  std::atomic<std::int64_t> beats{0};
  Member member(0, 1, Stopwatch(), beats);
  for (const char* how : {"select", "poll"}) {
    const int next = ::dup(0);
    ::close(next);  // the first duplicate is above it, and so is the last
    test::PointSetup setup(asking(how, "tcp", 10), 1);
    AskReady measurement(setup);
    EXPECT_NO_THROW(measurement.run(member, Reps{3}));
    ::close(next + 8);
    EXPECT_THROW(measurement.run(member, Reps{3}), std::logic_error) << how;
  }
}

TEST(ReadyDescriptors, WhatCannotBeAskedIsTold) {
  EXPECT_THAT(refusal_of(asking("epoll", "file", 10)), HasSubstr("epoll takes no regular files"));
  EXPECT_THAT(refusal_of(asking("select", "file", 0)), HasSubstr("count = 1 or more"));
  EXPECT_THAT(refusal_of(asking("select", "file", std::int64_t{1} << 62)), HasSubstr("(ulimit -n)"));
}

TEST(ReadyDescriptors, LimitsAreRaisedAndPutBack) {
  EXPECT_EQ(test::in_own_process([] {
              rlimit limit{64, 2048};
              ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
              EXPECT_EQ(refusal_of(asking("poll", "file", 1500)), "");
              ::getrlimit(RLIMIT_NOFILE, &limit);
              EXPECT_EQ(limit.rlim_cur, 64U);
              EXPECT_THAT(refusal_of(asking("select", "file", 1500)),
                          AllOf(HasSubstr("below 1024 (FD_SETSIZE)"), HasSubstr("how = poll")));
              EXPECT_THAT(refusal_of(asking("poll", "file", 3000)),
                          AllOf(HasSubstr("3000 descriptors need 3008"), HasSubstr("may have 2048 (ulimit -n)")));
            }),
            0);
}

}  // namespace
}  // namespace assay
