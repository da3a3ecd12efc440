// SPDX-License-Identifier: Apache-2.0
// The hundred columns of the LMbench summary: configs/lmbench.ini plans a point for each, and the layout finds it.
#include <gtest/gtest.h>

#include <cctype>
#include <sstream>

#include "app/config/config.hpp"
#include "catalog.hpp"
#include "run/session/campaign.hpp"
#include "support/environment/paths.hpp"
#include "support/records/printed_layout.hpp"
#include "unit/record/results.hpp"

namespace assay::test {
namespace {

CampaignPlan plan_of_file(const std::string& config, const Topology& topology) {
  Registry registry;
  register_all(registry);
  Catalogue catalogue;
  for (const Entry& entry : registry.entries()) catalogue.built_in.push_back(entry.description);
  return load_plan({source_directory() + "/configs/" + config}, {}, catalogue, topology);
}

/// Every quantity of the point in 1000 of its base unit.
PointRecord finished(const SeriesPlan& series, const Point& point) {
  PointRecord record = finished_point(series.name, point, plain_result(1000, 0.01));
  record.measurement = series.measurement.name;
  record.results.clear();
  for (const Quantity& quantity : series.measurement.quantities) {
    Result result = plain_result(1000, 0.01, quantity.unit);
    result.quantity = quantity.name;
    record.results.push_back(std::move(result));
  }
  return record;
}

/// What the journal of a campaign has when all that is planned before measuring has been measured.
std::vector<Record> all_records(const CampaignPlan& plan) {
  std::vector<Record> records;
  for (const SeriesPlan& series : plan.series)
    records.emplace_back(SeriesRecord{series.name, series.measurement.name, series.measurement.quantities, "fixed:5"});
  each_planned(plan,
               [&](const SeriesPlan& series, const Point& point) { records.emplace_back(finished(series, point)); });
  return records;
}

/// The words of each row that starts with a label, by the number of the row.
std::vector<std::vector<std::string>> rows_of(const std::string& text, const std::string& label) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(label + " ")) continue;
    std::istringstream words(line.substr(label.size()));
    auto& row = rows.emplace_back();
    for (std::string word; words >> word;) row.push_back(word);
  }
  return rows;
}

TEST(LmbenchSummary, HasAHundredColumnsOfEachPublishedSystem) {
  const std::string text = printed("lmbench", {});
  for (const std::string system :
       {"A (UP)", "B (UP)", "C (UP)", "D (UP)", "A (SMP)", "B (SMP)", "C (SMP)", "D (SMP)"}) {
    std::size_t numbers = 0;
    for (const auto& row : rows_of(text, system))
      for (const std::string& word : row) numbers += word != "-";
    EXPECT_EQ(numbers, 100U) << system;
  }
}

// The same hundred, and one that the document does not have: main memory read in order.
TEST(LmbenchSummary, HasANumberOfThisMachineInEachColumn) {
  const Topology topology = Topology::synthetic("pack:1 l3:1 core:2 pu:1");
  const std::string text = printed("lmbench", all_records(plan_of_file("lmbench.ini", topology)));
  std::size_t columns = 0;
  for (const auto& row : rows_of(text, "here")) {
    for (const std::string& word : row) {
      EXPECT_TRUE(word.front() >= '0' && word.front() <= '9') << word << " in\n" << text;
      ++columns;
    }
  }
  EXPECT_EQ(columns, 101U) << text;
}

TEST(LmbenchStudy, HasTheTasksWithTheirDifferences) {
  const auto rows = rows_of(printed("tasks", {}), "D: tracing on, daemon running");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"651", "204", "872", "275.08"}));
  EXPECT_EQ(rows[1], (std::vector<std::string>{"2.0%", "2.0%", "0.5%*", "1.11%"}));
  const Topology topology = Topology::synthetic("pack:1 l3:1 core:2 pu:1");
  const auto here = rows_of(printed("tasks", all_records(plan_of_file("tasks.ini", topology))), "A (here)");
  ASSERT_GE(here.size(), 1U);
  for (const std::size_t task : {std::size_t{0}, std::size_t{1}})
    EXPECT_TRUE(std::isdigit(here[0].at(task).front())) << here[0].at(task);
}

}  // namespace
}  // namespace assay::test
