// SPDX-License-Identifier: Apache-2.0
// Damaged journals: cut at every byte, a bit flipped in every byte, lines lost, repeated, moved or foreign.
#include <gtest/gtest.h>

#include <sstream>

#include "base/error.hpp"
#include "record/journal.hpp"
#include "support/fake_clock.hpp"
#include "support/scratch.hpp"
#include "unit/record/same.hpp"

namespace assay {
namespace {

using Lines = std::vector<std::string>;

// A journal of a few records of different kinds, as the writer writes it.
Lines small_journal() {
  test::Scratch scratch;
  test::FakeClock clock;
  const std::string directory = scratch.file("campaign");
  Point point;
  point.set("bytes", std::int64_t{8});
  {
    Journal journal(directory, clock);
    journal.write(CampaignRecord{"title", "[campaign]\n", 7, "interleaved"});
    journal.write(VisitRecord{"s", point, 0, 0, 0, 0, {1}, {2}, 1, {}, {{{Reps{3}, {{Nanoseconds{9}}}}, {}}}});
    journal.write(NoteRecord{"a note"});
    journal.write(EndRecord{0, "complete", 1, 0, {5}});
  }
  std::istringstream text(read_file(directory + "/journal.jsonl", 1U << 20U));
  Lines lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line + '\n');
  return lines;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

// A record's line with the right checksum around any members.
std::string sealed(const std::string& body) { return body + ",\"crc\":\"" + crc_text(crc32c(body)) + "\"}\n"; }

std::string refusal(const std::string& text) {
  try {
    parse_journal(text, "j");
  } catch (const ResultError& error) {
    return error.what();
  }
  return "accepted";
}

// What came of a text: refused, or read with so many records and torn bytes.
struct Outcomes {
  bool refused = false;
  JournalContent content;
};
Outcomes outcome_of(const std::string& text) {
  try {
    return {false, parse_journal(text, "j")};
  } catch (const ResultError&) {
    return {true, {}};
  }
}

bool is_prefix_of(const std::vector<Record>& records, const std::vector<Record>& all) {
  if (records.size() > all.size()) return false;
  for (std::size_t i = 0; i < records.size(); ++i)
    if (!test::same(records[i], all[i])) return false;
  return true;
}

TEST(JournalDamage, CutAtEveryByteKeepsEveryWholeRecord) {
  const Lines lines = small_journal();
  const std::string text = joined(lines);
  const auto all = parse_journal(text, "j").records;
  std::size_t whole = 0;
  std::size_t good = 0;
  for (std::size_t size = 0; size <= text.size(); ++size) {
    if (whole < lines.size() && size == good + lines[whole].size()) good += lines[whole++].size();
    const JournalContent content = parse_journal(text.substr(0, size), "j");
    ASSERT_EQ(content.records.size(), whole) << size;
    ASSERT_TRUE(is_prefix_of(content.records, all));
    ASSERT_EQ(content.good_size, static_cast<std::int64_t>(good)) << size;
    ASSERT_EQ(content.torn, static_cast<std::int64_t>(size - good)) << size;
  }
}

TEST(JournalDamage, EveryFlippedBitIsRefused) {
  const std::string text = joined(small_journal());
  for (std::size_t at = 0; at < text.size(); ++at)
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string flipped = text;
      flipped[at] = static_cast<char>(static_cast<unsigned char>(flipped[at]) ^ (1U << bit));
      ASSERT_TRUE(outcome_of(flipped).refused) << "bit " << bit << " of byte " << at;
    }
}

TEST(JournalDamage, FlippedBitBeforeATornTailIsRefused) {
  const Lines lines = small_journal();
  std::string text = joined(lines);
  text.resize(text.size() - 5);
  text[lines[0].size() + 30] = static_cast<char>(text[lines[0].size() + 30] ^ 1);
  EXPECT_NE(refusal(text), "accepted");
}

TEST(JournalDamage, UnwrittenBlocksAtTheEndAreATornTail) {
  const Lines lines = small_journal();
  const std::string good = lines[0] + lines[1];
  for (const std::string& tail : {std::string(500, '\0'), std::string(20, '\0') + lines[2].substr(20),
                                  lines[2].substr(0, 30) + std::string(99, '\0'),
                                  std::string(30, '\0') + lines[2].substr(30) + lines[3].substr(0, 20)}) {
    const JournalContent content = parse_journal(good + tail, "j");
    EXPECT_EQ(content.records.size(), 2U);
    EXPECT_EQ(content.torn, static_cast<std::int64_t>(tail.size()));
  }
}

TEST(JournalDamage, UnwrittenBlocksBeforeAValidRecordAreRefused) {
  const Lines lines = small_journal();
  EXPECT_NE(refusal(lines[0] + std::string(30, '\0') + lines[1].substr(30) + lines[2]), "accepted");
}

TEST(JournalDamage, NamesLineAndByte) {
  Lines lines = small_journal();
  const std::size_t offset = lines[0].size() + lines[1].size();
  lines[2][40] = 'X';
  EXPECT_EQ(refusal(joined(lines)), "j: line 3, byte " + std::to_string(offset) +
                                        ": damaged: the line is not a record with the right checksum");
}

TEST(JournalDamage, RepeatedMissingAndReorderedLinesAreRefused) {
  const Lines lines = small_journal();
  EXPECT_NE(refusal(lines[0] + lines[1] + lines[1] + lines[2]).find("line 3"), std::string::npos);
  EXPECT_NE(refusal(lines[0] + lines[1] + lines[1] + lines[2]).find("sequence number 1 where 2 was due"),
            std::string::npos);
  EXPECT_NE(refusal(lines[0] + lines[2] + lines[3]).find("sequence number 2 where 1 was due"), std::string::npos);
  EXPECT_NE(refusal(lines[0] + lines[2] + lines[1] + lines[3]), "accepted");
  EXPECT_NE(refusal(lines[1] + lines[2]), "accepted");
}

TEST(JournalDamage, NewerFormatIsNamed) {
  const std::string line = sealed(R"({"v":2,"seq":0,"type":"note","text":"x")");
  EXPECT_EQ(refusal(line), "j: line 1, byte 0: format version 2; this program reads version 1");
}

TEST(JournalDamage, SoundLinesThatAreNoRecordsAreRefused) {
  EXPECT_NE(refusal(sealed(R"({"v":1,"seq":0,"type":"poem")")).find("unknown type of record 'poem'"),
            std::string::npos);
  EXPECT_NE(refusal(sealed(R"({"v":1,"seq":0,"type":"note")")).find("missing member 'text'"), std::string::npos);
  EXPECT_NE(refusal(sealed(R"({"v":1,"type":"note","text":"x")")).find("missing member 'seq'"), std::string::npos);
  EXPECT_NE(refusal(sealed(R"({"v":1,"seq":0,"type":note)")).find("not valid JSON"), std::string::npos);
}

TEST(JournalDamage, ForeignFilesAreRefused) {
  for (const std::string& text :
       {std::string("hello"), std::string("hello\n"), std::string("\n"), std::string("{\"benchmarks\": []}"),
        std::string("\x7f"
                    "ELF\0\0\0",
                    7),
        std::string(100, '\0'), std::string("a,b\n1,2\n")})
    EXPECT_EQ(refusal(text), "j: line 1, byte 0: not a journal of this program, or damaged in its first record");
}

TEST(JournalDamage, ForeignTextAfterGoodRecordsIsRefused) {
  const Lines lines = small_journal();
  EXPECT_NE(refusal(lines[0] + "hello"), "accepted");
  EXPECT_NE(refusal(lines[0] + "\n"), "accepted");
  EXPECT_NE(refusal(lines[0] + "{\"v\":1,\"seq\":7,\"type\":\"no"), "accepted");
}

TEST(JournalDamage, EmptyJournalIsEmpty) {
  const JournalContent content = parse_journal("", "j");
  EXPECT_TRUE(content.records.empty());
  EXPECT_EQ(content.torn, 0);
}

}  // namespace
}  // namespace assay
