// SPDX-License-Identifier: Apache-2.0
// Layouts through the real program: asked for by a campaign, kept in its journal, and chosen when it is shown.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "support/programs/program.hpp"

namespace assay::test {
namespace {

using testing::HasSubstr;

// A channel of o_s 500, o_r 300, L 2000 ns in simulated time.
constexpr const char* known_channel = R"([campaign]
title = known
layout = logp
[precision]
warm-up = 0ms
eps = 2%
[series.trip]
measurement = synthetic/round_trip
placement = unbound
[series.overheads]
measurement = synthetic/overheads
placement = unbound
)";

TEST(LayoutOfACampaign, IsPrintedKeptAndShown) {
  const Scratch folder;
  const Finished run = run_campaign_text(folder, known_channel);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("LogP parameters, times in ns"));

  const auto derived = records_of<DerivedRecord>(campaign_records(folder));
  ASSERT_EQ(derived.size(), 1U);
  EXPECT_EQ(derived[0].name, "L");
  EXPECT_TRUE(derived[0].derived.valid) << derived[0].derived.reason;
  EXPECT_NEAR(derived[0].derived.value, 2000, 80);

  const std::string campaign = folder / "campaign";
  EXPECT_EQ(run_assay({"show", campaign}).out, run.out);
  EXPECT_THAT(run_assay({"show", campaign, "--explain"}).out, HasSubstr("(rtt / 2 - o_s[idle] - o_r[ready])"));
  EXPECT_THAT(run_assay({"show", campaign, "--layout", "plain"}).out, HasSubstr("over several series:"));
  EXPECT_THAT(run_assay({"show", campaign, "--layout", "desupinski-may"}).out, HasSubstr("Mutex unlock"));
  EXPECT_THAT(run_assay({"export", campaign, "--format", "csv-long"}).out,
              HasSubstr("rtt / 2 - o_s[idle] - o_r[ready]"));
}

TEST(LayoutOfACampaign, ThatDoesNotExistIsAnErrorWithTheNearestName) {
  const Scratch folder;
  std::string text = known_channel;
  text.replace(text.find("layout = logp"), 13, "layout = lopg");
  const Finished run = run_campaign_text(folder, text);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("unknown layout 'lopg'; did you mean 'logp'?"));
  const Finished show = run_assay({"show", "anything", "--layout", "plian"});
  EXPECT_EQ(show.exit_code, 2);
  EXPECT_THAT(show.err, HasSubstr("unknown layout 'plian'; did you mean 'plain'?"));
}

TEST(LayoutOfACampaign, IsOneOfThoseListed) {
  const std::string listed = run_assay({"list", "layouts"}).out;
  for (const char* name : {"plain", "logp", "loggp", "desupinski-may", "cluster"}) EXPECT_THAT(listed, HasSubstr(name));
}

}  // namespace
}  // namespace assay::test
