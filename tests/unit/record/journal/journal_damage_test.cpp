// SPDX-License-Identifier: Apache-2.0
// Damaged journals: cut at every byte, every bit flipped, lines lost, repeated, moved or foreign.
#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>

#include "base/error.hpp"
#include "record/journal/journal.hpp"
#include "support/environment/scratch.hpp"
#include "support/machines/fake_clock.hpp"
#include "unit/record/same.hpp"

namespace assay {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& journal) {
  std::istringstream text(journal);
  Lines lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line + '\n');
  return lines;
}

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
    journal.write(SeriesRecord{"s", "m @ m", {}, "median-ci"});
    journal.write(NoteRecord{"a note"});
    journal.write(EndRecord{0, "complete", 1, 0, {5}});
  }
  return lines_of(read_file(directory + "/journal.jsonl", 1U << 20U));
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

// A record's line with the right checksum around any members.
std::string resealed(const std::string& body) { return body + ",\"crc\":\"" + crc_text(crc32c(body)) + "\"}\n"; }

std::string damage_refusal(const std::string& text) {
  try {
    parse_journal(text, "j");
  } catch (const ResultError& error) {
    return error.what();
  }
  return "accepted";
}

/// Where a text is told to be damaged: "LINE:BYTE", from "j: line L, byte B: ..."; empty where it is accepted.
std::string damaged_at(const std::string& text) {
  const std::string refusal = damage_refusal(text);
  int line = -1;
  long byte = -1;
  if (std::sscanf(refusal.c_str(), "j: line %d, byte %ld", &line, &byte) != 2)
    return refusal == "accepted" ? "" : refusal;
  return std::to_string(line) + ':' + std::to_string(byte);
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

TEST(Faults, F05_cut_at_every_byte_keeps_every_whole_record) {
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
    ASSERT_EQ(content.end.good_size, static_cast<std::int64_t>(good)) << size;
    ASSERT_EQ(content.end.torn, static_cast<std::int64_t>(size - good)) << size;
  }
}

TEST(Faults, F05_every_flipped_bit_is_refused) {
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
  EXPECT_NE(damage_refusal(text), "accepted");
}

// A journal with long enough lines for whole sectors of them to be missing.
Lines long_journal(std::size_t records) {
  test::Scratch scratch;
  test::FakeClock clock;
  const std::string directory = scratch.file("campaign");
  {
    Journal journal(directory, clock);
    journal.write(CampaignRecord{"title", "[campaign]\n", 7, "interleaved"});
    for (std::size_t i = 0; i < records; ++i)
      journal.write(SeriesRecord{std::string(700 + 90 * i, 's'), "m", {}, "median-ci"});
  }
  return lines_of(read_file(directory + "/journal.jsonl", 1U << 20U));
}

TEST(JournalDamage, SectorsThatWereNeverWrittenAreATornTail) {
  const Lines lines = long_journal(4);
  const std::string text = joined(lines);
  for (std::size_t from = lines[0].size(); from < text.size(); from = (from / 512 + 1) * 512)
    for (std::size_t to = (from / 512 + 1) * 512; to <= text.size(); to += 512) {
      std::string holed = text;
      holed.replace(from, to - from, to - from, '\0');
      std::size_t whole = 0;
      std::size_t good = 0;
      while (good + lines[whole].size() <= from) good += lines[whole++].size();
      const JournalContent content = parse_journal(holed, "j");
      ASSERT_EQ(content.records.size(), whole) << from << " to " << to;
      ASSERT_EQ(content.end.torn, static_cast<std::int64_t>(text.size() - good));
    }
}

TEST(JournalDamage, ZerosThatNoLostWriteLeavesAreRefused) {
  const std::string text = joined(long_journal(3));
  for (const std::size_t at : {std::size_t{600}, std::size_t{1100}, text.size() - 30})
    for (const std::size_t size : {std::size_t{1}, std::size_t{20}}) {
      std::string holed = text;
      holed.replace(at, size, size, '\0');
      ASSERT_NE(damage_refusal(holed), "accepted") << at << ' ' << size;
    }
}

