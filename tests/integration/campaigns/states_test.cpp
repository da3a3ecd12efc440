// SPDX-License-Identifier: Apache-2.0
// Planted states of the cores through the real program: exports have a row for each, comparisons pair equal ones only.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "support/environment/paths.hpp"
#include "support/programs/program.hpp"
#include "text/json.hpp"

namespace assay::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Texts = std::vector<std::string>;

/// Two campaigns of the same planted states, by different seeds.
class States : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<Scratch>();
    for (const char* seed : {"1", "2"}) {
      const Finished run =
          run_assay({"run", source_directory() + "/configs/states-selftest.ini", "--series", "shared", "--set",
                     std::string("campaign.seed=") + seed, "--set", "precision.incarnations=5", "--set",
                     "precision.max-incarnations=5", "--output", campaign(seed)},
                    {lone_state});
      ASSERT_EQ(run.exit_code, 0) << run.out << run.err;
    }
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static std::string campaign(const char* seed) { return *folder_ / seed; }
  static std::string exported(const std::string& format, const Texts& options) {
    Texts arguments{"export", campaign("1"), "--format", format};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Finished done = run_assay(arguments);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return done.out;
  }
  /// Of each result in order, behind the share of the time that was planted as shared.
  static Texts states_in_json(const Texts& options) {
    const Json file = parse_json(exported("json", options));
    Texts states;
    for (const Json& result : file.at("results").array()) {
      const Json* state = result.find("state");
      states.push_back(to_text(result.at("parameters").at("shared")) + " " +
                       (state != nullptr ? state->string() : result.at("verdict").string()));
    }
    return states;
  }

  static inline std::unique_ptr<Scratch> folder_;
};

TEST_F(States, AreRowsOfTheirOwnInExports) {
  EXPECT_THAT(states_in_json({}), ElementsAre("0 alone", "0.25 alone", "0.25 shared", "0.5 alone", "0.5 shared",
                                              "0.75 alone", "0.75 shared"));
  const std::string csv = exported("csv-long", {});
  EXPECT_EQ(std::ranges::count(csv, '\n'), 1 + 7);
}

TEST_F(States, OfExportsAreOnlyTheOneAskedFor) {
  EXPECT_THAT(states_in_json({"--state", "alone"}), ElementsAre("0 alone", "0.25 alone", "0.5 alone", "0.75 alone"));
  EXPECT_THAT(states_in_json({"--state", "shared"}),
              ElementsAre("0 too-noisy", "0.25 shared", "0.5 shared", "0.75 shared"));
  const std::string csv = exported("csv-long", {"--state", "shared"});
  EXPECT_THAT(csv, Not(HasSubstr(",alone,")));
}

// What takes 1000 and 1400 ns in both campaigns is the same in both: no shared one stands against a lone one.
TEST_F(States, AreComparedWithTheirLikeOnly) {
  EXPECT_THAT(run_assay({"compare", campaign("1"), campaign("2")}).out,
              HasSubstr("4 results compared: 0 possibly slower, 0 possibly faster, 4 same, 0 unclear"));
  EXPECT_THAT(run_assay({"compare", campaign("1"), campaign("2"), "--state", "shared"}).out,
              HasSubstr("3 results compared: 0 possibly slower, 0 possibly faster, "));
}

// The tables that end a campaign can have core cycles as those of `show` do.
TEST(CyclesOfARun, StandBesideTimesInPlainTablesOnly) {
  const std::string ini =
      "[precision]\nrule = fixed:5\nwarm-up = 0ms\nincarnations = 2\n[series.law]\nmeasurement = synthetic/normal\n";
  const Scratch folder;
  const Finished plain = run_campaign_text(folder, ini, {"--unit", "cycles"});
  EXPECT_THAT(plain.out, HasSubstr("cycles")) << plain.err;
  const Finished refused = run_campaign_text(folder, "[campaign]\nlayout = logp\n" + ini,
                                             {"--unit", "cycles", "--output", folder / "refused"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "refused")) << "nothing was measured";
  EXPECT_EQ(run_campaign_text(folder, ini, {"--unit", "hours", "--output", folder / "refused"}).exit_code, 2);
}

}  // namespace
}  // namespace assay::test
