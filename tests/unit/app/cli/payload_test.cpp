// SPDX-License-Identifier: Apache-2.0
// Results of other people: every text in them is an attack, and some contradict themselves.
#include <sstream>

#include "app/cli/command.hpp"
#include "app/results/formats.hpp"
#include "app/results/results.hpp"
#include "record/layout/layouts.hpp"
#include "support/machines/fake_clock.hpp"
#include "text/json.hpp"
#include "text/utf8.hpp"
#include "unit/app/plan_fixture.hpp"

namespace assay::test {
namespace {

// A formula; escape sequences; a bell; a change of direction; tags; quotes and a line end.
const std::string payload = "=1+1\x1b[31m\x07\u202e\u2028</script><b a='\">&amp;\r\nnext \U000e0041\u200b";

Result payload_result() {
  Result result;
  result.quantity = payload;
  result.verdict = {Outcome::drift, payload, {payload, 12, {11, 13, 0.95}, payload}};
  result.headline = {payload, 12.5, {12, 13, 0.95}, payload};
  result.summary = {4, 12, 1, 0.5, 12.5, 12, 13, 12, 12, 13, 13, 0};
  result.steadiness.drift = payload;
  for (int incarnation = 0; incarnation < 3; ++incarnation) result.processes.push_back({0, incarnation, 12.5});
  return result;
}

PointRecord payload_point(const std::string& channel, bool with_result) {
  PointRecord record{payload, payload, {}, Outcome::failed, payload, payload, Reps{1}, {}};
  record.point.set("channel", payload + channel);
  record.point.set("placement", payload);
  if (with_result) record.results = {payload_result()};
  return record;
}

std::vector<Record> payload_records() {
  SessionRecord session{0, payload, payload, {{"host.name", payload}, {"cpu.model", payload}, {payload, payload}}};
  DerivedRecord derived;
  derived.series = derived.name = derived.formula = derived.quantity = derived.unit = payload;
  derived.derived.reason = payload;
  const Quantity quantity{.name = payload, .summary = payload};
  return {CampaignRecord{payload, "[campaign]\nlayout = plain\n", 1, "interleaved"},
          session,
          SeriesRecord{payload, payload, {quantity}, payload},
          payload_point("a", true),
          payload_point("b", true),
          payload_point("c", false),
          derived,
          NoteRecord{payload},
          EndRecord{0, payload, 3, 1, {}}};
}

// What would steer a terminal or hide: nothing but line ends may be below the space.
std::size_t first_unsafe(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto character = character_at(text, at);
    const bool control = (character.code < 0x20 && character.code != '\n') || character.code == 0x7f;
    const bool bidirectional = character.code == 0x202e || character.code == 0x2028 || character.code == 0x200b;
    if (character.size == 0 || control || bidirectional || character.code == 0xe0041) return at;
    at += character.size;
  }
  return text.npos;
}

class PayloadTest : public PlanTest {
 protected:
  std::string keep(const std::string& name, const std::vector<Record>& records) {
    const auto path = (folder_ / name).string();
    FakeClock clock;
    Journal journal(path, clock);
    for (const Record& record : records) journal.write(record);
    return path;
  }
  int call(const std::vector<std::string>& arguments) {
    out_.str("");
    err_.str("");
    AppContext context{out_, err_};
    return run_program(
        arguments,
        [this](Registry& registry, std::string_view) {
          for (const Description& one : catalogue_.built_in) registry.add(one, Factory());
        },
        context);
  }
  void expect_safe(const std::string& what) {
    const auto text = out_.str() + err_.str();
    EXPECT_EQ(first_unsafe(text), text.npos)
        << what << ": " << text.substr(std::min(first_unsafe(text), text.size()), 60);
    EXPECT_FALSE(text.empty()) << what;
  }

  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(PayloadTest, NothingInResultsReachesTheTerminalAsItIs) {
  const auto path = keep("a", payload_records());
  for (const std::string& layout : layout_names()) {
    EXPECT_EQ(call({"show", path, "--layout", layout}), 0) << err_.str();
    expect_safe("show --layout " + layout);
    EXPECT_EQ(call({"show", path, "--layout", layout, "--explain"}), 0) << err_.str();
    expect_safe("show --explain --layout " + layout);
  }
  call({"compare", path, keep("b", payload_records())});
  expect_safe("compare");
  call({"compare", path, "--factor", "channel"});
  expect_safe("compare --factor");
  call({"compare", path, "--factor", "channel", "--format", "json"});
  expect_safe("compare as JSON");
  EXPECT_EQ(out_.str().find('<'), std::string::npos) << "a script could end in it";
}

TEST_F(PayloadTest, FormulasAreTextsUnlessTheyAreWantedRaw) {
  const auto path = keep("a", payload_records());
  EXPECT_EQ(call({"export", path, "--format", "csv"}), 0);
  EXPECT_NE(out_.str().find("\"'=1+1"), std::string::npos);
  EXPECT_EQ(out_.str().find("\"=1+1"), std::string::npos);
  const auto guarded = out_.str();
  EXPECT_EQ(call({"export", path, "--format", "csv", "--csv-raw"}), 0);
  EXPECT_EQ(out_.str().find("\"'=1+1"), std::string::npos);
  EXPECT_NE(out_.str().find("\"=1+1"), std::string::npos);
  EXPECT_LT(out_.str().size(), guarded.size());
}

// Tables for spreadsheets keep texts as they are, in quotes; every other format shows what would steer or hide itself.
TEST_F(PayloadTest, NamesAreInertInEveryFormat) {
  auto records = payload_records();
  records.push_back(CoresRecord{0, 3, {{0, 0.08, {0.9}, AloneBecause::two_levels, 100, 50, payload}}, 0.5, 0.5, {}, 0});
  const auto path = keep("a", records);
  for (const ExportFormat& format : export_formats()) {
    if (format.write == nullptr) continue;  // another program's, which has tests of its own
    // Of simulators: there are no parameters in these records.
    EXPECT_EQ(call({"export", path, "--format", format.name}), format.feeds_simulator ? 2 : 0)
        << format.name << ": " << err_.str();
    if (format.name.starts_with("csv")) continue;
    expect_safe(format.name);
    const bool is_json = out_.str().starts_with('{') || out_.str().starts_with('[');
    std::istringstream lines(out_.str());
    std::string line;
    if (format.reads_cores) {
      while (std::getline(lines, line)) EXPECT_NO_THROW(parse_json(line)) << format.name;
    } else if (is_json) {
      EXPECT_NO_THROW(parse_json(out_.str())) << format.name;
    }
    if (is_json || format.name == "junit") {
      EXPECT_EQ(out_.str().find("</script>"), std::string::npos) << format.name;
    }
    EXPECT_EQ(out_.str().find("nan\""), std::string::npos) << format.name;
  }
}

TEST_F(PayloadTest, AStateIsNoneOfTheFormatOfStates) {
  const auto path = keep("a", payload_records());
  EXPECT_EQ(call({"export", path, "--format", "states", "--state", "alone"}), 2) << err_.str();
  EXPECT_EQ(out_.str(), "");
}

TEST_F(PayloadTest, NorDoNamesInMessages) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{payload},
                                             {"show", payload},
                                             {"show", "x", payload},
                                             {"show", "--" + payload},
                                             {"run", payload, "/nonexistent/\xff" + payload},
                                             {"plan", folder_.string() + "/\x1b]0;x\x07.ini"},
                                             {"plan", "x.ini", "--set", payload},
                                             {"plan", "x.ini", "--set", "precision." + payload + "=1"},
                                             {"plan", "x.ini", "--series", "\xfe"},
                                             {"describe", payload},
                                             {"list", payload},
                                             {"compare", payload, payload},
                                             {"export", payload, "--format", payload}}) {
    EXPECT_EQ(call(arguments), 2) << err_.str();
    expect_safe(arguments.front());
  }
  const auto file =
      write("hostile.ini", "[campaign]\ntitle = x\n[series.a]\nmeasurement = demo/solo\nwait = \u202e1\n");
  EXPECT_EQ(call({"plan", file}), 2);
  expect_safe("a campaign file");
}

