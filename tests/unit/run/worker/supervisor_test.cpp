// SPDX-License-Identifier: Apache-2.0
// The supervisor against workers that are shell scripts: whatever they do is a reply or a failure with the right words.
#include "run/worker/supervisor.hpp"

#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "platform/process/leftovers.hpp"
#include "platform/process/self.hpp"
#include "run/protocol/messages.hpp"
#include "run/worker/describe_plugins.hpp"
#include "support/programs/children.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

constexpr int stand_in = 424242;  ///< for the id of a script's process

std::string in_quotes(const std::string& text) { return "'" + text + "'"; }

/// A shell command that sends a reply.
std::string say(const Reply& reply, std::int64_t answers) {
  std::string line = encode(reply, answers);
  if (const auto at = line.find(std::to_string(stand_in)); at != std::string::npos) line.replace(at, 6, "'$$'");
  return "printf '%s\\n' " + in_quotes(line) + " >&3\n";
}

const std::string hear = "read -r request <&3\n";
const std::string stay = "read -r more <&3\n";

Opened opened() {
  Opened reply;
  reply.process = stand_in;
  reply.cpus = {0};
  return reply;
}

VisitYield yield(int batches, Reps reps, std::size_t members) {
  VisitYield reply;
  reply.batches.assign(static_cast<std::size_t>(batches), {reps, std::vector<MemberReport>(members)});
  return reply;
}

class SupervisorTest : public testing::Test {
 protected:
  SupervisorTest() : folder_(fs::path(testing::TempDir()) / ("supervisor." + std::to_string(own_pid()))) {
    fs::create_directory(folder_);
    SeriesPlan series;
    series.name = "pairs";
    series.measurement = {"test/pairs", "nothing"};
    series.measurement.factors = {{"size"}};
    series.precision.warm_up = {};
    series.precision.deadline = seconds(60);
    plan_.series = {series};
    plan_.seed = 11;
    key_.point.set("size", std::int64_t{4096});
  }
  ~SupervisorTest() override { fs::remove_all(folder_); }

