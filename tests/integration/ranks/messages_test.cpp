// SPDX-License-Identifier: Apache-2.0
// Everything that is measured over MPI, once, among four ranks: results where there must be, reasons where not, and
// quantities that agree with each other.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/environment/paths.hpp"
#include "support/ranks/launch.hpp"

namespace assay::test {
namespace {

using testing::HasSubstr;

constexpr const char* precision = R"([precision]
rule = fixed:8
warm-up = 0ms
)";

constexpr const char* messages = R"([series.ping]
measurement = mpi/ping_pong
size = 20
mode = all
direction = one, both
content = kept, new
[series.bandwidth]
measurement = mpi/bandwidth
size = 100
window = 16
direction = one, both
[series.rate]
measurement = mpi/message_rate
window = 16
members = 4
threads = 1, 2
communicator = own, shared
[series.one-sided]
measurement = mpi/one_sided
operation = all
epoch = all
[series.collective]
measurement = mpi/collective
operation = all
form = blocking, nonblocking
members = 4
[series.defined]
measurement = mpi/collective
operation = bcast
definition = all
members = 3
[series.overlap]
measurement = mpi/overlap
operation = allreduce
tests = 0, 3
members = 4
[series.late]
measurement = mpi/collective_delayed
operation = allreduce
delay = 1us
late-rank = 0, 1
[series.partner]
measurement = mpi/partner
partner = all
members = 4
[series.master]
measurement = mpi/master_worker
chunks = 12
members = 2, 4
work = 0, 1us
[series.simple]
measurement = mpi/simple
operation = all
)";

constexpr const char* hybrid = R"([series.barrier]
measurement = hybrid/barrier
barrier = all
members = 4
threads = 1, 2
checked = all
[series.late]
measurement = hybrid/barrier_late
barrier = all
members = 4
threads = 1, 2
[series.exit]
measurement = hybrid/barrier_exit
barrier = all
members = 4
threads = 2
[series.one]
measurement = hybrid/ping_pong
level = all
[series.background]
measurement = hybrid/ping_pong
level = funneled, serialized, multiple
threads = 2
members = 4
background = blocked, receiving
[series.pairs]
measurement = hybrid/ping_pong
level = funneled, serialized, multiple
threads = 2
pairs = 2
members = 4
communicator = own, shared
[series.inside]
measurement = hybrid/ping_pong
placement = same-process
)";

/// One launch for all tests of the suite; each test looks at another part.
class Messages : public testing::Test {
 protected:
  static void run(const std::string& series, int ranks, const std::vector<std::string>& environment = {}) {
    folder_.emplace();
    finished_ = launch(*folder_, precision + series, ranks, environment);
    records_ = finished_.exit_code == 0 ? campaign_records(*folder_) : std::vector<Record>();
  }
  void SetUp() override {
    if (!has_launcher()) GTEST_SKIP() << "no assay-mpi, or no mpirun that can start two ranks";
  }
  static void TearDownTestSuite() { folder_.reset(); }

  /// Series by name: points, and those among them without a result, with the reason.
  static void expect_results(const std::map<std::string, std::size_t>& points,
                             const std::map<std::string, std::string>& exceptions) {
    ASSERT_EQ(finished_.exit_code, 0) << finished_.out << finished_.err;
    for (const auto& [series, count] : points) {
      const auto found = points_of(records_, series);
      EXPECT_EQ(found.size(), count) << series;
      for (const PointRecord& point : found) expect_result(series, point, exceptions);
    }
  }
  static void expect_result(const std::string& series, const PointRecord& point,
                            const std::map<std::string, std::string>& exceptions) {
    const std::string where = series + " " + to_text(point.point);
    const auto found = std::ranges::find_if(
        exceptions, [&](const auto& exception) { return where.find(exception.first) != std::string::npos; });
    // A loaded machine may disturb every batch of a point.
    if (found == exceptions.end())
      EXPECT_TRUE(!point.results.empty() || point.outcome == Outcome::too_noisy) << where << ": " << point.reason;
    else
      EXPECT_THAT(point.reason, HasSubstr(found->second)) << where;
  }
  /// The points of a series that have results of a quantity: on a loaded machine some have too few clean batches.
  static std::vector<PointRecord> measured(const std::string& series, const std::string& quantity) {
    auto points = points_of(records_, series);
    std::erase_if(points, [&](const PointRecord& point) {
      return std::ranges::find(point.results, quantity, &Result::quantity) == point.results.end();
    });
    return points;
  }
  static double value(const PointRecord& point, const std::string& quantity) {
    for (const Result& result : point.results)
      if (result.quantity == quantity) return result.headline.value;
    ADD_FAILURE() << "no " << quantity << " at " << to_text(point.point);
    return 0;
  }