PointRecord plain_point(double value) {
  PointRecord record{"one", "demo/solo", {}, Outcome::converged, "", "", Reps{1}, {payload_result()}};
  record.results[0].quantity = "time";
  record.results[0].headline.value = value;
  return record;
}

std::vector<Record> plain_records() {
  return {CampaignRecord{"demo", "", 1, "interleaved"}, SessionRecord{0, "", "", {{"cpu.model", "one"}}},
          SeriesRecord{"one", "demo/solo", {Quantity{}}, "median-ci"}, plain_point(12.5)};
}

TEST_F(PayloadTest, ContradictionsAreRefusedWithAllOfThem) {
  auto records = plain_records();
  EXPECT_EQ(call({"show", keep("plain", records)}), 0) << err_.str();
  records.push_back(plain_point(12.5));
  EXPECT_EQ(call({"show", keep("twice", records)}), 0) << "the same once more contradicts nothing: " << err_.str();
  records.push_back(plain_point(13));
  auto unit = plain_point(12.5);
  unit.series = "two";
  unit.results[0].unit = Unit::bytes;
  records.push_back(unit);
  unit.results[0].unit = Unit::nanoseconds;
  unit.point.set("x", std::int64_t{1});
  unit.measurement = "demo/pair";
  records.push_back(unit);
  const auto path = keep("contradictory", records);
  const std::vector<std::vector<std::string>> commands = {
      {"show", path}, {"export", path, "--format", "csv"}, {"compare", path, path}};
  for (const auto& command : commands) {
    EXPECT_EQ(call(command), 5);
    EXPECT_EQ(out_.str(), "") << "no partial output";
    for (const char* part : {"was finished twice, and differently", "is in B and in ns", "'demo/pair'"})
      EXPECT_NE(err_.str().find(part), std::string::npos) << part << " is missing in " << err_.str();
  }
  const auto output = (folder_ / "kept.csv").string();
  std::ofstream(output) << "old";
  EXPECT_EQ(call({"export", path, "--format", "csv", "--output", output}), 5);
  std::ifstream kept(output);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(kept), {}), "old");
}

