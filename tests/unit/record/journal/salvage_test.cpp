// SPDX-License-Identifier: Apache-2.0
// What is kept of damaged journals, and what is said of the rest.
#include "record/journal/salvage.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "support/environment/scratch.hpp"
#include "support/machines/fake_clock.hpp"

namespace assay {
namespace {

class Salvage : public ::testing::Test {
 protected:
  Salvage() {
    test::FakeClock clock;
    Journal journal(scratch_ / "campaign", clock);
    journal.write(CampaignRecord{});
    for (const char* text : {"one", "two", "three", "four"}) journal.write(NoteRecord{text});
    std::istringstream text(read_file(scratch_ / "campaign/journal.jsonl", 1U << 20U));
    for (std::string line; std::getline(text, line);) lines_.push_back(line + '\n');
  }

  // Texts of the notes that are kept of a journal's text.
  std::string kept_of(const std::string& text) {
    std::ofstream(scratch_ / "damaged") << text;
    std::string kept;
    losses_ = salvage_journal(scratch_ / "damaged", [&](const Record& record) {
      const auto* note = std::get_if<NoteRecord>(&record);
      kept += (kept.empty() ? "" : " ") + (note == nullptr ? std::string("campaign") : note->text);
    });
    return kept;
  }
  std::string loss() const { return losses_.empty() ? "none" : to_text(losses_.front()); }

  test::Scratch scratch_;
  std::vector<std::string> lines_;
  std::vector<Loss> losses_;
};

TEST_F(Salvage, KeepsAllOfASoundJournal) {
  EXPECT_EQ(kept_of(lines_[0] + lines_[1] + lines_[2] + lines_[3] + lines_[4]), "campaign one two three four");
  EXPECT_TRUE(losses_.empty());
}

TEST_F(Salvage, LeavesOutADamagedLineAndNamesIt) {
  std::string damaged = lines_[2];
  damaged[40] ^= 1;
  EXPECT_EQ(kept_of(lines_[0] + lines_[1] + damaged + lines_[3]), "campaign one three");
  EXPECT_EQ(loss(), "line 3, byte " + std::to_string(lines_[0].size() + lines_[1].size()) + ": " +
                        std::to_string(damaged.size()) + " bytes: not a record with the right checksum");
}

TEST_F(Salvage, TakesEachRecordOnceAndKeepsWhatStandsElsewhere) {
  EXPECT_EQ(kept_of(lines_[0] + lines_[1] + lines_[1] + lines_[3] + lines_[2]), "campaign one three two");
  ASSERT_EQ(losses_.size(), 3U);
  EXPECT_NE(losses_[0].why.find("record 1 once more"), std::string::npos);
  EXPECT_NE(losses_[1].why.find("records 2 to 2 do not precede it"), std::string::npos);
  EXPECT_NE(losses_[2].why.find("out of its order"), std::string::npos);
}

TEST_F(Salvage, PassesOverWhatIsNoLine) {
  EXPECT_EQ(kept_of(lines_[0] + std::string(3'000'000, '\0') + "\n" + lines_[1] + "torn"), "campaign one");
  ASSERT_EQ(losses_.size(), 2U);
  EXPECT_EQ(losses_[0].bytes, 3'000'001);
  EXPECT_EQ(losses_.back().bytes, 4);
}

TEST_F(Salvage, FindsNothingInForeignFiles) {
  EXPECT_EQ(kept_of("hello\nworld"), "");
  EXPECT_EQ(kept_of(""), "");
  EXPECT_TRUE(losses_.empty());
}

}  // namespace
}  // namespace assay
