// SPDX-License-Identifier: Apache-2.0
// The report on a cluster for programs: JSON, OpenMetrics, and the files of Prometheus' node exporter.
#include <gmock/gmock-matchers.h>
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "golden/samples/cluster_samples.hpp"
#include "platform/file/append_file.hpp"
#include "record/export/exports.hpp"
#include "support/environment/golden.hpp"
#include "text/json.hpp"

namespace assay {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

std::vector<Record> sample() {
  auto records = test::cluster_records();
  records.insert(records.begin(), SessionRecord{0, "2026-11-25T12:00:00Z", "assay cluster", {}});
  for (int i = 0; i < 6; ++i)
    records.emplace_back(NodeRecord{"n" + std::to_string(i), {{"kernel.release", i == 2 ? "6.1.0" : "6.1.1"}}});
  return records;
}

std::string exported(decltype(&write_cluster_json) write, const std::vector<Record>& records) {
  std::ostringstream out;
  write(out, {records, {}}, {});
  return out.str();
}

const Json& named(const Json::Array& items, const char* key, const std::string& name) {
  for (const Json& item : items)
    if (item.at(key).string() == name) return item;
  ADD_FAILURE() << "no " << key << " is " << name;
  return items.front();
}

TEST(ExportClusterJson, VerdictsHaveValuesAndCauses) {
  const Json whole = parse_json(exported(write_cluster_json, sample()));
  EXPECT_EQ(whole.at("format").string(), "assay-cluster");
  EXPECT_EQ(whole.at("started").string(), "2026-11-25T12:00:00Z");
  EXPECT_TRUE(whole.at("deviating").boolean());
  EXPECT_EQ(whole.at("compared").integer(), 6);
  const Json& slow = named(whole.at("nodes").array(), "node", "n2");
  EXPECT_EQ(slow.at("verdict").string(), "slow");
  EXPECT_NEAR(slow.at("against").at("value").number(), 0.622, 0.001);
  EXPECT_LT(slow.at("against").at("low").number(), slow.at("against").at("high").number());
  EXPECT_EQ(slow.at("against_in").string(), "copy");
  EXPECT_EQ(slow.at("causes").array().size(), 2U) << "shared cores, another kernel";
  EXPECT_TRUE(named(whole.at("nodes").array(), "node", "n0").at("against").is_null());
  EXPECT_EQ(named(whole.at("links").array(), "peer", "n1").at("node").string(), "n0");
  const Json& fact = named(whole.at("facts").array(), "fact", "kernel.release");
  EXPECT_EQ(fact.at("usual").string(), "6.1.1");
  EXPECT_EQ(fact.at("others").array().at(0).at("nodes").array().at(0).string(), "n2");
}

TEST(ExportClusterJson, TablesAreWhatVerdictsRestOn) {
  const Json whole = parse_json(exported(write_cluster_json, sample()));
  const Json& copy = named(whole.at("tables").array(), "series", "copy");
  EXPECT_EQ(copy.at("unit").string(), "B/s");
  EXPECT_NEAR(named(copy.at("rows").array(), "node", "n2").at("value").number(), 6.1e9, 1);
  EXPECT_EQ(named(copy.at("rows").array(), "node", "n2").at("verdict").string(), "slow");
  const Json& trip = named(whole.at("tables").array(), "series", "trip");
  EXPECT_EQ(trip.at("links").array().size(), 10U);
  EXPECT_FALSE(trip.at("rows").array().at(0).at("value").is_null()) << "the median of its links";
  EXPECT_EQ(trip.at("parameters").at("bytes").integer(), 8);
  EXPECT_EQ(named(whole.at("tables").array(), "series", "selfish").at("rows").array().at(0).at("cpu").string(), "0");
}

/// What a schema asks for of an object, without a program that knows schemas.
void expect_fits(const Json& object, const Json& schema, const std::string& where) {
  std::set<std::string> known;
  for (const auto& [key, of] : schema.at("properties").object()) known.insert(key);
  for (const Json& key : schema.at("required").array())
    EXPECT_NE(object.find(key.string()), nullptr) << where << " lacks " << key.string();
  for (const auto& [key, value] : object.object()) EXPECT_TRUE(known.contains(key)) << where << " has " << key;
}

TEST(ExportClusterJson, HasTheMembersOfItsSchema) {
  const std::string file = test::source_directory() + "/doc/cluster.schema.json";
  const Json schema = parse_json(read_file(file, std::size_t{1} << 20U));
  const Json whole = parse_json(exported(write_cluster_json, sample()));
  expect_fits(whole, schema, "the report");
  const Json& parts = schema.at("definitions");
  for (const auto& [list, definition] :
       {std::pair{"nodes", "node"}, {"links", "link"}, {"facts", "fact"}, {"tables", "table"}}) {
    ASSERT_FALSE(whole.at(list).array().empty()) << list;
    for (const Json& item : whole.at(list).array()) expect_fits(item, parts.at(definition), list);
  }
  for (const Json& table : whole.at("tables").array()) {
    for (const Json& row : table.at("rows").array()) expect_fits(row, parts.at("row"), "a row");
    for (const Json& link : table.at("links").array()) expect_fits(link, parts.at("row"), "a link of a table");
  }
}

TEST(ExportOpenMetrics, VerdictsOfNodesAreStates) {
  const std::string text = exported(write_openmetrics, sample());
  EXPECT_THAT(text, HasSubstr("# TYPE assay_node_verdict stateset\n"));
  EXPECT_THAT(text, HasSubstr("assay_node_verdict{node=\"n2\",assay_node_verdict=\"slow\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("assay_node_verdict{node=\"n2\",assay_node_verdict=\"ok\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("assay_node_against_others_ratio{node=\"n2\",series=\"copy\"} 0.62"));
  EXPECT_THAT(text, HasSubstr("assay_nodes{verdict=\"slow\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("assay_link_deviates{node=\"n0\",peer=\"n1\",series=\"trip\",verdict=\"slow\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("assay_campaign_start_time_seconds 1795608000\n"));
  EXPECT_THAT(text, HasSubstr("assay_campaign_complete 1\n"));
  EXPECT_THAT(text, EndsWith("# EOF\n"));
}

TEST(ExportOpenMetrics, NodesThatAScreeningDoesNotListAreWell) {
  auto records = sample();
  for (int i = 6; i < 40; ++i) records.emplace_back(NodeRecord{"n" + std::to_string(i), {}});
  const std::string text = exported(write_openmetrics, records);
  EXPECT_THAT(text, HasSubstr("assay_nodes{verdict=\"ok\"} 38\n"));
  EXPECT_THAT(text, HasSubstr("assay_nodes{verdict=\"slow\"} 2\n"));
}

TEST(ExportPrometheus, HasTheSameValuesAndOnlyTypesThatTheOlderFormatKnows) {
  const std::string text = exported(write_prometheus, sample());
  EXPECT_THAT(text, HasSubstr("# TYPE assay_node_verdict gauge\n"));
  EXPECT_THAT(text, HasSubstr("assay_node_verdict{node=\"n2\",assay_node_verdict=\"slow\"} 1\n"));
  EXPECT_THAT(text, Not(HasSubstr("stateset")));
  EXPECT_THAT(text, Not(HasSubstr("# UNIT")));
  EXPECT_THAT(text, Not(HasSubstr("# EOF")));
  const auto values = [](const std::string& all) {
    std::string kept;
    std::istringstream lines(all);
    for (std::string line; std::getline(lines, line);)
      if (!line.starts_with('#')) kept += line + '\n';
    return kept;
  };
  EXPECT_EQ(values(text), values(exported(write_openmetrics, sample())));
}

}  // namespace
}  // namespace assay
