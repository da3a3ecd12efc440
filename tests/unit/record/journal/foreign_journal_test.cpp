// SPDX-License-Identifier: Apache-2.0
// Untrusted journals, one fault at a time: each is refused in words, none crashes or fills the memory.
#include <gtest/gtest.h>
#include <malloc.h>

#include "base/error.hpp"
#include "record/journal/journal.hpp"
#include "support/environment/scratch.hpp"
#include "support/machines/fake_clock.hpp"

namespace assay {
namespace {

std::string sealed(const std::string& body) { return body + ",\"crc\":\"" + crc_text(crc32c(body)) + "\"}\n"; }

std::string refusal(const std::string& text) {
  try {
    parse_journal(text, "j");
  } catch (const ResultError& error) {
    return error.what();
  }
  return "accepted";
}

std::string repeated(const std::string& part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

std::string note(const std::string& members) { return sealed(R"({"v":1,"seq":0,"type":"note",)" + members); }
std::string visit(const std::string& at, const std::string& took, const std::string& batches) {
  return sealed(
      R"({"v":1,"seq":0,"type":"visit","series":"s","point":{},"session":0,"incarnation":0,"visit":0,"round":0,"at_ns":)" +
      at + R"(,"took_ns":)" + took + R"(,"discarded":0,"batches":)" + batches);
}

struct Case {
  const char* name;
  std::string text;
  const char* why;
};

std::vector<Case> cases() {
  const std::string good = note(R"("text":"x")");
  return {
      {"not our format", "name,median\nx,1\n", R"(it begins with "name,median\nx,1\n")"},
      {"a newer version", sealed(R"({"v":2,"seq":0,"type":"note","text":"x")"),
       "format version 2; this program reads version 1"},
      {"a wrong checksum", good.substr(0, good.size() - 5) + "0\"}\n", "not a journal of this program"},
      {"a wrong sequence number", sealed(R"({"v":1,"seq":4,"type":"note","text":"x")"),
       "sequence number 4 where 0 was expected"},
      {"a sequence number beyond 64 bits", sealed(R"({"v":1,"seq":99999999999999999999,"type":"note","text":"x")"),
       "expected an integer"},
      {"a negative sequence number", sealed(R"({"v":1,"seq":-1,"type":"note","text":"x")"),
       "sequence number -1 where 0 was expected"},
      {"a number as a string", visit("1.0", "\"7.5\"", "[]"), "string"},
      {"a string as a number", note(R"("text":5)"), "integer"},
      {"NaN as JavaScript has it", visit("NaN", "1.0", "[]"), "not valid JSON"},
      {"nan as C has it", visit("nan", "1.0", "[]"), "not valid JSON"},
      {"nan in words", visit("\"nan\"", "1.0", "[]"), "'at_ns' is not a time"},
      {"infinity in words", visit("1.0", "\"inf\"", "[]"), "'took_ns' is not a time"},
      {"a number beyond doubles", visit("1.0", "1e999", "[]"), "not valid JSON"},
      {"a negative time", visit("-1.0", "1.0", "[]"), "'at_ns' is not a time: negative"},
      {"a negative duration", visit("1.0", "-0.5", "[]"), "'took_ns' is not a time: negative"},
      {"counts that do not match",
       visit("1.0", "1.0", R"([{"reps":1,"claims":[[1.0],[]],"cpu_ns":[1.0],"wall_ns":[1.0,1.0],"cpus":[0,1]}])"),
       "one value per member"},
      {"more claims than can be",
       visit("1.0", "1.0",
             R"([{"reps":1,"claims":[[)" + repeated("1.0,", 5000) +
                 R"(1.0]],"cpu_ns":[1.0],"wall_ns":[1.0],"cpus":[0]}])"),
       "more claims than"},
      {"a string of 100 kB", note(R"("text":")" + std::string(100'000, 'x') + '"'),
       "a string of more than 65536 bytes"},
      {"a name of 100 kB", note(R"("text":"","x)" + std::string(100'000, 'x') + R"(":1)"), "a name that is too long"},
      {"a string of 10 MB", note(R"("text":")" + std::string(10'000'000, 'x') + '"'), "not a journal of this program"},
      {"40 levels", note(R"("text":)" + repeated("[", 40) + repeated("]", 40)), "more than 32 levels"},
      {"100 000 levels", note(R"("text":)" + repeated("[", 100'000)), "more than 32 levels"},
      {"100 000 levels in the point",
       sealed(R"({"v":1,"seq":0,"type":"visit","series":"s","point":)" + repeated("{\"a\":", 100'000) + "1" +
              repeated("}", 100'000)),
       "more than 32 levels"},
      {"a point that never ends", sealed(R"({"v":1,"seq":0,"type":"visit","series":"s","point":{)"), "not valid JSON"},
      {"invalid UTF-8", note("\"text\":\"a\xff\""), "not valid JSON"},
      {"half a surrogate", note(R"("text":"\ud800")"), "not valid JSON"},
      {"a zero byte", sealed(std::string(R"({"v":1,"seq":0,"type":"note","text":"a)") + '\0' + '"'), "zero byte"},
      {"an unknown type", sealed("{\"v\":1,\"seq\":0,\"type\":\"po\x1b[2Jem\""),
       R"(unknown type of record "po\x1b[2Jem")"},
      {"an array", sealed(R"([{"v":1,"seq":0,"type":"note","text":"x"})"), "not a journal of this program"},
      {"members in another order", sealed(R"({"v":1,"type":"note","seq":0,"text":"x")"), "not in their order"},
      {"batches elsewhere that are missing",
       sealed(
           R"({"v":1,"seq":0,"type":"visit","series":"s","point":{},"session":0,"incarnation":0,"visit":0,"round":0,"at_ns":1.0,"took_ns":1.0,"discarded":0,"batches":[],"samples":{"bytes":1000000000,"crc":"00000000"})"),
       "its batches are missing"},
  };
}

TEST(ForeignJournal, IsRefusedInWords) {
  for (const Case& one : cases()) {
    const std::string message = refusal(one.text);
    EXPECT_NE(message.find(one.why), std::string::npos) << one.name << ": " << message;
    EXPECT_TRUE(message.starts_with("j: line 1, byte 0: ")) << one.name << ": " << message;
    EXPECT_LT(message.size(), 400U) << one.name;
    for (const char letter : message) EXPECT_GE(static_cast<unsigned char>(letter), ' ') << one.name;
  }
}

TEST(ForeignJournal, ATruncatedOneHasWhatIsWholeAndAnEmptyOneNothing) {
  const std::string good = note(R"("text":"x")");
  EXPECT_EQ(parse_journal(good + good.substr(0, 12), "j").records.size(), 0U + 1U);
  EXPECT_EQ(parse_journal(good.substr(0, 30), "j").end.torn, 30);
  EXPECT_TRUE(parse_journal("", "j").records.empty());
}

TEST(ForeignJournal, AYearFarAwayIsAText) {
  const std::string year =
      R"({"v":1,"seq":0,"type":"session","session":0,"started":"1000000000000-01-01T00:00:00Z","command_line":"","facts":{})";
  const std::string message = refusal(sealed(year));
  EXPECT_TRUE(message == "accepted" || message.find("cannot be read") != std::string::npos) << message;
}

TEST(ForeignJournal, AnnouncedSizesAllocateNothing) {
  const std::size_t before = ::mallinfo2().uordblks + ::mallinfo2().hblkhd;
  for (const Case& one : cases()) {
    if (one.text.size() > 10'000) continue;
    refusal(one.text);
    EXPECT_LT(::mallinfo2().uordblks + ::mallinfo2().hblkhd, before + (std::size_t{32} << 20U)) << one.name;
  }
}

TEST(ForeignJournal, UnwantedRecordsAreNotDecoded) {
  const std::string odd = sealed(R"({"v":1,"seq":0,"type":"note","text":5)");
  int heads = 0;
  const auto end = scan_journal_text(
      odd, "j", ".", [&](const RecordHead& head) { return head.type == "note" && ++heads < 0; },
      [](const Record&) { FAIL(); });
  EXPECT_EQ(end.records, 1);
  EXPECT_EQ(heads, 1);
}

TEST(JournalHeads, TellWhatRecordsAreAbout) {
  test::FakeClock clock;
  const test::Scratch scratch;
  Point point;
  point.set("bytes", std::int64_t{8});
  point.set("word", std::string("}\"\\{,\"session\":9"));
  const std::string series = "a\"} \u00e9\n";
  PointRecord finished;
  finished.series = series;
  finished.measurement = "m\",\"point\":{}";
  finished.point = point;
  {
    Journal journal(scratch / "campaign", clock);
    journal.write(CampaignRecord{"", std::string(500'000, 'c'), 0, ""});
    journal.write(BeginRecord{series, point, 3, 0, 0});
    journal.write(VisitRecord{series, point, 4, 0, 0, 0, {}, {}, 0, {}, {}});
    journal.write(finished);
    journal.write(DerivedRecord{});
  }
  std::vector<std::string> types;
  std::vector<int> sessions;
  std::vector<std::string> subjects;
  scan_journal(
      scratch / "campaign",
      [&](const RecordHead& head) {
        types.emplace_back(head.type);
        sessions.push_back(head.session);
        subjects.emplace_back(head.about());
        return false;
      },
      [](const Record&) { FAIL(); });
  const std::string text = about(series, point);
  EXPECT_EQ(types, (std::vector<std::string>{"campaign", "begin", "visit", "point", "derived"}));
  EXPECT_EQ(sessions, (std::vector<int>{-1, 3, 4, -1, -1}));
  EXPECT_EQ(subjects, (std::vector<std::string>{"", text, text, text, ""}));
}

}  // namespace
}  // namespace assay