TEST_F(PayloadTest, AnotherSessionMayFindAnotherValue) {
  auto records = plain_records();
  records.push_back(SessionRecord{1, "", "", {{"cpu.model", "one"}}});
  records.push_back(plain_point(13));
  EXPECT_EQ(call({"show", keep("sessions", records)}), 0) << err_.str();
}

TEST_F(PayloadTest, SessionsOfSeveralMachinesAreNotCompared) {
  auto records = plain_records();
  records.push_back(SessionRecord{1, "", "", {{"cpu.model", "two"}}});
  records.push_back(plain_point(13));
  const auto mixed = keep("mixed", records);
  EXPECT_EQ(call({"compare", mixed, keep("plain", plain_records())}), 5);
  EXPECT_NE(err_.str().find("the sessions of A are of different machines: cpu.model one and two"), std::string::npos)
      << err_.str();
}

TEST_F(PayloadTest, AnExportIsNeverWrittenThroughALink) {
  const auto path = keep("a", plain_records());
  const auto target = (folder_ / "target").string();
  std::ofstream(target) << "old";
  std::filesystem::create_symlink(target, folder_ / "link");
  EXPECT_EQ(call({"export", path, "--format", "csv", "--output", (folder_ / "link").string()}), 2);
  EXPECT_NE(err_.str().find("is a symbolic link"), std::string::npos) << err_.str();
  EXPECT_EQ(call({"export", path, "--format", "csv", "--output", folder_.string()}), 2);
  std::filesystem::create_symlink("/dev/null", folder_ / "null");
  EXPECT_EQ(call({"export", path, "--format", "csv", "--output", (folder_ / "null").string()}), 0) << err_.str();
}

TEST_F(PayloadTest, NamesOfHostAndUserAreHashedOnRequest) {
  auto records = plain_records();
  std::get<SessionRecord>(records[1]).facts = {{"host.name", "node17.cluster"}, {"topology.xml", "<x n=\"node17\"/>"}};
  std::get<SessionRecord>(records[1]).command_line = "assay run /home/ada/x.ini";
  std::get<PointRecord>(records[3]).results[0].verdict.reason = "seen by ada on node17.cluster";
  records.push_back(NoteRecord{"written by ada on node17.cluster, not on node170"});
  const auto path = keep("a", records);
  const std::vector<std::vector<std::string>> commands = {{"show", path}, {"export", path, "--format", "csv"}};
  for (auto command : commands) {
    EXPECT_EQ(call(command), 0);
    EXPECT_NE(out_.str().find("ada"), std::string::npos) << out_.str();
    command.emplace_back("--anonymous");
    EXPECT_EQ(call(command), 0) << err_.str();
    EXPECT_EQ(out_.str().find("ada"), std::string::npos) << out_.str();
    EXPECT_EQ(out_.str().find("node17."), std::string::npos) << out_.str();
    EXPECT_NE(out_.str().find("anon-"), std::string::npos) << out_.str();
  }
}

}  // namespace
}  // namespace assay::test
