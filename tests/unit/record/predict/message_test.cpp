// SPDX-License-Identifier: Apache-2.0
// Collective operations from LogGP parameters that are known: by schedules and by closed forms.
#include <gtest/gtest.h>

#include "record/predict/prediction.hpp"
#include "support/records/predict_results.hpp"

namespace assay::predict {
namespace {

constexpr double send = 500;
constexpr double receive = 300;
constexpr double latency = 2000;
constexpr double gap = 600;
constexpr double per_byte = 0.5;

double message(double bytes) { return send + latency + receive + per_byte * bytes; }

test::ResultJournal::Levels ranks_at(std::int64_t bytes) {
  return {{"bytes", bytes},
          {"vehicle", std::string("mpi")},
          {"members", std::int64_t{2}},
          {"placement", std::string("same-l3")}};
}

// Round trips, overheads and gaps of two ranks by size, and a broadcast among two that takes what it should, or so many
// times as long.
test::ResultJournal message_results(const std::string& start = "window", double times = 1) {
  test::ResultJournal journal;
  const std::vector<std::int64_t> sizes{1, 64, 1024, 16384, 65536};
  journal.series("trips", "mpi/round_trip", {"rtt"});
  for (const std::int64_t bytes : sizes)
    journal.point(ranks_at(bytes), {2 * message(static_cast<double>(bytes))}, 0.001);
  journal.series("sends", "mpi/overheads", {"o_s[idle]", "o_r[ready]"});
  for (const std::int64_t bytes : sizes) journal.point(ranks_at(bytes), {send, receive}, 0.001);
  journal.series("bursts", "mpi/burst", {"burst_time"});
  for (const std::int64_t bytes : sizes) {
    DerivedRecord slope;
    slope.series = "bursts";
    slope.name = "g";
    slope.formula = "slope burst";
    slope.group = test::point_of(ranks_at(bytes));
    slope.group.set("delay", std::int64_t{0});
    slope.quantity = "burst_time";
    slope.unit = "ns/burst";
    slope.regime = Regime::spin;
    slope.derived = {gap, {gap * 0.999, gap * 1.001, 0.95}, true, {}};
    auto point = ranks_at(bytes);
    point.insert(point.end(), {{"burst", std::int64_t{16}}, {"delay", std::int64_t{0}}});
    journal.point(point, {gap * 16}, 0.001);
    journal.add(slope);
  }
  journal.series("operations", "mpi/collective", {"time"});
  journal.point({{"operation", std::string("bcast")},
                 {"size", std::int64_t{8}},
                 {"form", std::string("blocking")},
                 {"definition", std::string("slowest")},
                 {"start", start},
                 {"vehicle", std::string("mpi")},
                 {"members", std::int64_t{2}},
                 {"placement", std::string("same-l3")}},
                {times * message(8)});
  return journal;
}

class MessagePrediction : public ::testing::Test {
 protected:
  const Prediction& at(const std::string& name, double members, double bytes) const {
    for (const Prediction& one : report_.predictions)
      if (one.formula->name == name && one.setting.members == members && one.setting.bytes == bytes) return one;
    throw std::out_of_range(name);
  }

