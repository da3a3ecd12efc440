// SPDX-License-Identifier: Apache-2.0
// What is said about each mistake of a campaign file, byte by byte; where each stands, unit tests assert.
#include "app/config/description_check.hpp"
#include "support/environment/golden.hpp"
#include "unit/app/plan_fixture.hpp"

namespace assay::test {
namespace {

class ConfigGolden : public PlanTest {
 protected:
  void add(const std::string& lines, const std::vector<std::string>& problems) {
    told_ += lines + (lines.ends_with('\n') || lines.empty() ? "" : "\n");
    for (const std::string& problem : problems) told_ += "  " + problem + "\n";
  }
  template <class Mistakes>
  void add_all(const std::string& title, const Mistakes& mistakes) {
    told_ += "\n== " + title + "\n";
    for (const Mistake& mistake : mistakes) add(mistake.lines, told(mistake));
  }

  std::string told_;
};

TEST_F(ConfigGolden, EveryMistakeByItself) {
  add_all("series", series_mistakes);
  add_all("numbers and ranges", number_mistakes);
  add_all("refined factors", refine_mistakes);
  add_all("derived values", derived_mistakes);
  add_all("precision", precision_mistakes);
  add_all("placements", placement_mistakes);
  add_all("placements that the machine lacks", machine_lacks);
  add_all("patterns", pattern_mistakes);
  add_all("sections and the campaign", file_mistakes);
  add_all("what is not expanded or included", expansion_mistakes);
  told_ += "\n== overrides\n";
  for (const char* set : override_mistakes) {
    overrides_.set = {set};
    add("", told({"", ""}));
  }
  overrides_.set = {"precision.eps=2%", "precision.eps=3%"};
  add("", told({"", ""}));
  told_ += "\n== files\n";
  add("/dev/zero", problems_of({"/dev/zero"}));
  add("", problems(""));
  EXPECT_TRUE(matches_golden(told_, "program/config_errors.txt"));
}

TEST(DescriptionGolden, EveryFault) {
  Description bad{.name = "bad\033[1m", .summary = "one event"};
  bad.factors = {
      {.name = "kind", .standard = std::string("c"), .words = {"a", "b"}},
      {.name = "kind", .kind = FactorKind::quantitative, .standard = std::string("c")},
      {.name = "eps", .kind = FactorKind::quantitative, .unit = static_cast<Unit>(99), .standard = std::int64_t{8}},
      {.name = "od d", .standard = std::string("a")}};
  bad.members = {3, 2};
  bad.selector = "sort";
  bad.quantities[0].unit = static_cast<Unit>(99);
  bad.quantities[0].claimant = 7;
  bad.quantities.emplace_back();
  bad.traits.vehicles = {"horse"};
  bad.traits.events_per_rep = 0;
  bad.traits.reps.least = Reps{0};
  Description empty{.name = "mine/empty", .summary = "nothing"};
  empty.quantities.clear();
  empty.traits.vehicles.clear();
  std::string told;
  for (const Description& one : {bad, empty})
    for (const std::string& fault : faults_of(one)) told += fault + "\n";
  EXPECT_TRUE(matches_golden(told, "program/config_descriptions.txt"));
}

}  // namespace
}  // namespace assay::test
