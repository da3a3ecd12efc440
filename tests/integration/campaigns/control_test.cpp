// SPDX-License-Identifier: Apache-2.0
// Negative control: the same thing under two names, measured in turn, shows no difference.
#include <gmock/gmock-matchers.h>

#include "support/programs/program.hpp"

namespace assay::test {
namespace {

TEST(Control, TheSameMechanismUnderTwoNamesIsTheSame) {
  const Scratch folder;
  const Finished measured = run_campaign_text(folder, R"([precision]
rule = fixed:96
incarnations = 20
max-incarnations = 20
warm-up = 0ms
[variant.again]
env.SOME = thing
[series.law]
measurement = synthetic/normal
placement = unbound
spread = 0.02
between = 0.005
variant = plain, again
)",
                                              {"--set", "campaign.seed=1"});
  ASSERT_EQ(measured.exit_code, 0) << measured.err;
  const Finished compared = run_assay({"compare", folder / "campaign", "--factor", "variant"});
  EXPECT_EQ(compared.exit_code, 0) << compared.out << compared.err;
  EXPECT_THAT(compared.out, testing::HasSubstr("0 slower, 0 faster, 1 same, 0 unclear"));
}

}  // namespace
}  // namespace assay::test