  // Made once: hundreds of schedules are replayed for it, a few times only where each takes ten times as long.
  struct Predicted {
    std::vector<SeriesGroup> groups = group_by_series(test::spinning(message_results().records()));
    Report report = predict({{"here", &groups}}, {.members = {2, 8, 4096}, .draws = ASSAY_SANITIZED ? 4 : 200});
  };
  static const Predicted& predicted() {
    static const Predicted once;
    return once;
  }
  const Report& report_ = predicted().report;
};

TEST_F(MessagePrediction, TreesAndRoundsTakeTheirMessages) {
  EXPECT_NEAR(at("mpi-bcast-binomial", 2, 8).value, message(8), message(8) * 0.002);
  EXPECT_NEAR(at("mpi-bcast-binomial", 8, 65536).value, 3 * message(65536), message(65536) * 0.01);
  EXPECT_NEAR(at("mpi-barrier-dissemination", 8, 0).value, 3 * message(0), message(0) * 0.01);
  EXPECT_NEAR(at("mpi-allreduce-recursive-doubling", 8, 8).value, 3 * message(8), message(8) * 0.01);
  EXPECT_NEAR(at("mpi-allgather-ring", 8, 8).value, 7 * message(8), message(8) * 0.02);
  EXPECT_NEAR(at("mpi-alltoall-pairwise", 8, 8).value, 7 * message(8), message(8) * 0.02);
}

TEST_F(MessagePrediction, ClosedFormsAgreeWithSchedules) {
  for (const Prediction& one : report_.predictions) {
    if (!one.formula->carried || one.setting.members != 8 || one.setting.schedule == nullptr) continue;
    Setting closed = one.setting;
    closed.schedule = nullptr;
    std::vector<double> numbers;
    for (const Parameter* input : one.inputs) numbers.push_back(input->estimate.value);
    EXPECT_NEAR(value_of(*one.formula, numbers, closed) / one.value, 1, 0.15) << one.formula->name << one.setting.bytes;
  }
}

TEST_F(MessagePrediction, ManyRanksAreNotReplayed) {
  const Prediction& many = at("mpi-alltoall-pairwise", 4096, 8);
  EXPECT_EQ(many.setting.schedule, nullptr);
  EXPECT_NEAR(many.value, 4095 * message(8), 4095 * message(8) * 0.01);
  EXPECT_NE(at("mpi-bcast-binomial", 2, 8).setting.schedule, nullptr);
}

TEST_F(MessagePrediction, IsHeldAgainstTheMeasuredOperation) {
  const auto& held = at("mpi-bcast-binomial", 2, 8).held;
  ASSERT_TRUE(held);
  EXPECT_EQ(held->fit, Fit::agrees);
  EXPECT_NEAR(held->ratio, 1, 0.01);
}

// Within a node a call by itself takes several times as long as one of many.
TEST(ACallFromRest, IsNotWhatParametersOfCallsInARowAreFor) {
  const auto held = [](const std::string& start, double times) {
    const auto groups = group_by_series(test::spinning(message_results(start, times).records()));
    for (Prediction& one : predict({{"here", &groups}}, {.draws = 200}).predictions)
      if (one.formula->name == "mpi-bcast-binomial" && one.held) return *one.held;
    throw std::out_of_range("no broadcast was held against a measured one");
  };
  EXPECT_EQ(held("window", 2).fit, Fit::cannot_say);
  EXPECT_EQ(held("window", 2).reason,
            "by a factor of 0.5, but each call was made from rest (start = window), and parameters are of calls in a "
            "row");
  EXPECT_EQ(held("window", 1).fit, Fit::agrees);
  EXPECT_EQ(held("barrier", 2).fit, Fit::misses);
}

// Overheads and the rest of a round trip are of the same round trip: what is uncertain between them cancels.
TEST_F(MessagePrediction, TheUncertaintyOfOverheadsCancels) {
  const Interval& interval = at("mpi-bcast-binomial", 2, 8).of_parameters;
  EXPECT_LT((interval.high - interval.low) / message(8), 0.01);
}

// Two ranks that send to each other at the same time take longer than one that sends: as much as it was measured to be,
// for messages of no bytes by themselves.
TEST(MessagesThatCross, TakeLongerWhereAllSend) {
  test::ResultJournal journal = message_results();
  journal.series("crossing", "mpi/ping_pong", {"time"});
  const auto cross = [&](std::int64_t size, double surplus) {
    auto levels = ranks_at(size);
    levels.front().first = "size";
    levels.insert(levels.end(), {{"direction", std::string("both")}, {"mode", std::string("blocking")}});
    journal.point(levels, {message(static_cast<double>(std::max<std::int64_t>(size, 1))) + surplus}, 0.01);
  };
  for (const auto& [size, surplus] : {std::pair{0, 400.0}, {1, 900.0}, {65536, 900.0}}) cross(size, surplus);
  const auto groups = group_by_series(test::spinning(journal.records()));
  const Report report = predict({{"here", &groups}}, {.members = {2, 8, 4096}, .draws = 4});
  const auto value = [&](const std::string& name, double members, double bytes) {
    for (const Prediction& one : report.predictions)
      if (one.formula->name == name && one.setting.members == members && one.setting.bytes == bytes) return one.value;
    throw std::out_of_range(name);
  };
  EXPECT_NEAR(value("mpi-barrier-dissemination", 8, 0), 3 * (message(0) + 400), 60);
  EXPECT_NEAR(value("mpi-allreduce-recursive-doubling", 8, 8), 3 * (message(8) + 900), 60);
  EXPECT_NEAR(value("mpi-bcast-binomial", 8, 8), 3 * message(8), 60) << "down a tree nothing crosses";
  EXPECT_NEAR(value("mpi-alltoall-pairwise", 4096, 8), 4095 * (message(8) + 900), 4095 * 60) << "by its closed form";
}

}  // namespace
}  // namespace assay::predict
