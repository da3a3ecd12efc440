// SPDX-License-Identifier: Apache-2.0
// Campaigns measured beside another program or an earlier campaign: `run --against`.
#include <gmock/gmock-matchers.h>

#include <filesystem>
#include <memory>
#include <set>

#include "platform/file/append_file.hpp"
#include "run/plan.hpp"
#include "support/campaigns/law_campaign.hpp"
#include "support/machines/fake_clock.hpp"
#include "support/programs/program.hpp"
#include "text/json.hpp"

namespace assay::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// One campaign of before for all tests; each measures against it, or against programs of its own.
class Against : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    earlier_ = std::make_unique<Scratch>();
    finished_ = run_campaign_text(*earlier_, law_campaign);
  }
  static void TearDownTestSuite() { earlier_.reset(); }
  void SetUp() override { ASSERT_EQ(finished_.exit_code, 0) << finished_.err; }

  static std::string then() { return *earlier_ / "campaign"; }
  std::string program(const std::string& name, const std::string& text) const {
    const std::string path = folder_ / name;
    write_file(path, text);
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  /// A build whose workers time a median of 1000 as one of `median`: the request is changed on its way.
  std::string build_with_median(const std::string& median) const {
    return program("other", "#!/usr/bin/env python3\nREAL = '" + assay_program() + "'\nMEDIAN = b'" + median + R"('
import os, select, socket, sys
if sys.argv[1] == "worker":
    near, far = socket.socketpair()
    if os.fork() == 0:
        far.close()
        outer = socket.socket(fileno=3)
        while True:
            for one in select.select([outer, near], [], [])[0]:
                data = one.recv(1 << 20)
                if not data:
                    os._exit(0)
                (near if one is outer else outer).sendall(data.replace(b'median=1000', b'median=' + MEDIAN))
    near.close()
    os.dup2(far.fileno(), 3)
os.execv(REAL, [REAL, *sys.argv[1:]])
)");
  }
  /// What an assay of another protocol says.
  std::string build_of_protocol(int number) const {
    return program("stamped",
                   "#!/bin/sh\ncase $1 in\n--version) echo 'assay 0.0.1 (old)' ;;\nworker) read -r line <&3\n"
                   "printf '{\"protocol\":" +
                       std::to_string(number) +
                       ",\"number\":1,\"kind\":\"described\",\"body\":{\"measurements\":[]}}\\n' >&3 ;;\nesac\n");
  }
  Finished run(const std::string& against, const std::vector<std::string>& options = {}) const {
    std::vector<std::string> all{"--against", against};
    all.insert(all.end(), options.begin(), options.end());
    return run_campaign_text(folder_, law_campaign, all);
  }
  Json report() const { return parse_json(run_assay({"compare", folder_ / "campaign", "--format", "json"}).out); }
  /// What the campaign would have left, had it been killed after so many visits.
  std::string cut_after(int most) const {
    const std::string part = folder_ / "part";
    const FakeClock clock;
    Journal journal(part, clock);
    int visits = 0;
    for (const Record& record : campaign_records(folder_)) {
      if (std::holds_alternative<VisitRecord>(record) && ++visits > most) break;
      journal.write(record);
    }
    return part;
  }
  bool is_nothing_there() const { return !fs::exists(folder_ / "campaign"); }

  const Scratch folder_;
  static inline std::unique_ptr<Scratch> earlier_;
  static inline Finished finished_;
};

TEST_F(Against, ACampaignOfTheSameProgramIsTheSame) {
  const Finished done = run(then());
  EXPECT_EQ(done.exit_code, 0) << done.err << done.out;
  const Json found = report();
  EXPECT_EQ(found.at("counts").at("same").integer(), 2) << done.out;
  EXPECT_TRUE(found.at("earlier").at("has_program").boolean());
  EXPECT_EQ(found.at("design").string(), "interleaved");
  for (const Json& result : found.at("results").array()) EXPECT_EQ(result.at("since_verdict").string(), "same");
}

TEST_F(Against, BothSidesAreVisitedInTurn) {
  ASSERT_EQ(run(then()).exit_code, 0);
  int lead = 0;
  std::set<std::string> first;
  for (const VisitRecord& visit : records_of<VisitRecord>(campaign_records(folder_))) {
    if (visit.point.text("median") != "1000") continue;
    const std::string side = visit.point.text(variant_factor_name);
    if (visit.round > 0 && lead == 0) first.insert(side);
    lead += side == before_variant ? 1 : -1;
    EXPECT_LE(std::abs(lead), 1) << "round " << visit.round;
  }
  EXPECT_EQ(lead, 0);
  EXPECT_EQ(first.size(), 2U) << "the order within rounds is random";
}

