// SPDX-License-Identifier: Apache-2.0
// Passes over memory: what they leave there, what counts as moved, and that work left undone is noticed.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "memory/bandwidth.hpp"
#include "memory/kernels.hpp"
#include "support/measurements/one_batch.hpp"
#include "support/measurements/point_setup.hpp"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::size_t few_bytes = 4 * bytes_of_step;
constexpr std::size_t few = few_bytes / sizeof(MemoryWord);

using Words = std::vector<MemoryWord>;

Words patterned() {
  Words all(few);
  words::fill_pattern(all.data(), few);
  return all;
}

TEST(MemoryWords, AreSummedEach) {
  const Words all = patterned();
  EXPECT_EQ(words::sum<1>(all.data(), few), std::accumulate(all.begin(), all.end(), MemoryWord{0}));
  EXPECT_EQ(words::sum<1>(all.data(), few), words::pattern_sum(few, 1));
  MemoryWord right = 0;
  for (std::size_t i = 0; i < few; i += partial) right += all[i];
  EXPECT_EQ(words::sum<partial>(all.data(), few), right);
  EXPECT_EQ(words::pattern_sum(few, partial), right);
}

TEST(MemoryWords, AreCopiedAndStoredWhereTheyShouldBe) {
  const Words from = patterned();
  Words to(few + 1, 7);
  words::copy<partial>(to.data(), from.data(), few);
  for (std::size_t i = 0; i < few; ++i) ASSERT_EQ(to[i], i % partial == 0 ? from[i] : 7) << i;
  words::copy<1>(to.data(), from.data(), few);
  EXPECT_TRUE(std::equal(from.begin(), from.end(), to.begin()));
  EXPECT_EQ(words::exchange<partial>(to.data(), few, 9), words::pattern_sum(few, partial));
  for (std::size_t i = 0; i < few; ++i) ASSERT_EQ(to[i], i % partial == 0 ? 9 : from[i]) << i;
  words::fill<1>(to.data(), few, 5);
  EXPECT_EQ(std::count(to.begin(), to.end(), 5U), static_cast<std::ptrdiff_t>(few));
  EXPECT_EQ(to[few], 7U) << "behind the range";
}

template <class Kernel>
void notices_what_was_not_done() {
  Kernel kernel(few_bytes);
  kernel.pass();
  kernel.upset();
  EXPECT_THROW(kernel.check(1), std::logic_error) << "no pass at all";
  kernel.pass();
  EXPECT_NO_THROW(kernel.check(1));
}

TEST(MemoryKernels, NoticeAPassThatWasNotMade) {
  notices_what_was_not_done<LibraryCopy<0>>();
  notices_what_was_not_done<LibraryCopy<other_alignment>>();
  notices_what_was_not_done<HandCopy<1>>();
  notices_what_was_not_done<HandCopy<partial>>();
  notices_what_was_not_done<WordRead<1>>();
  notices_what_was_not_done<WordRead<partial>>();
  notices_what_was_not_done<WordWrite<1>>();
  notices_what_was_not_done<WordWrite<partial>>();
  notices_what_was_not_done<WordExchange<partial>>();
  notices_what_was_not_done<LibraryZero>();
  notices_what_was_not_done<StreamKernel<StreamCopy>>();
  notices_what_was_not_done<StreamKernel<StreamScale>>();
  notices_what_was_not_done<StreamKernel<StreamAdd>>();
  notices_what_was_not_done<StreamKernel<StreamTriad>>();
}

TEST(MemoryKernels, ThatReadCountTheirPasses) {
  WordRead<1> read(few_bytes);
  WordExchange<partial> exchange(few_bytes);
  for (int pass = 0; pass < 3; ++pass) {
    read.pass();
    if (pass == 0) exchange.upset();
    exchange.pass();
  }
  EXPECT_NO_THROW(read.check(3));
  EXPECT_THROW(read.check(4), std::logic_error);
  EXPECT_NO_THROW(exchange.check(3));
  EXPECT_THROW(exchange.check(2), std::logic_error);
}

TEST(MemoryBandwidth, IsTheBytesThatCountByTheTimeOfTheSlowest) {
  for (const std::string& kernel : kernel_words())
    for (const char* vehicle : {"thread", "process"})
      for (const int members : {1, 2}) {
        SCOPED_TRACE(kernel + " " + vehicle + " " + std::to_string(members));
        const auto done = test::run_named("memory/bandwidth", {.vehicle = vehicle, .members = members},
                                          {{"kernel", kernel}, {"size", std::int64_t{65536}}}, Reps{40});
        const double times = kernel == "stream-copy" || kernel == "stream-scale"  ? 2
                             : kernel == "stream-add" || kernel == "stream-triad" ? 3
                                                                                  : 1;
        const double moved = members * times * 65536;
        EXPECT_NEAR(done.value("bandwidth") * done.value("time") / 1e9 / moved, 1, 1e-9);
      }
}

TEST(MemoryBandwidth, RefusesSizesThatItCannotHave) {
  const auto made = [](std::int64_t size) {
    Point point;
    point.set("kernel", std::string("copy-hand"));
    point.set("size", size);
    test::PointSetup setup(point, 4);
    MemoryBandwidth measurement(setup);
  };
  EXPECT_THAT([&] { made(1000); }, ThrowsMessage<Unsupported>(HasSubstr("multiples of 512")));
  EXPECT_THAT([&] { made(std::int64_t{1} << 61); }, ThrowsMessage<Unsupported>(HasSubstr("the ranges of copy-hand")));
}

}  // namespace
}  // namespace assay
