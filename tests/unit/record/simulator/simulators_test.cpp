// SPDX-License-Identifier: Apache-2.0
// What simulators are fed with, read back: the parameters of a known channel within 1 %.
#include "record/simulator/simulators.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <regex>
#include <sstream>

#include "base/error.hpp"
#include "golden/samples/loggp_samples.hpp"
#include "record/simulator/measured_pieces.hpp"
#include "record/simulator/message_parameters.hpp"
#include "record/simulator/noise_trace.hpp"
#include "support/records/result_journal.hpp"
#include "unit/record/results.hpp"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;
using SimulatorWriter = decltype(&simulator::write_simgrid);

/// The truth of the samples' channel: up to 4096 bytes, and beyond.
constexpr double half_trip_eager(double bytes) { return 2800 + 0.2 * bytes; }
constexpr double half_trip_rendezvous(double bytes) { return 5400 + 0.08 * bytes; }

ExportOptions mpi_only() {
  ExportOptions options;
  options.filter = {{"channel", false, {"mpi"}}};
  return options;
}

struct ForSimulator {
  std::string text;
  Remarks remarks;
};
ForSimulator for_simulator(SimulatorWriter write, const std::vector<Record>& records,
                           const ExportOptions& options = mpi_only(), ObservationLog observations = {}) {
  std::ostringstream out;
  Remarks remarks = write(out, ExportSource{records, std::move(observations)}, options);
  return {out.str(), std::move(remarks)};
}

std::string all_of(const Remarks& remarks) {
  std::string text;
  for (const std::string& remark : remarks) text += remark + '\n';
  return text;
}

