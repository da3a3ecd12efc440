// SPDX-License-Identifier: Apache-2.0
// Listings read back as what they were, whatever their cells contain.
#include "app/results/listing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace assay::test {
namespace {

Listing sample() {
  Listing listing{"things", {"name", "count", "note"}};
  listing.facts = {{"machine", "small"}};
  listing.add({"a,b", 2, Json()});
  listing.add({"say \"x\"", -5, "one\ntwo"});
  return listing;
}

TEST(Listings, JsonReadsBackWithItsTypes) {
  std::ostringstream out;
  write_listing(out, sample(), ListingFormat::json);
  const Json read = parse_json(out.str());
  EXPECT_EQ(read.at("kind").string(), "things");
  EXPECT_EQ(read.at("machine").string(), "small");
  ASSERT_EQ(read.at("rows").array().size(), 2U);
  const Json& second = read.at("rows").array()[1];
  EXPECT_EQ(second.at("name").string(), "say \"x\"");
  EXPECT_EQ(second.at("count").integer(), -5);
  EXPECT_EQ(second.at("note").string(), "one\ntwo");
  EXPECT_TRUE(read.at("rows").array()[0].at("note").is_null());
}

TEST(Listings, CsvQuotesWhatHasToBeQuoted) {
  std::ostringstream out;
  write_listing(out, sample(), ListingFormat::csv);
  EXPECT_EQ(out.str(), "name,count,note\r\n\"a,b\",2,\r\n\"say \"\"x\"\"\",-5,\"one\ntwo\"\r\n");
}

TEST(Listings, WrappedTablesFitAndLoseNothing) {
  std::string text;
  for (int i = 0; i < 90; ++i) text += "word" + std::to_string(i) + " ";
  std::ostringstream out;
  print_wrapped(out, {"names", {"name", "text", "more"}, {{"a", text, text}, {"b", "short", Json()}}});
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
  for (int i = 0; i < 90; ++i) EXPECT_NE(out.str().find("word" + std::to_string(i)), std::string::npos) << i;
}

}  // namespace
}  // namespace assay::test
