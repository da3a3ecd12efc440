// SPDX-License-Identifier: Apache-2.0
// Wrong data is noticed: of windows of messages, and of every collective operation.
#include <gtest/gtest.h>

#include "mpi/factors.hpp"
#include "mpi/operation.hpp"
#include "mpi/window.hpp"
#include "ranks.hpp"

namespace assay::test {
namespace {

/// Rank 0 sends to rank 1, the others look on.
void pass(Window& window, Ranks& ranks) {
  if (ranks.rank() > 1) return;
  const Way way{1 - ranks.rank(), 1, 1, ranks.place().communicator};
  window.pass_acknowledged(way, MpiProgress(ranks.place()), ranks.rank() == 0);
}

TEST(Window, CountsWhatWasNotSent) {
  Ranks ranks(1, true);
  const auto side = ranks.rank() == 0 ? Window::Side::sends : Window::Side::receives;
  Window window(4, 16, side);
  for (int i = 0; i < 3; ++i) pass(window, ranks);
  EXPECT_NO_THROW(window.require_all_right());
  Window begins_anew(4, 16, side);
  pass(ranks.rank() == 0 ? begins_anew : window, ranks);
  if (ranks.rank() == 1) {
    EXPECT_THROW(window.require_all_right(), std::runtime_error) << "the numbers are those of the first window";
  }
  EXPECT_NO_THROW(window.require_all_right()) << "it was told";
}

class EveryOperation : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Collective, EveryOperation, testing::ValuesIn(collective_operations()),
                         [](const auto& word) { return word.param; });

TEST_P(EveryOperation, YieldsWhatItMust) {
  Ranks ranks(1, true);
  const MpiProgress progress(ranks.place());
  for (const std::int64_t bytes : {4, 8, 60}) {
    Operation operation(ranks.place(), GetParam(), bytes);
    operation.fill();
    MPI_Request request = MPI_REQUEST_NULL;
    operation.start(request);
    progress.wait(request);
    EXPECT_NO_THROW(operation.check()) << bytes << " bytes, non-blocking";
    operation.fill();
    operation.call();
    EXPECT_NO_THROW(operation.check()) << bytes << " bytes, blocking";
  }
}

TEST_P(EveryOperation, IsNotTakenForDoneWhenItWasNot) {
  Ranks ranks(1, true);
  Operation operation(ranks.place(), GetParam(), 8);
  operation.fill();
  bool noticed = false;
  try {
    operation.check();
  } catch (const std::runtime_error&) {
    noticed = true;
  }
  const bool somewhere = MpiProgress(ranks.place()).largest(noticed ? 1 : 0, ranks.place().communicator) > 0;
  EXPECT_EQ(somewhere, GetParam() != "barrier") << "a barrier moves nothing";
}

}  // namespace
}  // namespace assay::test