  static inline std::optional<Scratch> folder_;
  static inline Finished finished_;
  static inline std::vector<Record> records_;
};

TEST_F(Messages, OfFourRanksAreMeasuredInEveryForm) {
  run(messages, 4);
  expect_results({{"ping", 24},
                  {"bandwidth", 2},
                  {"rate", 4},
                  {"one-sided", 9},
                  {"collective", 32},
                  {"defined", 3},
                  {"overlap", 2},
                  {"late", 2},
                  {"partner", 2},
                  {"master", 4},
                  {"simple", 6}},
                 {{"mode=ready direction=both", "a ready send requires a posted receive"}});
  for (const PointRecord& point : measured("bandwidth", "bytes"))
    EXPECT_EQ(value(point, "bytes"), point.point.text("direction") == "both" ? 3200 : 1600);
  for (const PointRecord& point : measured("rate", "rate")) EXPECT_GT(value(point, "rate"), 0);
  for (const PointRecord& point : measured("partner", "partner")) {
    EXPECT_GE(value(point, "partner"), 1);
    EXPECT_LE(value(point, "partner"), 3);
  }
  for (const PointRecord& point : measured("master", "least")) {
    const bool alone = std::get<std::int64_t>(point.point.level("members")) == 2;
    EXPECT_EQ(value(point, "most") == 12 && value(point, "least") == 12, alone) << to_text(point.point);
  }
}

TEST_F(Messages, OfThreadsOfRanksAreMeasuredAtEveryLevel) {
  run(hybrid, 4);
  expect_results(
      {{"barrier", 12}, {"late", 6}, {"exit", 3}, {"one", 4}, {"background", 6}, {"pairs", 6}, {"inside", 1}},
      {{"level=funneled communicator=own background=receiving", "needs 'level = multiple'"},
       {"level=serialized communicator=own background=receiving", "needs 'level = multiple'"}});
  for (const PointRecord& point : measured("exit", "spread")) EXPECT_TRUE(point.clock_bound) << to_text(point.point);
}

TEST_F(Messages, OfALevelThatTheLaunchDoesNotHaveAreNotApplicable) {
  run("[series.one]\nmeasurement = hybrid/ping_pong\nlevel = all\n", 2, {"ASSAY_MPI_THREAD_LEVEL=funneled"});
  expect_results({{"one", 4}}, {{"level=serialized", "needs thread level 'serialized', and this launch has 'funneled'"},
                                {"level=multiple", "needs thread level 'multiple', and this launch has 'funneled'"}});
  for (const PointRecord& point : points_of(records_, "one"))
    EXPECT_NE(point.outcome, Outcome::unsupported) << to_text(point.point);
}

TEST_F(Messages, TheLibraryIsStartedForAsManyThreadsAsAreAskedFor) {
  const auto level = [&] {
    for (const Record& record : records_)
      if (const auto* session = std::get_if<SessionRecord>(&record))
        for (const auto& [key, value] : session->facts)
          if (key == "mpi.thread_level") return value;
    return std::string("none");
  };
  run("[series.one]\nmeasurement = mpi/ping_pong\n", 2);
  EXPECT_EQ(level(), "single");
  run("[series.one]\nmeasurement = mpi/ping_pong\n[series.two]\nmeasurement = hybrid/ping_pong\n", 2);
  EXPECT_EQ(level(), "multiple");
}

TEST_F(Messages, AnUnknownLevelIsRefused) {
  const Finished finished = launch_assay(1, {"run", "none.ini"}, {"ASSAY_MPI_THREAD_LEVEL=some"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("ASSAY_MPI_THREAD_LEVEL is 'some', no thread level of MPI"));
}

TEST_F(Messages, TheCampaignsForThemAreMeasured) {
  // Sanitized ranks that take turns on a CPU need minutes.
  const std::vector<int> sizes = ASSAY_SANITIZED ? std::vector{2} : std::vector{2, 4};
  for (const std::string name : {"mpi", "hybrid"})
    for (const int ranks : sizes) {
      const Scratch folder;
      const Finished finished = launch_assay(
          ranks, {"run", source_directory() + "/configs/" + name + ".ini", "--output", folder / "campaign"},
          {"ASSAY_PRECISION_RULE=fixed:4", "ASSAY_PRECISION_MAX_POINTS=3", "ASSAY_PRECISION_WARM_UP=0ms",
           "ASSAY_PRECISION_SPAN=0ms", "ASSAY_CAMPAIGN_TIME_LIMIT=1h"});
      EXPECT_EQ(finished.exit_code, 0) << name << " on " << ranks << ": " << finished.out << finished.err;
    }
}

}  // namespace
}  // namespace assay::test
