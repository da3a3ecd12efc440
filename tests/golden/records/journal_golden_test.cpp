// SPDX-License-Identifier: Apache-2.0
// What is said about journals that are damaged, foreign or of another format, byte by byte.
#include "base/error.hpp"
#include "record/journal/journal.hpp"
#include "support/environment/golden.hpp"

namespace assay::test {
namespace {

/// A record's line with the right checksum around its members.
std::string sealed_record(const std::string& body) { return body + ",\"crc\":\"" + crc_text(crc32c(body)) + "\"}\n"; }

TEST(JournalGolden, Refusals) {
  const std::string campaign = sealed_record(
      R"({"v":1,"seq":0,"type":"campaign","title":"t","configuration":"","seed":"1","schedule":"interleaved")");
  const std::string note = sealed_record(R"({"v":1,"seq":1,"type":"note","text":"x")");
  std::string flipped = campaign + note + sealed_record(R"({"v":1,"seq":2,"type":"note","text":"y")") + note;
  flipped[campaign.size() + note.size() + 36] ^= 1;
  std::string told;
  for (
      const std::string& text :
      {std::string("hello\n"), std::string("hel\x1b[2Jlo"), std::string("{\"benchmarks\": []}"), flipped,
       campaign +
           sealed_record(
               R"({"v":1,"seq":1,"type":"campaign","title":"t","configuration":"","seed":"1","schedule":"interleaved")"),
       campaign + note + note, campaign + sealed_record(R"({"v":1,"seq":2,"type":"note","text":"x")"),
       sealed_record(R"({"v":2,"seq":0,"type":"note","text":"x")"),
       std::string("{\"v\":7,\"seq\":0,\"type\":\"note\",\"seal\":\"x\"}\n"),
       sealed_record(R"({"v":1,"seq":0,"type":"poem")"), sealed_record(R"({"v":1,"seq":0,"type":"note")"),
       sealed_record(R"({"v":1,"type":"note","text":"x")"), sealed_record(R"({"v":1,"seq":0,"type":note)")}) {
    try {
      parse_journal(text, "j");
      told += "accepted\n";
    } catch (const ResultError& error) {
      told += std::string(error.what()) + "\n";
    }
  }
  EXPECT_TRUE(matches_golden(told, "records/journal_refusals.txt"));
}

}  // namespace
}  // namespace assay::test