std::string problem_of(SimulatorWriter write, const std::vector<Record>& records, const ExportOptions& options = {}) {
  try {
    for_simulator(write, records, options);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

/// A number as the formats have it, under any locale.
double number_in(std::string_view text) {
  double number = std::numeric_limits<double>::quiet_NaN();
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// The properties of a platform file, and their values as the model of SimGrid takes them.
class Platform {
 public:
  explicit Platform(const std::string& xml) : xml_(xml) {
    const std::regex property("<prop id=\"([^\"]+)\" value=\"([^\"]+)\"/>");
    for (std::sregex_iterator i(xml.begin(), xml.end(), property), end; i != end; ++i) properties_[(*i)[1]] = (*i)[2];
  }
  const std::string& operator[](const std::string& id) const { return properties_.at(id); }
  /// The numbers of the segment that a size is in: those of the last one whose number is below it.
  std::vector<double> segment(const std::string& id, double size) const {
    std::vector<double> found;
    std::istringstream segments(properties_.at(id));
    for (std::string text; std::getline(segments, text, ';');) {
      std::vector<double> numbers;
      std::istringstream parts(text);
      for (std::string part; std::getline(parts, part, ':');) numbers.push_back(number_in(part));
      if (found.empty() || size > numbers.front()) found = numbers;
    }
    return found;
  }
  double overhead(const std::string& id, double size) const {
    const auto numbers = segment(id, size);
    return 1e9 * (numbers.at(1) + numbers.at(2) * size);
  }
  /// Half a round trip in ns: two links of 0.5 us, 1 byte per ns, 16 bytes more on the wire.
  double half_trip(double size) const {
    EXPECT_THAT(xml_, HasSubstr("bw=\"1GBps\" lat=\"500ns\""));
    const double wire = size + 16;
    return overhead("smpi/os", size) + 1000 * segment("smpi/lat-factor", wire).at(1) +
           wire / segment("smpi/bw-factor", wire).at(1) + overhead("smpi/or", size);
  }

 private:
  std::string xml_;
  std::map<std::string, std::string> properties_;
};

TEST(SimGridPlatform, ReturnsTheParametersOfAKnownChannel) {
  const Platform platform(for_simulator(simulator::write_simgrid, test::loggp_records()).text);
  for (const double bytes : {0., 1., 64., 1024., 4095., 4096.})
    EXPECT_NEAR(platform.half_trip(bytes), half_trip_eager(bytes), 0.01 * half_trip_eager(bytes)) << bytes;
  for (const double bytes : {4097., 8192., 65536., 1e6})
    EXPECT_NEAR(platform.half_trip(bytes), half_trip_rendezvous(bytes), 0.01 * half_trip_rendezvous(bytes)) << bytes;
  EXPECT_NEAR(platform.overhead("smpi/os", 1000), 550, 5.5);
  EXPECT_NEAR(platform.overhead("smpi/ois", 1000), 550, 5.5);
  EXPECT_NEAR(platform.overhead("smpi/or", 1000), 350, 3.5);
  EXPECT_EQ(platform["smpi/async-small-thresh"], "4097");
  EXPECT_EQ(platform["smpi/send-is-detached-thresh"], "4097");
}

TEST(SimGridPlatform, MessagesThatCrossTakeWhatWasMeasured) {
  test::ResultJournal journal;
  journal.series("round_trip", "mpi/round_trip", {"rtt"});
  for (const std::int64_t bytes : {1, 64, 1024}) journal.point({{"bytes", bytes}}, {600}, 0.1);
  journal.series("crossing", "mpi/ping_pong", {"time"});
  const auto crossing = [&](std::int64_t size, const std::string& direction, const std::string& mode, double time) {
    journal.point({{"size", size}, {"direction", direction}, {"mode", mode}}, {time}, 0.1);
  };
  crossing(0, "both", "blocking", 320);
  crossing(1, "both", "blocking", 360);
  crossing(1024, "both", "blocking", 460);
  crossing(64, "one", "blocking", 600);
  crossing(64, "both", "persistent", 5000);
  const auto [text, remarks] = for_simulator(simulator::write_simgrid, journal.records(), {});
  const Platform platform(text);
  EXPECT_EQ(platform.overhead("smpi/os", 1), 0) << "those that do not cross";
  EXPECT_NEAR(platform.overhead("smpi/ois", 1), 60, 0.1);
  EXPECT_NEAR(platform.overhead("smpi/ois", 512), 110, 0.2);
  EXPECT_NEAR(platform.overhead("smpi/ois", 1024), 160, 0.1);
  EXPECT_NEAR(platform.overhead("smpi/ois", 0), 20, 0.1) << "those of no bytes by themselves";
  EXPECT_NEAR(platform.half_trip(0), 300, 3);
  EXPECT_NEAR(platform.half_trip(1), 300, 3);
  EXPECT_THAT(all_of(remarks), Not(HasSubstr("messages that cross were not measured")));
  const auto pieces = simulator::replay_parameters(simulator::message_channel(journal.records(), {}, "test"));
  const auto takes = [&](collective::Collective what, collective::Algorithm how) {
    return collective::completion(collective::make(what, how, 2, 1), pieces);
  };
  EXPECT_NEAR(takes(collective::Collective::broadcast, collective::Algorithm::linear), 300, 1);
  EXPECT_NEAR(takes(collective::Collective::allreduce, collective::Algorithm::recursive_doubling), 360, 1);
  EXPECT_NEAR(
      collective::completion(
          collective::make(collective::Collective::barrier, collective::Algorithm::dissemination, 2, 0), pieces),
      320, 1);
}

// What crosses in a reduction has just been computed; content that stays is in both caches.
TEST(SimGridPlatform, MessagesThatCrossAreOfNewContentWhereThatWasMeasured) {
  test::ResultJournal journal;
  journal.series("round_trip", "mpi/round_trip", {"rtt"});
  for (const std::int64_t bytes : {1, 64, 1024}) journal.point({{"bytes", bytes}}, {600}, 0.1);
  journal.series("crossing", "mpi/ping_pong", {"time"});
  const auto crossing = [&](std::int64_t size, const char* content, double time) {
    journal.point({{"size", size},
                   {"direction", std::string("both")},
                   {"mode", std::string("blocking")},
                   {"content", std::string(content)}},
                  {time}, 0.1);
  };
  crossing(1, "kept", 360);
  crossing(1024, "new", 960);
  crossing(1024, "kept", 460);
  const Platform platform(for_simulator(simulator::write_simgrid, journal.records(), {}).text);
  EXPECT_NEAR(platform.overhead("smpi/ois", 1), 60, 0.1) << "kept is all that was measured";
  EXPECT_NEAR(platform.overhead("smpi/ois", 1024), 660, 0.1);
}

TEST(SimGridPlatform, HasAHostPerRank) {
  ExportOptions options = mpi_only();
  options.ranks = 1024;
  EXPECT_THAT(for_simulator(simulator::write_simgrid, test::loggp_records(), options).text,
              HasSubstr("radical=\"0-1023\""));
}

TEST(SimGridPlatform, WhatIsNotKnownIsPartOfTheWay) {
  ExportOptions options;
  options.filter = {{"channel", false, {"pipe"}}};
  const auto [text, remarks] = for_simulator(simulator::write_simgrid, test::loggp_records(), options);
  EXPECT_NEAR(Platform(text).half_trip(1000), 4500 + 150, 46);
  EXPECT_EQ(Platform(text).overhead("smpi/os", 1000), 0);
  EXPECT_THAT(all_of(remarks), HasSubstr("1 to 65536 bytes: o_s is not known, and part of L"));
}

TEST(SimGridPlatform, ANameEndsNoComment) {
  test::ResultJournal journal;
  journal.series("round_trip", "logp/round_trip", {"rtt"});
  for (const std::int64_t bytes : {100, 200, 300})
    journal.point({{"channel", std::string("a--><host>\033[2J")}, {"bytes", bytes}}, {1000});
  const auto text = for_simulator(simulator::write_simgrid, journal.records(), {}).text;
  EXPECT_EQ(text.find("--><host>"), std::string::npos);
  EXPECT_EQ(text.find('\033'), std::string::npos);
}

TEST(LogGopSimOptions, ReturnTheParametersAndWarnOfWhatIsCutOff) {
  const auto [text, remarks] = for_simulator(simulator::write_loggopsim, test::loggp_records());
  EXPECT_THAT(text, HasSubstr("\n-L 2000 -o 400 -g 800 -G 0 -O 0 -S 4096\n"));
  std::smatch found;
  ASSERT_TRUE(
      std::regex_search(text, found, std::regex("# -L (\\d+) -o (\\d+) -g (\\d+) -G (\\d+) -O (\\d+) -S (\\d+)\n")));
  const double in_ps[] = {2'000'000, 400'000, 800'000, 100, 50, 4096};
  for (std::size_t i = 0; i < std::size(in_ps); ++i)
    EXPECT_NEAR(number_in(found[i + 1].str()), in_ps[i], 0.01 * in_ps[i]) << i;
  EXPECT_THAT(all_of(remarks), HasSubstr("G of 0.100 and O of 0.050 ns per byte are cut off"));
  EXPECT_THAT(all_of(remarks), HasSubstr("messages above 4096 bytes have other parameters"));
}

TEST(LogGopSimOptions, AreThoseOfEachChannel) {
  const auto text = for_simulator(simulator::write_loggopsim, test::loggp_records(), {}).text;
  EXPECT_THAT(text, HasSubstr("channel=mpi, ns\n"));
  EXPECT_THAT(text, HasSubstr("channel=pipe, ns\n"));
}

TEST(NetgaugeTable, ReturnsTheParametersBySize) {
  std::istringstream lines(for_simulator(simulator::write_netgauge, test::loggp_records()).text);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)");
  std::map<double, std::vector<double>> rows;
  while (std::getline(lines, line)) {
    if (line.starts_with('#')) continue;
    std::istringstream numbers(line);
    std::vector<double> row;
    for (std::string number; numbers >> number;) row.push_back(number_in(number));
    ASSERT_EQ(row.size(), 11U) << line;
    rows[row.front()] = row;
  }
  const auto expect_row = [&](double size, const std::vector<double>& truth) {
    const auto& row = rows.at(size);
    for (std::size_t i = 0; i < truth.size(); ++i)
      EXPECT_NEAR(row[i], truth[i], 0.01 * std::abs(truth[i]) + 1e-6) << size << ", column " << i;
  };
  const double trip = 5600 + 0.4 * 1024, gap = 800 + 0.1 * 1024, send = 500 + 0.05 * 1024;
  expect_row(1024, {1024, 10, trip / 1e3, (trip + 9 * gap) / 1e3, (trip + 9 * (send + trip)) / 1e3, 2.0, send / 1e3,
                    0.3512, 0.8, 0.0001, 0});
  expect_row(8192, {8192, 10, (10800 + 0.16 * 8192) / 1e3});
  EXPECT_EQ(rows.size(), 8U);
}

TEST(MessageParameters, AFallingPieceIsLevelAsHighAsInItsMiddle) {
  test::ResultJournal journal;
  journal.series("round_trip", "logp/round_trip", {"rtt"});
  for (const std::int64_t bytes : {100, 200, 300})
    journal.point({{"channel", std::string("x")}, {"bytes", bytes}}, {1000 - static_cast<double>(bytes) / 10});
  const auto channel = simulator::message_channel(journal.records(), {}, "test");
  ASSERT_EQ(channel.pieces.size(), 1U);
  EXPECT_NEAR(channel.pieces[0].half_trip().at(100), 490, 0.01);
  EXPECT_EQ(channel.pieces[0].half_trip().each, 0);
}

TEST(MessageParameters, OverheadsThatOverlapAreShortened) {
  test::ResultJournal journal;
  journal.series("round_trip", "logp/round_trip", {"rtt"});
  for (const std::int64_t bytes : {100, 200, 300})
    journal.point({{"channel", std::string("x")}, {"bytes", bytes}}, {1000});
  journal.series("overheads", "logp/overheads", {"o_s[idle]", "o_r[ready]"});
  for (const std::int64_t bytes : {100, 200, 300})
    journal.point({{"channel", std::string("x")}, {"bytes", bytes}}, {600, 200});
  const auto channel = simulator::message_channel(journal.records(), {}, "test");
  EXPECT_NEAR(channel.pieces[0].half_trip().at(100), 500, 0.01);
  EXPECT_NEAR(channel.pieces[0].send.fixed, 375, 0.01);
  EXPECT_EQ(channel.pieces[0].way.fixed, 0);
  EXPECT_THAT(all_of(channel.remarks), HasSubstr("100 to 300 bytes: o_s + o_r are more than half a round trip"));
}

TEST(MessageParameters, ALineThatMissesIsReplacedByWhatWasMeasured) {
  // Level, a step, a fall by chance, and a steep rise: nothing that one line could be.
  const std::vector<std::pair<std::int64_t, double>> half{{1, 150}, {64, 152}, {256, 151}, {512, 300}, {1024, 900}};
  test::ResultJournal journal;
  journal.series("round_trip", "logp/round_trip", {"rtt"});
  for (const auto& [bytes, time] : half)
    journal.point({{"channel", std::string("x")}, {"bytes", bytes}}, {2 * time}, 0.3);
  journal.series("overheads", "logp/overheads", {"o_s[idle]", "o_r[ready]"});
  for (const auto& [bytes, time] : half)
    journal.point({{"channel", std::string("x")}, {"bytes", bytes}}, {40, 30}, 0.01);
  const auto lines = simulator::message_channel(journal.records(), {}, "test");
  const auto channel = simulator::through_measured(lines);
  ASSERT_GT(channel.pieces.size(), lines.pieces.size());
  for (const auto& [bytes, time] : half) {
    const auto size = static_cast<double>(bytes);
    const auto part = std::ranges::find_if(channel.pieces, [&](const auto& one) { return size <= one.to; });
    ASSERT_NE(part, channel.pieces.end());
    EXPECT_NEAR(part->half_trip().at(size), time, 0.01 * time) << bytes;
    EXPECT_GE(part->way.fixed, 0);
    EXPECT_GE(part->way.each, 0);
    EXPECT_NEAR(part->send.fixed, 40, 1) << "overheads stay what they are";
  }
  EXPECT_THAT(all_of(channel.remarks), HasSubstr("misses a measured round trip by"));
}

TEST(MessageParameters, ALineThatFitsStays) {
  const auto lines = simulator::message_channel(test::loggp_records(), mpi_only().filter, "test");
  EXPECT_EQ(simulator::through_measured(lines).pieces.size(), lines.pieces.size());
}

TEST(SimulatorExports, SayWhichCampaignMeasuresWhatIsMissing) {
  for (const SimulatorWriter write :
       {&simulator::write_simgrid, &simulator::write_loggopsim, &simulator::write_netgauge})
    EXPECT_THAT(problem_of(write, {}), HasSubstr("run configs/loggp-mpi.ini under mpirun, or configs/loggp.ini"));
  EXPECT_THAT(problem_of(&simulator::write_noise, test::loggp_records()), HasSubstr("run configs/noise-trace.ini"));
}

TEST(SimulatorExports, AskWhichOfSeveralChannels) {
  const auto problem = problem_of(&simulator::write_simgrid, test::loggp_records());
  EXPECT_THAT(problem, HasSubstr("parameters of 2 channels"));
  EXPECT_THAT(problem, HasSubstr("channel=mpi"));
  EXPECT_THAT(problem, HasSubstr("--filter"));
}

TEST(SimulatorExports, ReplaysTakeTheSameTimes) {
  const auto pieces =
      simulator::replay_parameters(simulator::message_channel(test::loggp_records(), mpi_only().filter, "test"));
  for (const double bytes : {1., 4096.})
    EXPECT_NEAR(
        collective::completion(
            collective::make(collective::Collective::broadcast, collective::Algorithm::linear, 2, bytes), pieces),
        half_trip_eager(bytes), 0.01 * half_trip_eager(bytes));
  EXPECT_NEAR(collective::completion(
                  collective::make(collective::Collective::broadcast, collective::Algorithm::linear, 2, 65536), pieces),
              half_trip_rendezvous(65536), 0.01 * half_trip_rendezvous(65536));
  // A burst leaves at the gap: 800 + 0.1 bytes.
  EXPECT_NEAR(
      collective::completion(
          collective::make(collective::Collective::broadcast, collective::Algorithm::linear, 102, 1000), pieces),
      100 * 900 + half_trip_eager(1000), 930);
}

/// A visit with a detour per batch; the first batch is not estimated.
VisitRecord visit_with(int number, const std::vector<std::pair<double, double>>& detours) {
  VisitRecord visit;
  visit.series = "noise";
  visit.point = test::point_of({{"placement", std::string("cpu:1")}});
  visit.visit = number;
  visit.discarded = 1;
  for (const auto& [after, duration] : detours) {
    JudgedBatch judged;
    judged.batch.reps = Reps{1};
    judged.batch.members.resize(1);
    judged.batch.members[0].claims = Claims{}.set(0, duration).set(1, after);
    visit.batches.push_back(judged);
  }
  return visit;
}

struct NoiseJournal {
  std::vector<Record> records;
  ObservationLog observations;
};
NoiseJournal noise_journal() {
  const SeriesRecord series{"noise",
                            "os/noise-detours",
                            {{.name = "detour", .per = Per::batch}, {.name = "after", .per = Per::batch}},
                            "fixed(count=4)"};
  NoiseJournal journal;
  for (const Record& record : std::vector<Record>{series, visit_with(0, {{9, 9}, {1000, 50}, {2000, 70}}),
                                                  visit_with(1, {{9, 9}, {500, 0}, {4000, 80}})})
    journal.observations.add(record);
  PointRecord point =
      test::finished_point("noise", test::point_of({{"placement", std::string("cpu:1")}}), test::plain_result(60, 0.1));
  point.measurement = "os/noise-detours";
  point.reps = Reps{1};
  point.results.resize(2, point.results.front());
  for (std::size_t i = 0; i < 2; ++i) {
    point.results[i].quantity = i == 0 ? "detour" : "after";
    point.results[i].summary.n = 4;
  }
  journal.records = {series, point};
  return journal;
}

TEST(NoiseTraces, AreTheDetoursOfAllBatchesInTheirOrder) {
  const NoiseJournal journal = noise_journal();
  const auto [text, remarks] = for_simulator(&simulator::write_noise, journal.records, {}, journal.observations);
  EXPECT_THAT(text, HasSubstr("\n1000\t50\n3050\t70\n7620\t80\n7700\t0"));
  EXPECT_FALSE(text.ends_with('\n')) << "LogGOPSim takes an empty last line for a detour";
  EXPECT_THAT(all_of(remarks), HasSubstr("2.6 % of 7.7 us lost in 3 detours"));
}

TEST(NoiseTraces, AreReplayed) {
  const NoiseJournal journal = noise_journal();
  const auto traces = simulator::recorded_noise(journal.records, journal.observations, {}, "test");
  ASSERT_EQ(traces.size(), 1U);
  EXPECT_DOUBLE_EQ(traces[0].trace.length, 7700);
  EXPECT_DOUBLE_EQ(traces[0].lost, 200.0 / 7700);
}

}  // namespace
}  // namespace assay
