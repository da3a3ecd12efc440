// SPDX-License-Identifier: Apache-2.0
// `assay predict`: exit codes, formats for programs, and uses that are refused.
#include "text/json.hpp"
#include "unit/app/commands/predict_fixture.hpp"

namespace assay::test {
namespace {

TEST_F(PredictTest, AWrongModelIsAFailureOnlyWhereThatIsAskedFor) {
  const std::string right = write("right", MachineTruth());
  MachineTruth doubled;
  doubled.add *= 2;
  const std::string wrong = write("wrong", doubled);
  EXPECT_EQ(call({right, "--strict"}), ExitCode::ok) << err_.str();
  EXPECT_EQ(call({wrong}), ExitCode::ok);
  EXPECT_EQ(call({wrong, "--strict"}), ExitCode::some_failed);
  EXPECT_EQ(call({wrong, "--strict", "--for", "flag-round-trip"}), ExitCode::ok);
  EXPECT_EQ(call({right, "--strict", "--with", wrong}), ExitCode::ok);  // both measured the same barrier
}

TEST_F(PredictTest, ProgramsGetEveryNumber) {
  ASSERT_EQ(call({write("right", MachineTruth()), "--for", "barrier-central", "--members", "2,64", "--format", "json"}),
            ExitCode::ok)
      << err_.str();
  const Json all = parse_json(out_.str());
  EXPECT_EQ(all.at("kind").string(), "predictions");
  EXPECT_EQ(all.at("seed").string(), "1");
  const auto& rows = all.at("rows").array();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].at("verdict").string(), "agrees");
  EXPECT_NEAR(rows[0].at("predicted").number(), 71.19921875, 1e-9);
  EXPECT_LT(rows[0].at("predicted_low").number(), 64);
  EXPECT_EQ(rows[0].at("measured").number(), 71);
  EXPECT_EQ(rows[1].at("members").integer(), 64);
  EXPECT_TRUE(rows[1].at("measured").is_null());
  EXPECT_TRUE(rows[1].at("verdict").is_null());
}

TEST_F(PredictTest, TheSeedDecidesTheDraws) {
  const std::string campaign = write("right", MachineTruth());
  const auto with_seed = [&](const char* seed) {
    EXPECT_EQ(call({campaign, "--format", "csv", "--seed", seed}), ExitCode::ok);
    return out_.str();
  };
  EXPECT_EQ(with_seed("7"), with_seed("7"));
  EXPECT_NE(with_seed("7"), with_seed("8"));
}

TEST_F(PredictTest, ACampaignWithoutParametersIsRefused) {
  ResultJournal journal;
  journal.series("empty", "sync/empty", {"time"}).point(place_levels({}, 1), {1});
  EXPECT_EQ(call({write("none", journal.records())}), ExitCode::refused);
  EXPECT_NE(err_.str().find("nothing can be predicted from it"), std::string::npos) << err_.str();
  EXPECT_NE(err_.str().find("'assay run predict' measures the parameters"), std::string::npos) << err_.str();
}

TEST_F(PredictTest, FormulasAreListedWithoutACampaign) {
  ASSERT_EQ(call({"--what"}), ExitCode::ok) << err_.str();
  for (const char* text : {"barrier-dissemination", "ceil(log2 k) M", "Mellor-Crummey", "mpi-allreduce-rabenseifner"})
    EXPECT_NE(out_.str().find(text), std::string::npos) << text;
  ASSERT_EQ(call({"--what", "--for", "sync/barrier", "--format", "json"}), ExitCode::ok);
  EXPECT_EQ(parse_json(out_.str()).at("rows").array().size(), 4U);
}

TEST_F(PredictTest, WrongUsesAreNamed) {
  const std::string campaign = write("right", MachineTruth());
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{campaign, "--for", "sync/barier"},
                                             {campaign, "--members", "two"},
                                             {campaign, "--members", "1"},
                                             {campaign, "--size", "-1"},
                                             {campaign, "--what"},
                                             {campaign, "--advise", "nothing"},
                                             {campaign, "--advise", "hand-over", "--for", "sync/barrier"},
                                             {}}) {
    EXPECT_EQ(call(wrong), ExitCode::usage);
    EXPECT_FALSE(err_.str().empty());
  }
}

TEST_F(PredictTest, AdviceOnAnotherPlacementIsNone) {
  const std::string campaign = write("right", MachineTruth());
  EXPECT_EQ(call({campaign, "--advise", "hand-over placement=same-l3"}), ExitCode::ok) << err_.str();
  EXPECT_NE(out_.str().find("spinlock-ring"), std::string::npos) << out_.str();
  EXPECT_EQ(call({campaign, "--advise", "hand-over placement=smt"}), ExitCode::refused);
  EXPECT_NE(out_.str().find("placements of round trips: same-l3"), std::string::npos) << out_.str();
}

}  // namespace
}  // namespace assay::test
