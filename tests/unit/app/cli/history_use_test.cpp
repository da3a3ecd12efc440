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
  EXPECT_THAT(said.err, HasSubstr("it was built without SQLite; install libsqlite3-dev"));
}

TEST(HistoryUse, WrongUseIsToldBeforeAnythingIsDone) {
  EXPECT_EQ(say({"ad", "x"}).code, 2);
  EXPECT_THAT(say({"ad", "x"}).err, HasSubstr("did you mean 'add'?"));
  EXPECT_THAT(say({"add"}).err, HasSubstr("nothing is named to add"));
  EXPECT_THAT(say({"list", "x"}).err, HasSubstr("unexpected 'x'"));
  EXPECT_THAT(say({"list", "--strict"}).err, HasSubstr("--strict is not for list"));
  EXPECT_THAT(say({"check", "x", "--accepted", "a", "--file", "b"}).err, HasSubstr("contradict each other"));
  EXPECT_THAT(say({"accept", "x"}).err, HasSubstr("write --output FILE"));
}

}  // namespace
}  // namespace assay