  /// Makes the script that all workers are.
  std::string program(const std::string& script) {
    const fs::path path = folder_ / "program";
    std::ofstream(path) << "#!/bin/sh\n" << script;
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  std::string noted(const std::string& name) const {
    std::ifstream file(folder_ / name);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  fs::path in_folder(const std::string& name) const { return folder_ / name; }

  /// What opening an incarnation of such workers throws.
  VisitFailed failure_to_open(const std::string& script) {
    Supervisor supervisor(plan_, program(script));
    try {
      supervisor.open(key_);
    } catch (const VisitFailed& failure) {
      EXPECT_THROW(supervisor.visit(key_, {Reps{1}}), std::logic_error) << "still open";
      return failure;
    }
    return {Outcome::open, "it was opened"};
  }
  /// What a visit of one kept batch throws when the worker opens well and then continues as given.
  VisitFailed failure_to_visit(const std::string& rest, Nanoseconds deadline = seconds(60)) {
    Supervisor supervisor(plan_, program(hear + say(opened(), 1) + hear + rest + stay));
    supervisor.open(key_);
    try {
      supervisor.visit(key_, {Reps{5}, 1, 4, 2, false, deadline});
    } catch (const VisitFailed& failure) {
      EXPECT_THROW(supervisor.visit(key_, {Reps{1}}), std::logic_error) << "still open";
      return failure;
    }
    return {Outcome::open, "it was visited"};
  }

  CampaignPlan plan_;
  IncarnationKey key_;

 private:
  fs::path folder_;
};

VisitYield proper_yield() {
  VisitYield reply = yield(3, Reps{5}, 1);
  reply.discarded = 1;
  return reply;
}

TEST_F(SupervisorTest, OpensVisitsAndCloses) {
  Supervisor supervisor(plan_, program(hear + say(opened(), 1) + hear + say(proper_yield(), 2) + stay + "echo end > " +
                                       in_quotes(in_folder("end"))));
  const Opened reply = supervisor.open(key_);
  EXPECT_THAT(test::children(), testing::ElementsAre(reply.process));
  EXPECT_EQ(supervisor.visit(key_, {Reps{5}, 1, 4, 2, false, seconds(60)}).batches.size(), 3U);
  supervisor.close(key_);
  EXPECT_EQ(noted("end"), "end\n") << "it was killed instead of being let go";
  EXPECT_THAT(test::children(), testing::IsEmpty());
  supervisor.close(key_);
}

TEST_F(SupervisorTest, AsksForWhatThePlanSays) {
  SeriesPlan& series = plan_.series[0];
  series.precision.warm_up = milliseconds(3);
  series.measurement.members = exactly(2);
  series.measurement.traits.vehicles = {"process", "thread"};
  plan_.counter_clock = true;
  plan_.plugins = {"./a.so", "/b/c d.so"};
  key_.point.set("bystander", std::string("present"));
  failure_to_open("printf '%s' \"$*\" > " + in_quotes(in_folder("arguments")) + "\n" + hear +
                  "printf '%s' \"$request\" > " + in_quotes(in_folder("request")) + "\n");
  EXPECT_EQ(noted("arguments"), "worker --plugin ./a.so --plugin /b/c d.so");
  const NumberedRequest request = decode_request(noted("request"));
  EXPECT_EQ(request.number, 1);
  const auto& open = std::get<OpenMessage>(request.request);
  EXPECT_EQ(open.measurement, "test/pairs");
  EXPECT_EQ(to_text(open.point), "size=4096") << "only the measurement's own factors";
  EXPECT_EQ(open.vehicle, "process") << "the first that it has";
  EXPECT_EQ(open.members, 2);
  EXPECT_FALSE(open.placement.bound());
  EXPECT_TRUE(open.bystander);
  EXPECT_TRUE(open.counter_clock);
  EXPECT_EQ(open.warm_up, milliseconds(3));
}

TEST_F(SupervisorTest, TheVehicleIsAFactor) {
  key_.point.set("vehicle", std::string("process"));
  failure_to_open(hear + "printf '%s' \"$request\" > " + in_quotes(in_folder("request")) + "\n");
  const NumberedRequest request = decode_request(noted("request"));
  EXPECT_EQ(std::get<OpenMessage>(request.request).vehicle, "process");
}

TEST_F(SupervisorTest, SeedAndPaddingFollowFromNames) {
  const std::string script = hear + "printf '%s' \"$request\" > " + in_quotes(in_folder("request")) +
                             "\nprintf '%s' \"$ASSAY_PAD\" > " + in_quotes(in_folder("padding")) + "\n";
  const auto drawn = [&](int incarnation) {
    key_.incarnation = incarnation;
    failure_to_open(script);
    const NumberedRequest request = decode_request(noted("request"));
    return std::pair(noted("padding").size(), std::get<OpenMessage>(request.request).seed);
  };
  const auto first = drawn(0);
  EXPECT_EQ(drawn(0), first);
  std::set<std::size_t> paddings;
  std::set<std::uint64_t> seeds;
  for (int incarnation = 0; incarnation < 10; ++incarnation) {
    const auto [padding, seed] = drawn(incarnation);
    EXPECT_EQ(padding % 16, 0U);
    EXPECT_LE(padding, 4096U);
    paddings.insert(padding);
    seeds.insert(seed);
  }
  EXPECT_GT(paddings.size(), 5U);
  EXPECT_EQ(seeds.size(), 10U);
  plan_.seed = 12;
  EXPECT_NE(drawn(0), first);
}

TEST_F(SupervisorTest, AWorkerThatExitsSaysHowAndWhy) {
  const VisitFailed failure = failure_to_open("echo first >&2; echo luck >&2; exit 3\n");
  EXPECT_EQ(failure.outcome(), Outcome::failed);
  EXPECT_THAT(failure.what(), testing::AllOf(HasSubstr("3"), HasSubstr("luck")));
  EXPECT_EQ(failure.evidence().output, "first\nluck\n");
}

TEST_F(SupervisorTest, AWorkerThatIsKilledSaysSo) {
  const VisitFailed failure = failure_to_visit("kill -SEGV $$\n");
  EXPECT_EQ(failure.outcome(), Outcome::failed);
  EXPECT_THAT(failure.what(), HasSubstr("SIGSEGV"));
}

TEST_F(SupervisorTest, AProgramThatCannotBeStartedIsAFailure) {
  Supervisor supervisor(plan_, in_folder("nothing-here"));
  EXPECT_THROW(supervisor.open(key_), VisitFailed);
}

TEST_F(SupervisorTest, SilenceIsATimeout) {
  plan_.series[0].precision.deadline = milliseconds(50);
  plan_.series[0].precision.warm_up = milliseconds(10);
  const VisitFailed opening = failure_to_open("sleep 1000\n");
  EXPECT_EQ(opening.outcome(), Outcome::timeout);
  EXPECT_THAT(opening.what(), HasSubstr("0.25")) << "what its threads do";
  EXPECT_EQ(opening.evidence().last_heard, "silent");
  EXPECT_FALSE(opening.evidence().threads.empty());
  EXPECT_THAT(test::children(), testing::IsEmpty());
}

TEST_F(SupervisorTest, SilenceInAVisitIsATimeout) {
  const VisitFailed failure = failure_to_visit("sleep 1000\n", milliseconds(50));
  EXPECT_EQ(failure.outcome(), Outcome::timeout);
  EXPECT_THAT(failure.what(), testing::HasSubstr("killed; raise 'deadline'"));
}

TEST_F(SupervisorTest, ARequestToStopEndsAVisitAtOnce) {
  const int wakes = ::eventfd(1, 0);
  int asked = 0;
  const Interrupt on_second_time{wakes, [&] { return ++asked == 2; }};
  Supervisor supervisor(plan_, program(hear + stay), on_second_time);
  EXPECT_THROW(supervisor.open(key_), VisitAborted);
  EXPECT_EQ(asked, 2) << "nobody has to give up because he was woken";
  EXPECT_THAT(test::children(), testing::IsEmpty());
  ::close(wakes);
}

TEST_F(SupervisorTest, SignsOfLifeAreNoAnswerAndMoveNoDeadline) {
  const VisitFailed failure =
      failure_to_visit("while :; do " + say(AliveMessage{}, 2) + "sleep 0.01; done\n", milliseconds(300));
  EXPECT_EQ(failure.outcome(), Outcome::timeout);
  EXPECT_THAT(failure.what(), testing::AllOf(HasSubstr("0.3"), HasSubstr("life")));
  EXPECT_EQ(failure.evidence().last_heard, "slow but alive");
  EXPECT_EQ(failure_to_visit(say(AliveMessage{}, 2) + say(proper_yield(), 2)).outcome(), Outcome::open);
  EXPECT_THAT(failure_to_visit(say(AliveMessage{}, 1)).what(), StartsWith("protocol"));
}

TEST_F(SupervisorTest, AWorkerThatExitsWithoutAWordHasNoResult) {
  EXPECT_THAT(failure_to_open("exit 0\n").what(), HasSubstr("0"));
  EXPECT_THAT(failure_to_open("exec 3<&-; sleep 1000\n").what(), HasSubstr("connection"));
}

TEST_F(SupervisorTest, OutputIsLegible) {
  EXPECT_EQ(failure_to_open("printf 'a\\033[31m\\377b\\n'; exit 3\n").evidence().output, "a?[31m?b\n");
}

TEST_F(SupervisorTest, WhoEscapesFromTheGroupIsEndedAndTold) {
  Supervisor supervisor(plan_, program("setsid sleep 1000 &\n" + hear + say(opened(), 1) + stay));
  supervisor.open(key_);
  IncarnationKey other = key_;
  other.incarnation = 1;
  supervisor.open(other);
  EXPECT_THAT(supervisor.notes(), testing::IsEmpty());
  supervisor.close(key_);
  EXPECT_EQ(processes_marked(supervisor.tag() + ".1"), std::vector<int>());
  EXPECT_EQ(processes_marked(supervisor.tag() + ".2").size(), 2U) << "the other worker has its own";
  const auto notes = supervisor.notes();
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(notes[0], testing::AllOf(HasSubstr("killed"), HasSubstr("sleep")));
}

TEST_F(SupervisorTest, HalfALineIsATimeout) {
  plan_.series[0].precision.deadline = milliseconds(50);
  EXPECT_EQ(failure_to_open("printf '{\"protocol\"' >&3\nsleep 1000\n").outcome(), Outcome::timeout);
}

TEST_F(SupervisorTest, GarbageIsAProtocolError) {
  for (const std::string& text : {std::string("nonsense"), std::string("{}"), std::string("[1,2"), std::string()}) {
    const VisitFailed failure = failure_to_open("printf '%s\\n' " + in_quotes(text) + " >&3\n" + stay);
    EXPECT_EQ(failure.outcome(), Outcome::failed);
    EXPECT_THAT(failure.what(), StartsWith("protocol")) << text;
  }
}

TEST_F(SupervisorTest, AnEndlessLineIsAProtocolError) {
  const VisitFailed failure = failure_to_open("tr '\\000' x < /dev/zero >&3\n");
  EXPECT_EQ(failure.outcome(), Outcome::failed);
  EXPECT_STREQ(failure.what(), "protocol error: a line without an end");
}

TEST_F(SupervisorTest, AStaleReplyIsNotTakenForALaterOne) {
  const VisitFailed failure = failure_to_visit(say(proper_yield(), 1));
  EXPECT_EQ(failure.outcome(), Outcome::failed);
  EXPECT_STREQ(failure.what(), "protocol error: a reply to request 1 where 2 was asked");
  EXPECT_THAT(failure_to_visit(say(FailedMessage{}, 1)).what(), StartsWith("protocol"));
}

TEST_F(SupervisorTest, AReplyOfAnotherKindIsAProtocolError) {
  EXPECT_STREQ(failure_to_visit(say(opened(), 2)).what(), "protocol error: a reply of another kind");
  EXPECT_STREQ(failure_to_open(hear + say(proper_yield(), 1) + stay).what(), "protocol error: a reply of another kind");
}

TEST_F(SupervisorTest, AFailureKeepsItsWords) {
  const VisitFailed failure =
      failure_to_open(hear + say(FailedMessage{Outcome::unsupported, "no futex", "N4"}, 1) + stay);
  EXPECT_EQ(failure.outcome(), Outcome::unsupported);
  EXPECT_STREQ(failure.what(), "no futex");
  EXPECT_EQ(failure.code(), "N4");
}

TEST_F(SupervisorTest, ALastWordAnswersEverything) {
  const VisitFailed failure =
      failure_to_visit(say(FailedMessage{Outcome::failed, "member 1: gone", {}}, last_word) + "exit 1\n");
  EXPECT_EQ(failure.outcome(), Outcome::failed);
  EXPECT_STREQ(failure.what(), "member 1: gone");
  EXPECT_THAT(failure_to_visit(say(proper_yield(), last_word)).what(), StartsWith("protocol"));
}

TEST_F(SupervisorTest, ImplausibleYieldsAreProtocolErrors) {
  EXPECT_EQ(failure_to_visit(say(proper_yield(), 2)).outcome(), Outcome::open);
  VisitYield reply = proper_yield();
  reply.discarded = 0;
  EXPECT_STREQ(failure_to_visit(say(reply, 2)).what(), "protocol error: another number of batches");
  reply = proper_yield();
  reply.batches[1].reps = Reps{6};
  EXPECT_STREQ(failure_to_visit(say(reply, 2)).what(), "protocol error: a batch of another length or team");
  reply = proper_yield();
  reply.batches[2].members.emplace_back();
  EXPECT_STREQ(failure_to_visit(say(reply, 2)).what(), "protocol error: a batch of another length or team");
}

TEST_F(SupervisorTest, ImplausibleOpeningsAreProtocolErrors) {
  Opened reply = opened();
  reply.process = own_pid();
  EXPECT_STREQ(failure_to_open(hear + say(reply, 1) + stay).what(),
               "protocol error: another process opened the incarnation");
  reply = opened();
  reply.cpus = {0, 1};
  EXPECT_STREQ(failure_to_open(hear + say(reply, 1) + stay).what(), "protocol error: bindings of another team");
}

TEST_F(SupervisorTest, KeepsIncarnationsApart) {
  Supervisor supervisor(plan_, program(hear + say(opened(), 1) + hear + say(proper_yield(), 2) + stay));
  IncarnationKey other = key_;
  other.incarnation = 1;
  const int first = supervisor.open(key_).process;
  const int second = supervisor.open(other).process;
  EXPECT_NE(first, second);
  EXPECT_EQ(test::children().size(), 2U);
  supervisor.close(key_);
  EXPECT_THAT(test::children(), testing::ElementsAre(second));
  EXPECT_NO_THROW(supervisor.visit(other, {Reps{5}, 1, 4, 2, false, seconds(60)}));
}

TEST_F(SupervisorTest, OpeningAgainEndsTheFormerWorker) {
  Supervisor supervisor(plan_, program(hear + say(opened(), 1) + stay));
  supervisor.open(key_);
  const int second = supervisor.open(key_).process;
  EXPECT_THAT(test::children(), testing::ElementsAre(second));
}

TEST_F(SupervisorTest, AWorkerThatDoesNotLeaveIsKilled) {
  Supervisor supervisor(plan_, program(hear + say(opened(), 1) + stay + "while :; do echo more >&3; done\n"));
  supervisor.open(key_);
  supervisor.close(key_);
  EXPECT_THAT(test::children(), testing::IsEmpty());
}

TEST_F(SupervisorTest, TheEndOfTheSupervisorEndsAll) {
  {
    Supervisor supervisor(plan_, program(hear + say(opened(), 1) + stay + "exec sleep 1000\n"));
    for (key_.incarnation = 0; key_.incarnation < 5; ++key_.incarnation) supervisor.open(key_);
    EXPECT_EQ(test::children().size(), 5U);
  }
  EXPECT_THAT(test::children(), testing::IsEmpty());
}

TEST_F(SupervisorTest, DescribesWhatEachPluginAdds) {
  Description base{"base/one", "x"};
  Description added{"added/two", "y"};
  // A worker without plugins knows one measurement; each plugin "ok" adds one, the plugin "bad" does not load.
  const std::string script = "case \"$*\" in *bad*) echo 'bad: no stamp' >&2; exit 3;; *ok*) " + hear +
                             say(Described{{base, added}}, 1) + ";; *) " + hear + say(Described{{base}}, 1) +
                             ";; esac\n" + stay;
  const std::string path = program(script);
  EXPECT_TRUE(describe_plugins(path, {}).empty());
  const auto reports = describe_plugins(path, {"./bad.so", "./ok.so", "./ok2.so"});
  ASSERT_EQ(reports.size(), 3U);
  ASSERT_TRUE(reports[0].problem);
  EXPECT_EQ(reports[0].problem->why, "it did not survive loading: worker exited 3: bad: no stamp");
  EXPECT_FALSE(reports[1].problem);
  ASSERT_EQ(reports[1].measurements.size(), 1U);
  EXPECT_EQ(reports[1].measurements[0].name, "added/two");
  EXPECT_EQ(reports[2].problem.value().why, "measurement 'added/two' is registered by './ok.so' as well");
  EXPECT_THAT(test::children(), testing::IsEmpty());
}

}  // namespace
}  // namespace assay
