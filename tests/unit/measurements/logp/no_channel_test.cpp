// SPDX-License-Identifier: Apache-2.0
// Oracle: over a channel that does nothing, on simulated time, every protocol claims exactly nothing.
#include <gtest/gtest.h>

#include "logp/burst.hpp"
#include "logp/issue.hpp"
#include "logp/one_way.hpp"
#include "logp/overheads.hpp"
#include "logp/protocol.hpp"
#include "logp/round_trip.hpp"
#include "support/measurements/one_batch.hpp"
#include "synthetic/channel.hpp"

namespace assay::test {
namespace {

using Nothing = NoChannel<SimulatedTime>;

template <class M>
void expect_nothing(Protocol protocol) {
  Description description = describe(protocol);
  description.traits = Nothing::traits();
  const OneBatch batch = run_class<M>(description, {}, {}, Reps{100});
  for (std::size_t i = 0; i < batch.description.quantities.size(); ++i)
    EXPECT_EQ(observe(batch.batch, batch.description, i, batch.traits).value_or(0), 0)
        << batch.description.quantities[i].name;
  EXPECT_TRUE(observe(batch.batch, batch.description, 0, batch.traits).has_value());
}

TEST(NoChannel, EveryProtocolClaimsNothing) {
  expect_nothing<RoundTrip<Nothing>>(Protocol::round_trip);
  expect_nothing<Overheads<Nothing>>(Protocol::overheads);
  expect_nothing<Issue<Nothing, false>>(Protocol::issue);
  expect_nothing<OneWay<Nothing>>(Protocol::one_way);
  expect_nothing<Burst<Nothing>>(Protocol::burst);
}

}  // namespace
}  // namespace assay::test
