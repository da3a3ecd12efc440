// SPDX-License-Identifier: Apache-2.0
// Tables that are wider than a page.
#include "record/table/block_table.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace assay {
namespace {

std::vector<std::string> lines_of(const std::vector<MarkedColumn>& columns, std::size_t labels = 1) {
  std::ostringstream out;
  print_columns(out, columns, labels);
  std::istringstream text(out.str());
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

MarkedColumn column(const std::string& header, const std::string& cell) {
  MarkedColumn made(header, "");
  made.add({cell});
  return made;
}

TEST(BlockTable, WithinTheWidthIsOneBlock) {
  EXPECT_EQ(lines_of({column("name", "here"), column("a", "1"), column("b", "2")}).size(), 2U);
}

TEST(BlockTable, WrapsByBlocksThatRepeatTheLabels) {
  std::vector<MarkedColumn> columns{column("name", "here"), column("kind", "x")};
  for (int i = 0; i < 9; ++i) {
    columns.push_back(column("a column of numbers " + std::to_string(i), std::to_string(i)));
    columns.push_back(column("", "half"));
  }
  const auto lines = lines_of(columns, 2);
  for (const std::string& line : lines) EXPECT_LE(line.size(), widest_table) << line;
  int labelled = 0;
  for (const std::string& line : lines) {
    if (!line.starts_with("here  ")) continue;
    ++labelled;
    EXPECT_TRUE(line.ends_with("half")) << "what has no header stays with its number";
  }
  EXPECT_EQ(labelled, 3);
}

}  // namespace
}  // namespace assay
