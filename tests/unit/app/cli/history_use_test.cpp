// SPDX-License-Identifier: Apache-2.0
// `assay history` where the program that keeps histories was not built, and wrong use of it.
#include <gmock/gmock-matchers.h>

#include <sstream>

#include "app/cli/command.hpp"

namespace assay {
namespace {

using testing::HasSubstr;

struct Said {
  int code;
  std::string err;
};

Said say(std::vector<std::string> arguments) {
  std::ostringstream out;
  std::ostringstream err;
  AppContext context{out, err};
  arguments.insert(arguments.begin(), "history");
  const int code = run_program(
      arguments, [](Registry&, std::string_view) {}, context);
  return {code, err.str()};
}

// Beside the test program there is none that keeps histories.
TEST(HistoryUse, WithoutItsProgramSaysWhatToInstall) {
  const Said said = say({"list"});
  EXPECT_EQ(said.code, 3);
  EXPECT_THAT(said.err, HasSubstr("libsqlite3-dev"));
}

TEST(HistoryUse, WrongUseIsToldBeforeAnythingIsDone) {
  EXPECT_EQ(say({"ad", "x"}).code, 2);
  EXPECT_THAT(say({"ad", "x"}).err, HasSubstr("'add'"));
  EXPECT_THAT(say({"list", "x"}).err, HasSubstr("'x'"));
  EXPECT_THAT(say({"list", "--strict"}).err, HasSubstr("--strict"));
  EXPECT_THAT(say({"accept", "x"}).err, HasSubstr("--output"));
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"add"},
                                             {"list", "x"},
                                             {"list", "--strict"},
                                             {"check", "x", "--accepted", "a", "--file", "b"},
                                             {"accept", "x"}})
    EXPECT_EQ(say(wrong).code, 2) << wrong.front();
}

}  // namespace
}  // namespace assay
