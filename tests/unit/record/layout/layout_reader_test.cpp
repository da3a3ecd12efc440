// SPDX-License-Identifier: Apache-2.0
// Layout files: what they say, and every mistake in one go.
#include "record/layout/layout_spec.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <set>

#include "base/error.hpp"
#include "record/layout/layouts.hpp"

namespace assay {
namespace {

const TextOf no_reference = [](const std::string&) { return std::nullopt; };

LayoutSpec read_layout(const std::string& text) { return parse_layout(text, "dir/mine.ini", no_reference); }

std::vector<std::string> problems(const std::string& text) {
  std::vector<std::string> texts;
  try {
    read_layout(text);
  } catch (const ConfigError& error) {
    for (const Problem& problem : error.problems()) texts.push_back(to_text(problem));
  }
  return texts;
}

TEST(LayoutReader, ReadsValuesTablesAndItems) {
  const LayoutSpec spec = read_layout(R"(
[layout]
summary = "a summary"
baseline = Other (1999)
[attributes]
page = variant, memory.page_size
[values]
plain = sync/lock
rich = rate of sync/handover where style=condvar, placement=smt|same-l2, size=64Ki
[table.first]
title = A title
unit = us
rows = systems
column.a = "The label" plain / 2
column.b = 1 - plain / rich as percent
column.c = rich in MB/s
[table.second]
rows = factor toplevel: 1..4 +1
columns = systems by page: 4096, 8192
cell = min(plain over children)
row.last = plain as more locks taken
bars = yes
)");
  EXPECT_EQ(spec.name, "mine");
  EXPECT_EQ(spec.attributes.at(0).sources, (std::vector<std::string>{"variant", "memory.page_size"}));
  EXPECT_EQ(spec.values.at(0).measurement, "sync/lock");
  EXPECT_EQ(spec.values.at(1).quantity, "rate");
  EXPECT_EQ(spec.values.at(1).where,
            (NamedTexts{{"style", "condvar"}, {"placement", "smt|same-l2"}, {"size", "65536"}}));
  const TableSpec& first = spec.tables.at(0);
  EXPECT_EQ(first.column_items.at(0).label, "The label");
  EXPECT_EQ(first.column_items.at(0).text, "plain / 2");
  EXPECT_EQ(first.column_items.at(1).style, Style::percent);
  EXPECT_EQ(first.column_items.at(2).unit, "MB/s");
  const TableSpec& second = spec.tables.at(1);
  EXPECT_EQ(second.rows.levels, (std::vector<std::string>{"1", "2", "3", "4"}));
  EXPECT_EQ(second.columns.name, "page");
  EXPECT_EQ(second.row_items.at(0).words, "locks taken");
  EXPECT_TRUE(second.bars);
}

TEST(LayoutReader, TellsAllMistakesWithTheirPlaces) {
  const auto found = problems(R"([layout]
sumary = x
[valus]
[values]
a = sync/lock were x=1
b = time of sync/lock where x
[table.t]
rows = system
column.a = a +
column.b = c / 2
unit = furlong
column.d = a as bold
)");
  std::set<std::string> places;
  for (const std::string& problem : found) places.insert(problem.substr(0, problem.find(": error: ")));
  EXPECT_EQ(found.size(), 10U);
  for (const char* place : {"2:1", "3:1", "5:15", "6:29", "7:1", "8:8", "9:15", "10:12", "11:8", "12:17"})
    EXPECT_TRUE(places.contains("dir/mine.ini:" + std::string(place))) << place;
}

TEST(LayoutReader, WantsACellWhereAxesCross) {
  EXPECT_THAT(problems("[values]\na = sync/lock\n[table.t]\nrows = systems\ncolumns = factor size\n"),
              testing::SizeIs(1));
  EXPECT_THAT(problems("[values]\na = sync/lock\n[table.t]\nrows = systems\n"), testing::SizeIs(1));
}

TEST(LayoutReader, DescribesRowsByAttributesThatItDeclares) {
  const std::string head = "[attributes]\npage = memory.page_size\n[values]\na = sync/lock\n[table.t]\ncolumn.a = a\n";
  EXPECT_EQ(read_layout(head + "rows = systems\nabout = library, page\n").tables.at(0).about,
            (std::vector<std::string>{"library", "page"}));
  EXPECT_THAT(problems(head + "rows = systems\nabout = pages\n"),
              testing::ElementsAre(testing::StartsWith("dir/mine.ini:8:9")));
  EXPECT_THAT(problems(head + "rows = factor size\nabout = page\n"),
              testing::ElementsAre(testing::StartsWith("dir/mine.ini:5:1")));
}

TEST(LayoutReader, TellsWhatIsWrongWithItsReference) {
  EXPECT_THAT(problems("[layout]\nreference = none.json\n"), testing::ElementsAre(testing::HasSubstr("none.json")));
  const TextOf broken = [](const std::string&) { return std::string("{\"source\": \"x\", \"odd\": 1}"); };
  try {
    parse_layout("[layout]\nreference = r.json\n", "l.ini", broken);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("'odd'"));
  }
}

TEST(LayoutReader, ReadsEveryLayoutThatComesWithTheProgram) {
  int layouts = 0;
  for (const ShippedFile& file : shipped_files())
    if (file.name.ends_with(".ini")) {
      ++layouts;
      EXPECT_TRUE(find_layout(file.name.substr(0, file.name.size() - 4))) << file.name;
    }
  EXPECT_GT(layouts, 0);
}

}  // namespace
}  // namespace assay
