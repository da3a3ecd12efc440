// SPDX-License-Identifier: Apache-2.0
// What is said of the cores of a session.
#include "record/known_cores.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

namespace assay::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> remarks_at(double usual) {
  CoresRecord record;
  record.alone = 1;
  record.cycles_per_step = 3;
  record.clocks = {{"", {usual}, {{0.73, 800}, {0.75, 200}}}};
  return core_remarks(record, true, "");
}

TEST(CoreRemarks, NameTheClockOfMostReadingsWhereValuesAreOfAnother) {
  EXPECT_THAT(remarks_at(0.75), ElementsAre(HasSubstr("are for 4 GHz, which it was at 20 % of the time, and 80 % at "
                                                      "4.11 GHz, unless stated otherwise")));
  EXPECT_THAT(remarks_at(0.73), ElementsAre(HasSubstr("are for 4.11 GHz, which it was at 80 % of the time, unless")));
}

}  // namespace
}  // namespace assay::test