TEST_F(Against, ASlowerProgramThanTheOtherIsARegressionAndStaysOneWhenItGoesOn) {
  const std::string other = build_with_median("900");
  const Finished done = run(other);
  ASSERT_EQ(done.exit_code, 6) << done.err << done.out;
  const Json found = report();
  EXPECT_EQ(found.at("counts").at("slower").integer(), 1) << done.out;
  EXPECT_EQ(found.at("counts").at("same").integer(), 1) << done.out;
  const auto sessions = records_of<SessionRecord>(campaign_records(folder_));
  EXPECT_EQ(fact_of(sessions.at(0).facts, "against.program"), other);
  EXPECT_FALSE(fact_of(sessions.at(0).facts, "against.build").empty());
  EXPECT_THAT(fact_of(sessions.at(0).facts, "against.version"), HasSubstr("assay"));
  const Finished back = run_assay({"compare", folder_ / "campaign", "--base", "now"});
  EXPECT_EQ(back.exit_code, 0) << "the other one is faster\n" << back.out;

  const std::string part = cut_after(20);
  const Finished rest = run_assay({"resume", part, "--retry-failed"});
  EXPECT_EQ(rest.exit_code, 6) << rest.err << rest.out;
  const Finished again = run_assay({"resume", part});
  EXPECT_EQ(again.exit_code, 6) << "everything is measured: the comparison is the answer\n" << again.err << again.out;

  build_with_median("950");
  const Finished changed = run_assay({"resume", folder_ / "campaign", "--add-session"});
  EXPECT_EQ(changed.exit_code, 5) << changed.err;
  EXPECT_THAT(changed.err, HasSubstr(other));
}

/// The campaign of before as a change of the machine since then leaves it: every time was shorter.
std::string as_on_a_faster_machine(const std::string& from, const std::string& directory) {
  const FakeClock clock;
  Journal journal(directory, clock);
  for (Record record : read_journal(from).records) {
    if (auto* point = std::get_if<PointRecord>(&record))
      for (Result& result : point->results) {
        result.headline.value *= 0.8;
        for (IncarnationMedian& process : result.processes) process.value *= 0.8;
      }
    journal.write(record);
  }
  return directory;
}

TEST_F(Against, WhatTheMachineBecameIsNoRegressionOfTheProgram) {
  const Finished done = run(as_on_a_faster_machine(then(), folder_ / "faster"));
  EXPECT_EQ(done.exit_code, 0) << done.err << done.out;
  const Json found = report();
  EXPECT_EQ(found.at("counts").at("same").integer(), 2) << done.out;
  for (const Json& result : found.at("results").array()) {
    EXPECT_EQ(result.at("since_verdict").string(), "possibly slower");
    EXPECT_NEAR(result.at("since_shift").number(), 1.25, 0.03);
  }
}

TEST_F(Against, AProgramOfThenThatIsGoneIsStatedAndReplacedByThisOne) {
  const std::string directory = folder_ / "of-another-build";
  const FakeClock clock;
  {
    Journal journal(directory, clock);
    for (Record record : read_journal(then()).records) {
      if (auto* session = std::get_if<SessionRecord>(&record))
        for (auto& [key, value] : session->facts) {
          if (key == "assay.build") value = "0123456789abcdef0123456789abcdef";
          if (key == "assay.program") value = folder_ / "gone";
        }
      journal.write(record);
    }
  }
  const Finished done = run(directory);
  EXPECT_EQ(done.exit_code, 0) << done.err << done.out;
  EXPECT_THAT(done.err, HasSubstr(folder_ / "gone"));
  EXPECT_FALSE(report().at("earlier").at("has_program").boolean());
}

TEST_F(Against, TheCampaignOfThenIsMeasuredWhereNoneIsNamed) {
  const std::string output = folder_ / "campaign";
  ASSERT_EQ(run_assay({"run", "--against", then(), "--output", output}).exit_code, 0);
  EXPECT_EQ(points_of(campaign_records(folder_), "law").size(), 4U);
  // A campaign that had two sides itself is what it found of its own day, not four sides.
  const Finished next = run_assay({"run", "--against", output, "--output", folder_ / "next"});
  EXPECT_EQ(next.exit_code, 0) << next.err << next.out;
  EXPECT_EQ(records_of<PointRecord>(read_journal(folder_ / "next").records).size(), 4U);
}

TEST_F(Against, AMeasurementOrStandardInputIsAsGoodAsAFile) {
  const std::vector<std::string> quick{"--set", "precision.rule=fixed:48", "--set", "precision.warm-up=0ms"};
  std::vector<std::string> first{"run", "synthetic/normal", "placement=unbound", "between=0.005", "spread=0.02"};
  first.insert(first.end(), quick.begin(), quick.end());
  auto again = first;
  first.insert(first.end(), {"--output", folder_ / "one"});
  again.insert(again.end(), {"--against", folder_ / "one", "--output", folder_ / "two"});
  ASSERT_EQ(run_assay(first).exit_code, 0);
  const Finished done = run_assay(again);
  EXPECT_EQ(done.exit_code, 0) << done.err << done.out;
  EXPECT_EQ(records_of<PointRecord>(read_journal(folder_ / "two").records).size(), 2U);
  write_file(folder_ / "law.ini", law_campaign);
  const Finished piped = run_program({"/bin/sh", "-c",
                                      assay_program() + " run - --against " + then() + " --output " +
                                          (folder_ / "piped") + " < " + (folder_ / "law.ini")});
  EXPECT_EQ(piped.exit_code, 0) << piped.err << piped.out;
}

