// SPDX-License-Identifier: Apache-2.0
// The capability model of synthetic results: known parameters come back, and an access that breaks it is named.
#include "record/capability/capability.hpp"

#include <gtest/gtest.h>

#include <map>

#include "record/capability/cells.hpp"
#include "support/records/line_results.hpp"

namespace assay {
namespace {

using namespace capability;
using test::ResultJournal;

const DerivedRecord& named(const std::vector<DerivedRecord>& records, const std::string& name) {
  for (const DerivedRecord& record : records)
    if (record.name == name) return record;
  throw std::out_of_range(name);
}

int misses(const std::vector<DerivedRecord>& records) {
  int count = 0;
  for (const DerivedRecord& record : records) count += record.name == fit_name && !record.derived.valid ? 1 : 0;
  return count;
}

TEST(Capability, KnownParametersComeBack) {
  const test::LineTruth truth;
  const auto records = derive(group_by_series(test::line_results(truth).records()));
  for (const auto& [name, value] : {std::pair{local_name, truth.local},
                                    {remote_name, truth.remote},
                                    {memory_name, truth.memory},
                                    {operation_name, truth.cas},
                                    {invalidation_name, truth.sharer}}) {
    const Derived& found = named(records, name).derived;
    EXPECT_TRUE(found.valid) << name;
    EXPECT_NEAR(found.value, value, 1e-6) << name;
    EXPECT_TRUE(found.interval.contains(value)) << name;
  }
  EXPECT_EQ(named(records, remote_name).group.find("placement")->index(), 2U);
  EXPECT_EQ(*named(records, invalidation_name).group.find("sharers"), Value(std::int64_t{1}));
  EXPECT_EQ(misses(records), 0);
}

TEST(Capability, AnAccessThatTheModelMissesIsNamed) {
  const auto odd = test::line_point("cas", "exclusive", "other", 2);
  const auto records = derive(group_by_series(test::line_results({}, [&](const Point& point, double time) {
                                                return point == odd ? 2 * time : time;
                                              }).records()));
  EXPECT_GE(misses(records), 1);
  bool is_named = false;
  for (const DerivedRecord& record : records)
    is_named |= record.name == fit_name && record.group == odd && !record.derived.valid;
  EXPECT_TRUE(is_named);
  EXPECT_GT(named(records, misfit_name).derived.value, 5);
}

TEST(Capability, ModelsOfDifferentVehiclesAreFittedApart) {
  ResultJournal journal = test::line_results({});
  test::LineTruth slower;
  slower.remote = 300;
  const ResultJournal processes = test::line_results(slower);
  for (const Record& record : processes.records()) {
    Record copy = record;
    if (auto* point = std::get_if<PointRecord>(&copy)) {
      point->point.set("vehicle", std::string("process"));
      journal.add(std::move(copy));
    }
  }
  const auto records = derive(group_by_series(journal.records()));
  std::vector<double> remote;
  for (const DerivedRecord& record : records)
    if (record.name == remote_name) remote.push_back(record.derived.value);
  ASSERT_EQ(remote.size(), 2U);
  EXPECT_NEAR(std::min(remote[0], remote[1]), 130, 1e-6);
  EXPECT_NEAR(std::max(remote[0], remote[1]), 300, 1e-6);
}

// A virtual machine moves its CPUs: what is near and what is far has parameters of its own, and neither is missed.
TEST(Capability, MembersAtTwoDistancesAreFittedApart) {
  test::LineTruth far;
  far.remote = 480;
  const ResultJournal elsewhere = test::line_results(far);
  ResultJournal journal = test::line_results({});
  const auto at_distance = [](PointRecord& point, double distance) {
    for (Result& result : point.results) result.state.distance_ns = distance;
  };
  std::vector<Record> records(journal.records().begin(), journal.records().end());
  for (Record& record : records) {
    auto* point = std::get_if<PointRecord>(&record);
    if (point == nullptr || point->point.level("members") == Value(std::int64_t{1})) continue;
    at_distance(*point, 100);
    for (const Record& other : elsewhere.records()) {
      const auto* same = std::get_if<PointRecord>(&other);
      if (same == nullptr || !(same->point == point->point)) continue;
      PointRecord moved = *same;
      at_distance(moved, 400);
      point->others = moved.results;
      for (Result& result : point->others) result.state_share = 0.3;
    }
  }
  const auto derived = derive(group_by_series(records));
  std::map<std::int64_t, double> remote;
  for (const DerivedRecord& record : derived)
    if (record.name == remote_name)
      remote[std::get<std::int64_t>(*record.group.find(distance_factor))] = record.derived.value;
  ASSERT_EQ(remote.size(), 2U);
  EXPECT_NEAR(remote.at(100), 130, 1e-6);
  EXPECT_NEAR(remote.at(400), 480, 1e-6);
  EXPECT_EQ(misses(derived), 0);
  EXPECT_EQ(named(derived, local_name).group.find(distance_factor), nullptr);
}

TEST(Capability, ContentionIsTheTimeOfManyOverThatOfOne) {
  ResultJournal journal;
  journal.series("contended", "sync/line_contended", {"time"});
  for (const auto& [members, time] : {std::pair{1, 6.0}, {2, 30.0}, {4, 90.0}})
    journal.point({{"operation", std::string("fetch-add")},
                   {"vehicle", std::string("thread")},
                   {"members", std::int64_t{members}},
                   {"placement", std::string(members == 1 ? "bound" : "same-l3")}},
                  {time});
  const auto records = derive(group_by_series(journal.records()));
  ASSERT_EQ(records.size(), 2U);
  EXPECT_NEAR(records[0].derived.value, 5, 1e-9);
  EXPECT_NEAR(records[1].derived.value, 15, 1e-9);
  EXPECT_TRUE(records[0].derived.interval.contains(5));
}

TEST(Capability, IndependentAccessesAreNoPartOfIt) {
  ResultJournal journal;
  journal.series("lines", "sync/line", {"time"});
  journal.point({{"operation", std::string("load")}, {"access", std::string("independent")}}, {8.0});
  EXPECT_TRUE(derive(group_by_series(journal.records())).empty());
}

}  // namespace
}  // namespace assay
