// SPDX-License-Identifier: Apache-2.0
// No number passes through a locale, whatever the environment or a plugin sets.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/environment/paths.hpp"
#include "support/programs/program.hpp"

namespace assay::test {
namespace {

const char* const ini = R"([precision]
rule = fixed:16
incarnations = 1
warm-up = 0.5ms
[series.a]
measurement = synthetic/constant
placement = unbound
)";

// What the program says of the same files under some environment.
std::string said(const Scratch& folder, const std::vector<std::string>& environment) {
  std::string text;
  const std::vector<std::vector<std::string>> commands = {{"show", folder / "campaign"},
                                                          {"export", folder / "campaign", "--format", "csv"},
                                                          {"plan", folder / "campaign.ini"}};
  for (const auto& command : commands) {
    const auto finished = run_assay(command, environment);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    text += finished.out;
  }
  return text;
}

bool has_comma_locale() { return std::filesystem::exists(locale_directory() + "/de_DE.UTF-8"); }
const std::string locale_path = "LOCPATH=" + locale_directory();

TEST(Faults, F50_no_locale_of_the_environment_changes_what_is_written_or_read) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, ini).exit_code, 0);
  const auto plain = said(folder, {"LC_ALL=C"});
  EXPECT_EQ(said(folder, {"LC_ALL=de_DE.UTF-8", locale_path}), plain);
  EXPECT_EQ(said(folder, {"LC_ALL=xx_XX.UTF-8", "LANG=xx_XX"}), plain) << "a locale that does not exist";
}

TEST(Faults, F50_a_plugin_that_sets_the_locale_is_tolerated) {
  if (!has_comma_locale()) GTEST_SKIP() << "localedef made no locale with decimal commas when this was configured";
  const Scratch folder;
  const std::string campaign = "[campaign]\nplugins = " + comma_plugin_path() +
                               "\n[precision]\nrule = fixed:16\nincarnations = 1\nwarm-up = 0.5ms\n"
                               "[series.comma]\nmeasurement = example/comma\nshare = 0.25, 12345.5\n"
                               "placement = unbound\n";
  std::filesystem::create_directory(folder / "empty");
  const auto finished = run_campaign_text(folder, campaign, {}, {locale_path});
  ASSERT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  const auto points = points_of(campaign_records(folder), "comma");
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].point.text("share") == "0.25" || points[0].point.text("share") == "12345.5", true);
  for (const auto& point : points) {
    ASSERT_EQ(point.results.size(), 1U) << point.reason;
    EXPECT_GE(point.results[0].summary.n, 16U);
    EXPECT_GT(point.results[0].headline.value, 0);
  }
  const auto missing =
      run_campaign_text(folder, campaign, {"--output", folder / "other"}, {"LOCPATH=" + (folder / "empty")});
  EXPECT_NE(missing.exit_code, 0) << "without its locale the plugin ends, so that the first part said something";
}

}  // namespace
}  // namespace assay::test
