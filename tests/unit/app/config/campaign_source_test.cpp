// SPDX-License-Identifier: Apache-2.0
// Operands of run and plan: files, names of campaigns, standard input, and a measurement with settings.
#include "app/config/campaign_source.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "support/environment/scratch.hpp"

namespace assay::test {
namespace {

class CampaignSources : public testing::Test {
 protected:
  CampaignSources() {
    for (const char* name : {"quick.ini", "logp.ini", "notes.txt"})
      std::ofstream(folder_.path() / name) << "[series.a]\nmeasurement = a/b\n";
    places_ = {{"/does/not/exist", folder_.path().string()}, {"sync/lock"}, &input_};
  }

  Scratch folder_;
  std::istringstream input_{"[series.x]\n"};
  CampaignPlaces places_;
};

TEST_F(CampaignSources, AWordIsACampaignThatComesWithTheProgram) {
  const auto sources = campaign_sources({"quick", "some/path.ini"}, places_);
  ASSERT_EQ(sources.size(), 2U);
  EXPECT_EQ(sources[0].name, (folder_.path() / "quick.ini").string());
  EXPECT_EQ(sources[0].title(), "quick");
  EXPECT_FALSE(sources[0].text);
  EXPECT_EQ(sources[1].name, "some/path.ini");
  EXPECT_EQ(known_campaigns(places_.folders).size(), 2U) << "a text is no campaign";
  EXPECT_THROW(campaign_sources({"quik"}, places_), ConfigError);
  EXPECT_THROW(campaign_sources({"notes"}, places_), ConfigError);
}

TEST_F(CampaignSources, AMinusIsStandardInput) {
  const auto sources = campaign_sources({"-"}, places_);
  ASSERT_EQ(sources.size(), 1U);
  EXPECT_EQ(sources[0].text, "[series.x]\n");
  std::istringstream endless(std::string((1U << 20U) + 1, ' '));
  places_.input = &endless;
  EXPECT_THROW(campaign_sources({"-"}, places_), ConfigError);
}

TEST_F(CampaignSources, AMeasurementWithSettingsIsASeries) {
  const auto sources = campaign_sources({"sync/lock", "lock=mutex,spinlock", "eps=1%"}, places_);
  ASSERT_EQ(sources.size(), 1U);
  EXPECT_EQ(sources[0].text,
            "[campaign]\ntitle = lock\n[series.lock]\nmeasurement = sync/lock\nlock = mutex,spinlock\neps = 1%\n");
  EXPECT_TRUE(campaign_sources({"sync/lock"}, places_).front().text) << "without settings too";
  EXPECT_TRUE(campaign_sources({"my/own", "bytes=8"}, places_).front().text) << "a plugin may know it";
  EXPECT_FALSE(campaign_sources({"my/own"}, places_).front().text) << "a path";
  for (const char* wrong : {"lock", "=mutex", "lock=mutex\n[series.other]"})
    EXPECT_THROW(campaign_sources({"sync/lock", wrong}, places_), ConfigError) << wrong;
}

}  // namespace
}  // namespace assay::test
