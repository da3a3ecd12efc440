// SPDX-License-Identifier: Apache-2.0
// Reference documents: their tables are those of the program as it is.
#include "app/shell/reference.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "app/shell/guide.hpp"
#include "support/environment/golden.hpp"
#include "support/environment/paths.hpp"

namespace assay::test {
namespace {

class ReferenceDocument : public testing::TestWithParam<const char*> {};

// Where this fails, tools/reference makes the tables anew.
TEST_P(ReferenceDocument, HasTheTablesOfTheProgram) {
  std::ifstream file(source_directory() + "/doc/" + GetParam(), std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  ASSERT_NE(text.find("<!-- table: "), std::string::npos);
  const auto renewed = with_tables_renewed(text);
  EXPECT_TRUE(text == renewed) << "tools/reference makes it anew: " << first_difference(text, renewed);
}

INSTANTIATE_TEST_SUITE_P(All, ReferenceDocument, testing::Values("commands.md", "configuration.md"),
                         [](const auto& one) {
                           const std::string name(one.param);
                           return name.substr(0, name.find('.'));
                         });

TEST(Reference, RenewsWhatStandsBetweenTheMarks) {
  const std::string table = reference_table("exit codes");
  EXPECT_EQ(with_tables_renewed("a\n<!-- table: exit codes -->\nold\n<!-- end of table -->\nb\n"),
            "a\n<!-- table: exit codes -->\n\n" + table + "\n<!-- end of table -->\nb\n");
  EXPECT_EQ(with_tables_renewed("no table\n"), "no table\n");
}

TEST(Reference, RefusesWhatIsNoTable) {
  EXPECT_THROW(with_tables_renewed("<!-- table: nonsense --><!-- end of table -->"), std::invalid_argument);
  EXPECT_THROW(with_tables_renewed("<!-- table: environment -->"), std::invalid_argument);
  EXPECT_THROW(with_tables_renewed("<!-- table: environment <!-- end of table -->"), std::invalid_argument);
  EXPECT_THROW(reference_table("keys of nothing"), std::invalid_argument);
}

TEST(Reference, EveryOptionAndKeyHasARow) {
  const auto text = reference_table("commands");
  for (const CommandInfo& command : shown_commands())
    for (const CommandOption& option : command.options)
      EXPECT_NE(text.find("`--" + option.name + (option.argument.name.empty() ? "" : " " + option.argument.name) + "`"),
                std::string::npos)
          << command.name << " --" << option.name;
  for (const OptionInfo& option : option_table())
    EXPECT_NE(reference_table("keys " + option.section).find("| `" + option.name + "` |"), std::string::npos)
        << option.name;
}

TEST(Reference, NoRowHasMoreCellsThanItsHead) {
  for (const char* section : {"campaign", "precision", "series", "variant"}) {
    std::istringstream lines(reference_table("keys " + std::string(section)));
    for (std::string line; std::getline(lines, line);) {
      int bars = 0;
      for (std::size_t i = 0; i < line.size(); ++i) bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
      EXPECT_EQ(bars, 5) << line;
    }
  }
}

}  // namespace
}  // namespace assay::test
