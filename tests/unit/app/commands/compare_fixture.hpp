// SPDX-License-Identifier: Apache-2.0
// Campaigns on disk that `assay compare` is called with.
#pragma once
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "record/journal/journal.hpp"
#include "support/environment/scratch.hpp"
#include "support/machines/fake_clock.hpp"
#include "text/json.hpp"
#include "unit/record/compared.hpp"

namespace assay::test {

/// Options that mean nothing for two campaigns.
inline const std::vector<std::vector<std::string>> wrong_options = {
    {"--margin", "much"}, {"--margin", "-1%"},    {"--q", "0"},
    {"--q", "100%"},      {"--quantity", "tiem"}, {"--quantity", "time", "--all"},
    {"--base", "x"},      {"--factor", "n"},      {"--format", "jsn"}};

/// Two campaigns on disk, the second `slower_` times slower at the first of their points.
class CompareTest : public testing::Test {
 protected:
  CompareTest() {
    for (std::int64_t n = 1; n <= 3; ++n) {
      a_.points.push_back(compared_point(n, compared_result(100 * static_cast<double>(n))));
      b_.points.push_back(compared_point(n, compared_result(100 * static_cast<double>(n))));
    }
  }

  std::string write(const std::string& name, const ComparedCampaign& campaign) const {
    const FakeClock clock;
    Journal journal(folder_ / name, clock);
    for (const Record& record : campaign.records()) journal.write(record);
    return folder_ / name;
  }

  int call(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "compare");
    out_.str("");
    err_.str("");
    AppContext context{out_, err_};
    return run_program(
        arguments, [](Registry&, std::string_view) {}, context);
  }
  int call_both(std::vector<std::string> options = {}) {
    ++calls_;
    options.insert(options.begin(), {write("a" + std::to_string(calls_), a_), write("b" + std::to_string(calls_), b_)});
    return call(options);
  }
  /// What the report for programs says of both, or of the levels of one: a count, by its name.
  std::int64_t counted(const char* name, std::vector<std::string> options = {}) {
    options.insert(options.end(), {"--format", "json"});
    call_both(std::move(options));
    return parse_json(out_.str()).at("counts").at(name).integer();
  }
  std::int64_t counted_in(const std::string& path, const char* name, const std::string& base) {
    call({path, "--base", base, "--format", "json"});
    return parse_json(out_.str()).at("counts").at(name).integer();
  }
  void change(std::size_t point, double ratio) {
    for (IncarnationMedian& process : b_.points[point].results[0].processes) process.value *= ratio;
  }

  /// A campaign of three levels of a factor, the first of which is slower.
  ComparedCampaign with_levels() const {
    ComparedCampaign all = a_;
    all.points.clear();
    for (const auto& [level, ratio] : {std::pair("new", 1.1), std::pair("old", 1.0), std::pair("odd", 1.0)})
      for (PointRecord point : a_.points) {
        point.point.set("variant", std::string(level));
        for (IncarnationMedian& process : point.results[0].processes) process.value *= ratio;
        all.points.push_back(point);
      }
    all.campaign.configuration = "[series.one]\nvariant = old, new, odd\n";
    return all;
  }
  /// Two levels of twenty visits each, one after the other, or in turn.
  ComparedCampaign measured(bool in_turn) const {
    ComparedCampaign all = a_;
    all.points.clear();
    for (int level = 0; level < 2; ++level) {
      PointRecord point = a_.points[0];
      point.point.set("variant", std::string(level == 0 ? "old" : "new"));
      all.points.push_back(point);
      for (int i = 0; i < 20; ++i) {
        VisitRecord visit;
        visit.series = point.series;
        visit.point = point.point;
        visit.visit = in_turn ? 2 * i + level : 20 * level + i;
        all.visits.push_back(visit);
      }
    }
    return all;
  }

  Scratch folder_;
  ComparedCampaign a_;
  ComparedCampaign b_;
  std::ostringstream out_;
  std::ostringstream err_;
  int calls_ = 0;
};

}  // namespace assay::test