TEST_F(Against, ThePlanHasTwiceThePoints) {
  write_file(folder_ / "law.ini", law_campaign);
  const Finished done =
      run_assay({"plan", folder_ / "law.ini", "--set", "campaign.sessions=1", "--against", then(), "--format", "json"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(parse_json(done.out).at("points").integer(), 4) << done.out;
}

TEST_F(Against, SeriesThatTheOtherSideLacksAreMeasuredOnce) {
  const Finished done = run_campaign_text(
      folder_, std::string(law_campaign) + "[series.further]\nmeasurement = synthetic/normal\nplacement = unbound\n",
      {"--against", then()});
  EXPECT_EQ(done.exit_code, 0) << done.err << done.out;
  EXPECT_EQ(points_of(campaign_records(folder_), "further").size(), 1U);
  EXPECT_EQ(points_of(campaign_records(folder_), "law").size(), 4U);
}

TEST_F(Against, WhatEndsByItsTimeLimitIsComparedSoFarAndNotJudged) {
  const Finished done = run_campaign_text(folder_,
                                          std::string(law_campaign) +
                                              "[series.endless]\nmeasurement = synthetic/normal\nplacement = "
                                              "unbound\nrule = time:10min\nmax-time = 10min\n",
                                          {"--against", then(), "--time-limit", "2s"});
  EXPECT_EQ(done.exit_code, 75) << done.err << done.out;
  EXPECT_THAT(done.out, HasSubstr("So far, and not judged before all points are finished"));
  EXPECT_THAT(done.err, HasSubstr("measures the rest"));
}

TEST_F(Against, AnotherProtocolIsRefusedWithBothVersionsBeforeAnythingIsCreated) {
  const std::string other = build_of_protocol(3);
  const Finished done = run(other);
  EXPECT_EQ(done.exit_code, 3) << done.err;
  EXPECT_THAT(done.err, HasSubstr("--against '" + other + "'"));
  EXPECT_THAT(done.err, HasSubstr("version 3"));
  EXPECT_THAT(done.err, HasSubstr("protocol 4"));
  EXPECT_TRUE(is_nothing_there());
}

/// One wrong answer to what a path may be.
struct WrongPath {
  const char* name;
  const char* content;  ///< nullptr: no file
  bool is_executable;
  int exit_code;
};

TEST_F(Against, WhatIsNeitherACampaignNorAnAssayIsRefusedWhereItIsNamed) {
  const std::string foreign = std::string(
                                  "\x7f"
                                  "ELF\x02\x01\x01",
                                  7) +
                              std::string(11, '\0') + "\xf3" + std::string(45, '\0');
  write_file(folder_ / "foreign", foreign);
  fs::permissions(folder_ / "foreign", fs::perms::owner_all);
  fs::create_directory(folder_ / "empty");
  for (const WrongPath& wrong : {WrongPath{"missing", nullptr, false, 2},
                                 {"data", "text", false, 3},
                                 {"script", "#!/bin/sh\necho hello\n", true, 3},
                                 {"failing", "#!/bin/sh\nexit 4\n", true, 3}}) {
    const std::string path = folder_ / wrong.name;
    if (wrong.content != nullptr) write_file(path, wrong.content);
    if (wrong.is_executable) fs::permissions(path, fs::perms::owner_all);
    const Finished done = run(path);
    EXPECT_EQ(done.exit_code, wrong.exit_code) << wrong.name << ": " << done.err;
    EXPECT_THAT(done.err, HasSubstr("--against '" + path + "'"));
  }
  EXPECT_EQ(run(folder_ / "foreign").exit_code, 3);
  EXPECT_EQ(run(folder_ / "empty").exit_code, 2);
  EXPECT_TRUE(is_nothing_there());
}

TEST_F(Against, ABrokenJournalIsRefused) {
  fs::create_directory(folder_ / "broken");
  write_file(folder_ / "broken/journal.jsonl", "{\"v\":1,\"seq\":0,\n{}\n");
  EXPECT_EQ(run(folder_ / "broken").exit_code, 5);
  write_file(folder_ / "broken/journal.jsonl", "");
  EXPECT_EQ(run(folder_ / "broken").exit_code, 5);
  EXPECT_TRUE(is_nothing_there());
}

TEST_F(Against, ACampaignIsNotMeasuredAgainstItself) {
  const Finished done = run(then(), {"--output", then()});
  EXPECT_EQ(done.exit_code, 2) << done.err;
  EXPECT_THAT(done.err, HasSubstr("--against"));
}

TEST_F(Against, AProgramAloneDoesNotSayWhatToMeasure) {
  const Finished done = run_assay({"run", "--against", assay_program(), "--output", folder_ / "campaign"});
  EXPECT_EQ(done.exit_code, 2) << done.err;
  EXPECT_EQ(run_assay({"run"}).exit_code, 2);
  EXPECT_TRUE(is_nothing_there());
}

}  // namespace
}  // namespace assay::test