TEST(JournalDamage, LostSectorsOfWhatWasSyncedAreRefused) {
  // Notes are synced as they are written: the second shows that the first had reached the disk.
  Lines lines = long_journal(3);
  lines.resize(2);
  for (const std::int64_t number : {2, 3})
    lines.push_back(sealed_line(number, 0, R"({"type":"note","text":")" + std::string(1500, 'n') + R"("})"));
  std::string text = joined(lines);
  const std::size_t from = (lines[0].size() + lines[1].size()) / 512 * 512 + 512;
  text.replace(from, 512, 512, '\0');
  EXPECT_NE(damage_refusal(text), "accepted");
  EXPECT_EQ(damage_refusal(text.substr(0, text.size() - lines[3].size())), "accepted")
      << "nothing tells that it was synced";
}

TEST(JournalDamage, NamesLineAndByte) {
  Lines lines = small_journal();
  const std::size_t offset = lines[0].size() + lines[1].size();
  lines[2][40] = 'X';
  EXPECT_EQ(damaged_at(joined(lines)), "3:" + std::to_string(offset));
}

TEST(Faults, F05_a_second_campaign_is_refused) {
  const Lines lines = small_journal();
  const std::string again = resealed(R"({"v":1,"seq":1)" + lines[0].substr(14, lines[0].find(",\"crc\"") - 14));
  EXPECT_EQ(damaged_at(lines[0] + again), "2:" + std::to_string(lines[0].size()));
}

TEST(Faults, F05_repeated_missing_and_reordered_lines_are_refused) {
  const Lines lines = small_journal();
  EXPECT_EQ(damaged_at(lines[0] + lines[1] + lines[1] + lines[2]),
            "3:" + std::to_string(lines[0].size() + lines[1].size()));
  EXPECT_EQ(damaged_at(lines[0] + lines[2] + lines[3]), "2:" + std::to_string(lines[0].size()));
  EXPECT_NE(damage_refusal(lines[0] + lines[2] + lines[1] + lines[3]), "accepted");
  EXPECT_NE(damage_refusal(lines[1] + lines[2]), "accepted");
}

TEST(JournalDamage, NewerFormatIsNamed) {
  const std::string line = resealed(R"({"v":2,"seq":0,"type":"note","text":"x")");
  EXPECT_NE(damage_refusal(line).find("version 2"), std::string::npos);
  EXPECT_NE(damage_refusal("{\"v\":7,\"seq\":0,\"type\":\"note\",\"seal\":\"x\"}\n").find("version 7"),
            std::string::npos);
}

TEST(JournalDamage, SoundLinesThatAreNoRecordsAreRefused) {
  EXPECT_NE(damage_refusal(resealed(R"({"v":1,"seq":0,"type":"poem")")).find("\"poem\""), std::string::npos);
  EXPECT_NE(damage_refusal(resealed(R"({"v":1,"seq":0,"type":"note")")).find("'text'"), std::string::npos);
  EXPECT_NE(damage_refusal(resealed(R"({"v":1,"type":"note","text":"x")")).find("'seq'"), std::string::npos);
  EXPECT_NE(damage_refusal(resealed(R"({"v":1,"seq":0,"type":note)")), "accepted");
}

TEST(JournalDamage, ForeignFilesAreRefused) {
  for (const std::string& text :
       {std::string("hello"), std::string("hello\n"), std::string("\n"), std::string("{\"benchmarks\": []}"),
        std::string("\x7f"
                    "ELF\0\0\0",
                    7),
        std::string(100, '\0'), std::string("a,b\n1,2\n")})
    EXPECT_EQ(damaged_at(text), "1:0");
  EXPECT_NE(damage_refusal("hel\x1b[2Jlo").find(R"("hel\x1b[2Jlo")"), std::string::npos);
}

TEST(JournalDamage, ForeignTextAfterGoodRecordsIsRefused) {
  const Lines lines = small_journal();
  EXPECT_NE(damage_refusal(lines[0] + "hello"), "accepted");
  EXPECT_NE(damage_refusal(lines[0] + "\n"), "accepted");
  EXPECT_NE(damage_refusal(lines[0] + "{\"v\":1,\"seq\":7,\"type\":\"no"), "accepted");
}

TEST(JournalDamage, EmptyJournalIsEmpty) {
  const JournalContent content = parse_journal("", "j");
  EXPECT_TRUE(content.records.empty());
  EXPECT_EQ(content.end.torn, 0);
}

}  // namespace
}  // namespace assay
