// SPDX-License-Identifier: Apache-2.0
// Results on disk as sub-commands use them: shown, exported, counted, and refused.
#include "app/results/results.hpp"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

#include "app/cli/command.hpp"
#include "support/machines/fake_clock.hpp"
#include "unit/app/plan_fixture.hpp"

namespace assay::test {
namespace {

PointRecord point_record(Outcome outcome, bool with_result) {
  PointRecord record;
  record.series = "one";
  record.measurement = "demo/solo";
  record.point.set("wait", std::int64_t{5});
  record.outcome = outcome;
  if (with_result) {
    Result result;
    result.quantity = "time";
    result.verdict.outcome = outcome;
    result.headline = {"median", 12.5, {12, 13, 0.95}, "visits"};
    record.results.push_back(result);
  }
  return record;
}

class ResultsTest : public PlanTest {
 protected:
  std::string campaign() {
    const auto path = (folder_ / "results").string();
    FakeClock clock;
    Journal journal(path, clock);
    journal.write(CampaignRecord{"demo", "", 1, "interleaved"});
    journal.write(SeriesRecord{"one", "demo/solo", {Quantity{}}, "median-ci"});
    journal.write(VisitRecord{});
    journal.write(point_record(Outcome::converged, true));
    return path;
  }

  int call(const std::vector<std::string>& arguments) {
    out_.str("");
    err_.str("");
    AppContext context{out_, err_};
    return run_program(
        arguments, [](Registry&, std::string_view) {}, context);
  }

  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(ResultsTest, TablesNeedNoVisits) {
  const auto path = campaign();
  EXPECT_EQ(read_tabled(path, 10).records.size(), 3U);
  EXPECT_EQ(read_results("test", path, err_).size(), 4U);
}

TEST_F(ResultsTest, TablesOfManyPointsHaveTheFirstOfThemWithTheirLatestRecords) {
  const auto path = (folder_ / "many").string();
  FakeClock clock;
  Journal journal(path, clock);
  for (const Outcome outcome : {Outcome::failed, Outcome::converged})
    for (std::int64_t i = 0; i < 20; ++i) {
      PointRecord record = point_record(outcome, false);
      record.point.set("wait", i);
      journal.write(record);
      journal.write(NoteRecord{"note " + std::to_string(i)});
    }
  const Tabled tabled = read_tabled(path, 5);
  EXPECT_EQ(tabled.left_out, 15U);
  std::map<std::string, Outcome> latest;
  std::vector<std::string> notes;
  for (const Record& record : tabled.records) {
    if (const auto* point = std::get_if<PointRecord>(&record)) latest[to_text(point->point)] = point->outcome;
    if (const auto* note = std::get_if<NoteRecord>(&record)) notes.push_back(note->text);
  }
  EXPECT_EQ(latest.size(), 5U);
  for (const auto& [point, outcome] : latest) EXPECT_EQ(outcome, Outcome::converged) << point;
  EXPECT_EQ(notes, (std::vector<std::string>{"note 15", "note 16", "note 17", "note 18", "note 19"}));
}

TEST_F(ResultsTest, OfVisitsOnePerPointAndSessionIsReadWithoutItsBatches) {
  const auto path = (folder_ / "many").string();
  FakeClock clock;
  Journal journal(path, clock);
  for (const int session : {0, 1})
    for (int i = 0; i < 5; ++i) {
      journal.write(BeginRecord{"one", {}, session, 0, i});
      VisitRecord visit{"one", {}, session, 0, i, 0, {}, {}, 0, {}, {}};
      visit.batches.resize(3);
      journal.write(visit);
    }
  const auto records = read_results("test", path, err_);
  ASSERT_EQ(records.size(), 2U);
  for (const int session : {0, 1}) {
    const auto& visit = std::get<VisitRecord>(records.at(static_cast<std::size_t>(session)));
    EXPECT_EQ(visit.session, session);
    EXPECT_TRUE(visit.batches.empty());
  }
}

TEST_F(ResultsTest, AreShownAndExported) {
  const auto path = campaign();
  EXPECT_EQ(call({"show", path}), 0);
  EXPECT_NE(out_.str().find("12.5"), std::string::npos) << out_.str();
  EXPECT_EQ(call({"export", path, "--format", "csv"}), 0);
  const auto csv = out_.str();
  EXPECT_TRUE(csv.starts_with("series,")) << csv;
  const auto file = (folder_ / "out.csv").string();
  EXPECT_EQ(call({"export", path, "--format", "csv", "--output", file}), 0);
  EXPECT_EQ(out_.str(), "");
  std::ifstream written(file, std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(written), {}), csv);
}

TEST_F(ResultsTest, FormatsAreNamed) {
  const auto path = campaign();
  EXPECT_EQ(call({"export", path}), 2);
  EXPECT_EQ(call({"export", path, "--format", "cvs"}), 2);
  EXPECT_NE(err_.str().find("'csv'"), std::string::npos) << err_.str();
}

TEST_F(ResultsTest, OptionsOfAFormatAreRefusedWithOthers) {
  const auto path = campaign();
  EXPECT_EQ(call({"export", path, "--format", "json", "--csv-raw"}), 2);
  EXPECT_NE(err_.str().find("--csv-raw"), std::string::npos) << err_.str();
  EXPECT_EQ(call({"export", path, "--format", "bencher", "--direction", "smaller"}), 2);
  EXPECT_EQ(call({"export", path, "--format", "github-action-benchmark", "--direction", "up"}), 2);
  EXPECT_EQ(call({"export", path, "--format", "csv-long", "--csv-raw"}), 0) << err_.str();
}

TEST_F(ResultsTest, FormatsOfOtherProgramsSayWhatIsMissing) {
  const auto path = campaign();
  EXPECT_EQ(call({"export", path, "--format", "parquet"}), 2);
  EXPECT_NE(err_.str().find("--output"), std::string::npos) << err_.str();
  EXPECT_EQ(call({"export", path, "--format", "csv", "--table", "points"}), 2);
  EXPECT_EQ(call({"export", path, "--format", "parquet", "--output", "x", "--anonymous"}), 2);
  const auto file = (folder_ / "points.parquet").string();
  const std::string former = std::getenv("PATH");
  ::setenv("PATH", folder_.c_str(), 1);
  EXPECT_EQ(call({"export", path, "--format", "parquet", "--output", file}), 3);
  EXPECT_NE(err_.str().find("assay-parquet"), std::string::npos) << err_.str();
  EXPECT_FALSE(std::filesystem::exists(file));
  const auto script = write("assay-parquet", "#!/bin/sh\n[ \"$1$2$3$4\" = '--output=" + file + "--table=derived--" +
                                                 path + "' ] && exit 5\nexit 8\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  EXPECT_EXIT(call({"export", path, "--format", "parquet", "--table", "derived", "--output", file}),
              ::testing::ExitedWithCode(5), "");
  ::setenv("PATH", former.c_str(), 1);
}

TEST_F(ResultsTest, AWrongNameIsTheUsersMistake) {
  EXPECT_EQ(call({"show", (folder_ / "nothing").string()}), 2);
  EXPECT_NE(err_.str().find("nothing"), std::string::npos) << err_.str();
  EXPECT_EQ(call({"show", folder_.string()}), 2);
  EXPECT_NE(err_.str(), "");
}

TEST_F(ResultsTest, DamageIsRefusedAndATornEndIsTold) {
  const auto path = campaign();
  const auto journal = path + "/" + journal_name;
  std::ofstream(journal, std::ios::app) << "{\"v\":1,\"seq";
  EXPECT_EQ(call({"show", path}), 0);
  EXPECT_NE(err_.str().find("11"), std::string::npos) << "as many bytes are torn: " << err_.str();
  std::ofstream(journal, std::ios::in).seekp(30).put('#');
  EXPECT_EQ(call({"show", path}), 5);
}

}  // namespace
}  // namespace assay::test
